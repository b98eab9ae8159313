import type { Fleet } from '../fleet/fleet.ts'
import type { KnownRevisions } from '../fleet/releases/behind.ts'
import { GitError } from '../git/run-git.ts'
import { compareRevisions, revisionNumber, revisionVersion } from '../kinds/revision.ts'
import { REVISION_PATH } from '../kinds/upstream-rules.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { folderOf } from '../resource-list/package-of.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { repositoryFacts } from './repository-facts.ts'
import type { UpstreamOptions } from './repository-options.ts'
import type { GitPackageSource, PackageSource } from './source-package.ts'
import { gitFault, shortCommit } from './upstream-faults.ts'
import type { UpstreamLibrary } from './upstream-library.ts'
import { type AskedRevision, newestFirst, publishedNames, revisionNames, tagsOfPackage } from './upstream-places.ts'

/** The places in which floating tags and the revisions behind them are looked up. */
interface TagPlaces {
  readonly library: Pick<UpstreamLibrary, 'newest' | 'has'>
  readonly packageSource: Pick<PackageSource, 'git'>
  readonly fleet: Fleet
  readonly options: Pick<UpstreamOptions, 'repositories'>
}

/**
 * Finds the revisions that one floating tag names (seed 000, Future Considerations: a tag tracker edits the sets as the tag moves). The
 * options say what a tag of a repository names, `tags: {stable: v4}`. Without such an option, a git tag `PACKAGE/stable` or `stable` names
 * the revision whose tag, `PACKAGE/v4` or `v4`, is at the same commit.
 */
export class FloatingTag {
  readonly #tag: string
  readonly #places: TagPlaces
  readonly #known = new Set<string>()
  /** True if a repository that was asked has the tag, or cannot be read. */
  #mayExist = false

  constructor(tag: string, places: TagPlaces) {
    this.#tag = tag
    this.#places = places
  }

  /** The floating tags of the repositories that were asked, sorted; undefined if one of these repositories may have the tag. */
  get instead(): readonly string[] | undefined {
    return this.#mayExist ? undefined : [...this.#known].sort()
  }

  /** Returns the revision of an upstream that the tag names, as the newest one; a warning if the tag names none, or an earlier one. */
  newest(upstream: UpstreamFields, namespace: string): KnownRevisions {
    try {
      return this.#find(upstream, namespace)
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      this.#mayExist = true
      return { asked: [], fault: gitFault(error.message) }
    }
  }

  #find(upstream: UpstreamFields, namespace: string): KnownRevisions {
    const { library, packageSource, fleet, options } = this.#places
    const found = library.newest(upstream, namespace)
    const { asked, newest, fault } = found
    const facts = repositoryFacts(upstream.repo, namespace, fleet, options.repositories)
    const revision = { facts, packageName: upstream.package, names: asked }
    for (const tag of floatingTags(revision, packageSource.git)) this.#known.add(tag)
    const named = this.#named(revision)
    this.#mayExist ||= named !== undefined || fault?.rule === 'upstream-git'
    if (fault !== undefined) return { asked, fault }
    const left = (message: string): KnownRevisions => ({ asked, fault: tagFault(message) })
    const of = `tag ${quoteText(this.#tag)} of repository ${quoteText(upstream.repo)}`
    const own = quoteText(`${upstream.repo}/${upstream.package}`)
    if (named === undefined) return left(`is not compared: there is no ${of}`)
    if ('commit' in named)
      return left(`is not compared with ${of}: no revision of ${own} has a tag at its commit ${shortCommit(named.commit)}`)
    const { name } = named
    if (!library.has({ repo: upstream.repo, package: upstream.package, revision: name }, namespace)) {
      const hint = newest === undefined ? '' : `; the newest is ${quoteText(newest)}`
      return left(`is not compared with ${of}, which names ${quoteText(name)}: ${own} has no such revision${hint}`)
    }
    const [wanted, present] = [revisionVersion(name), revisionVersion(asked[0] ?? '')]
    if (wanted === undefined) return left(`is not compared with ${of}: ${quoteText(name)} has no order`)
    if (present !== undefined && compareRevisions(present, wanted) > 0)
      return left(`is later than ${of}, which names ${quoteText(name)}: a tag only raises revisions, so go back by hand`)
    return { asked, newest: name }
  }

  /** Returns the name of the revision that the tag names, or the commit of the tag if no revision is there; undefined without the tag. */
  #named(asked: AskedRevision): { readonly name: string } | { readonly commit: string } | undefined {
    const { git: source } = this.#places.packageSource
    const { tags, git } = asked.facts.options
    const written = tags.get(this.#tag)
    if (written !== undefined) return { name: nameOf(written) }
    if (git === undefined || source === undefined) return undefined
    const commitsOf = (names: readonly string[]) => {
      const refs = publishedNames({ ...asked, names }).map(({ name }) => name)
      return source.commits(git.repo, refs).filter((commit) => commit !== undefined)
    }
    const [commit] = commitsOf([this.#tag])
    if (commit === undefined) return undefined
    const names = newestFirst(revisionNames(asked, { beside: [], tags: source.tags(git.repo) }), [PRERELEASE])
    const name = names.find((each) => commitsOf([each])[0] === commit)
    return name === undefined ? { commit } : { name: nameOf(name) }
  }
}

/** A name that lets prereleases count: a tag may name one. */
const PRERELEASE = 'v0.0.0-0'

/** Returns the name of a revision as PackageRevisions and most tags have it: `v4` for 4. */
function nameOf(written: string): string {
  const number = revisionNumber(written)
  return number === undefined ? written : `v${number}`
}

/** Returns the tags of the options and of git that name no version by themselves, by their names for the package. */
function floatingTags(asked: AskedRevision, source: GitPackageSource | undefined): readonly string[] {
  const { tags, git } = asked.facts.options
  const all = git === undefined ? [] : (source?.tags(git.repo) ?? [])
  const own = tagsOfPackage(all, asked).map((tag) => tag.slice(folderOf(tag).length + 1))
  const inGit = [...own, ...all.filter((tag) => !tag.includes('/'))]
  return [...tags.keys(), ...inGit.filter((name) => revisionVersion(name) === undefined)]
}

function tagFault(message: string): Fault {
  return { severity: 'warning', rule: 'tag-without-revision', path: REVISION_PATH, message }
}
