import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import type { Fault } from '../../schema/fault.ts'
import { didYouMean } from '../../schema/nearest-name.ts'
import type { Origin } from '../origin.ts'
import { type AskedRevision, gitNames, plainFolder, revisionsAmong } from './upstream-places.ts'

const UPSTREAM = ['spec', 'upstream']
const MOST_NAMES = 5

/** Where a package was looked for in vain. */
export interface SearchedPlaces {
  readonly folders: readonly string[]
  /** The folders that are there instead. */
  readonly beside: readonly string[]
  /** Whether git repositories are read at all. */
  readonly hasGit: boolean
}

/** Nothing is where the package was looked for: in these folders, and in git. */
export function missingUpstream(asked: AskedRevision, { folders, beside, hasGit }: SearchedPlaces): Fault {
  const git = asked.facts.options.git
  const inGit = git === undefined ? '' : hasGit ? `, nor in git at ${listRefs(asked)} of ${quoteText(git.repo)}` : NO_GIT
  const near = nearPackages(asked, beside)
  const remedy = near === '' && git === undefined ? remedyOf(asked, { hasGit }) : near
  const message = `must name a package that is there, found none at ${quoteNames(folders)}${inGit}${remedy}`
  return { severity: 'error', rule: 'upstream-missing', path: UPSTREAM, message }
}

/** Which option says where the packages of a repository are; its Repository may tell. */
function remedyOf({ facts: { name, repo } }: AskedRevision, { hasGit }: Pick<SearchedPlaces, 'hasGit'>): string {
  const option = `spec.repositories.${name}`
  const inGit = repo === name ? `${option}.git.repo` : `${option}.git.repo, such as ${quoteText(repo)} of its Repository`
  return `; a RenderVariants says where it is: ${option}.path for a folder${hasGit ? `, or ${inGit}` : ''}`
}

const NO_GIT = '; git repositories are read by the tool `krm-variants render`, not by a function'

function listRefs(asked: AskedRevision): string {
  return quoteNames([...new Set(gitNames(asked).map(({ resolvedRef }) => resolvedRef))])
}

function nearPackages(asked: AskedRevision, beside: readonly string[]): string {
  const others = revisionsAmong(beside, plainFolder(asked))
  if (others.length > 0) return `; there is ${quoteNames(others.slice(0, MOST_NAMES))}`
  return didYouMean(
    plainFolder(asked),
    beside.map((folder) => folder.replace(/@[^/]*$/, '')),
  )
}

/** A folder is there, but it is no package. */
export function noPackage(place: string): Fault {
  const message = `must name a package, but there is no Kptfile in ${quoteText(place)}`
  return { severity: 'error', rule: 'upstream-no-package', path: UPSTREAM, message }
}

/** The revision that a package was made of is gone, and its name stands for another. */
export function otherCommit(
  { ref, commit = '' }: { readonly ref: string; readonly commit?: string },
  { repo, commit: now = '' }: Origin,
): Fault {
  const found = `commit ${shortCommit(commit)} is not in ${quoteText(repo)}, where ${quoteText(ref)} is ${shortCommit(now)} now`
  return { severity: 'error', rule: 'upstream-missing', path: UPSTREAM, message: `must name a package that is there, ${found}` }
}

/** Enough of a commit for people. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12)
}

/** Git could not do it. */
export function gitFault(reason: string): Fault {
  return { severity: 'error', rule: 'upstream-git', path: [...UPSTREAM, 'repo'], message: `cannot be read: ${reason}` }
}
