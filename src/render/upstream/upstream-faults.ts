import { folderOf } from '../../resource-list/package-of.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import type { Fault } from '../../schema/fault.ts'
import { didYouMean } from '../../schema/nearest-name.ts'
import type { Origin } from '../origin.ts'
import { type AskedRevision, gitDirectory, gitNames, plainFolder, revisionsAmong } from './upstream-places.ts'

const UPSTREAM = ['spec', 'upstream']
const MOST_NAMES = 5

/** Where a package was looked for in vain. */
export interface SearchedPlaces {
  readonly folders: readonly string[]
  /** The folders that are there instead. */
  readonly beside: readonly string[]
  /** The tags of its git repository, the latest version first. */
  readonly tags: readonly string[]
  /** Whether git repositories are read at all. */
  readonly hasGit: boolean
}

/** Nothing is where the package was looked for: in these folders, and in git. */
export function missingUpstream(asked: AskedRevision, { folders, beside, tags, hasGit }: SearchedPlaces): Fault {
  const git = asked.facts.options.git
  const inGit = git === undefined ? '' : hasGit ? `, nor in git${listRefs(asked)} of ${quoteText(git.repo)}` : NO_GIT
  const near = nearPackages(asked, beside) || nearTags(asked, tags)
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
  const refs = [...new Set(gitNames(asked).map(({ resolvedRef }) => resolvedRef))]
  return refs.length === 0 ? ', since no revision is named,' : ` at ${quoteNames(refs)}`
}

/** Other revisions of the package, as git's tags tell them, or the package that was most likely meant. */
function nearTags(asked: AskedRevision, tags: readonly string[]): string {
  const folders = [...new Set([gitDirectory(asked), asked.packageName])]
  const others = tags.filter((tag) => folders.includes(folderOf(tag)))
  if (others.length > 0) return `; git has ${quoteNames(others.slice(0, MOST_NAMES))}`
  return didYouMean(gitDirectory(asked), [...new Set(tags.map(folderOf))])
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
