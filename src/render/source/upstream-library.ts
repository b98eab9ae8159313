import type { Fleet } from '../../fleet/fleet.ts'
import type { GitRevision, KptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import type { UpstreamFields } from '../../kinds/upstream-schema.ts'
import { DEFAULT_NAMESPACE } from '../../kubernetes/kinds.ts'
import { isDns1123Subdomain } from '../../kubernetes/names.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import { holdsSecret } from '../../package/git-address.ts'
import { OutsideError } from '../../package/inside-folder.ts'
import { GitError } from '../../package/run-git.ts'
import { isSafePath } from '../../package/safe-path.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { Fault } from '../../schema/fault.ts'
import type { FleetVariant } from '../fleet-variants.ts'
import type { RenderOptions, RepositoryOptions } from '../options.ts'
import type { Chain } from './chain.ts'
import { bareFolder, bareRepo, type UpstreamOrigin } from './origin.ts'
import { publishedRevisions, type RepositoryFacts, repositoryFacts, workspaceRevisions } from './repository-facts.ts'
import type { PackageSource, SourcePackage } from './source-package.ts'
import {
  gitFault,
  missingTree,
  missingUpstream,
  noPackage,
  otherCommit,
  outsideFault,
  type RevisionContent,
  secretFault,
} from './upstream-faults.ts'
import {
  type AskedRevision,
  folderOrigin,
  gitDirectory,
  gitNames,
  namesAskedFor,
  namesOfRef,
  newestFirst,
  plainFolder,
  publishedNames,
  revisionFolders,
  revisionNames,
} from './upstream-places.ts'

/** A revision of an upstream package. */
export interface UpstreamRevision {
  readonly origin: UpstreamOrigin
  readonly source: SourcePackage
  /**
   * The variant of the same fleet that makes the package, of which no such revision is published. `source` is the package before the run
   * until the maker's package is rendered.
   */
  readonly maker?: FleetVariant
}

/** The result of a lookup: the revision, or the fault of a variant whose upstream is missing or unreadable. */
export type UpstreamLookup = { readonly revision: UpstreamRevision } | { readonly fault: Fault }

/** The revisions that a package may have been made of; if there is none, the reason. */
export interface RecordedRevisions {
  readonly revisions: readonly UpstreamRevision[]
  readonly reason?: string
}

/** The folders of an upstream, relative to the fleet, and its git repository, if the options name one. */
export interface UpstreamFolders {
  readonly repository: string
  readonly package: string
  readonly git: RepositoryOptions['git']
}

/** The newest revision of an upstream package, and the one that a variant asks for. */
export interface NewestRevision {
  /** The names that the asked revision may have, the likeliest first: `v3`, `3`. */
  readonly asked: readonly string[]
  /** The name of the newest revision; undefined when no revision is known whose name has an order. */
  readonly newest?: string
  /** The reason why no revision is known at all. */
  readonly fault?: Fault
}

/** The upstream packages of a fleet. A package that many variants ask for is read once. */
export class UpstreamLibrary {
  readonly #shelves: PackageSource
  readonly #fleet: Fleet
  readonly #options: Pick<RenderOptions, 'repositories' | 'clone'>
  readonly #lookups = new Map<string, UpstreamLookup>()
  readonly #sources = new Map<string, SourcePackage | undefined>()
  readonly #chain: Chain<FleetVariant> | undefined

  /** @param chain  the packages of the fleet that other packages are made from; unset to look for upstreams outside of the fleet only */
  constructor(shelves: PackageSource, fleet: Fleet, options: Pick<RenderOptions, 'repositories' | 'clone'>, chain?: Chain<FleetVariant>) {
    this.#shelves = shelves
    this.#fleet = fleet
    this.#options = options
    this.#chain = chain
  }

  /** Returns the revision that a variant asks for. Variants that ask for the same revision get the same answer. */
  wanted({ upstream, namespace = DEFAULT_NAMESPACE }: Pick<PackageVariant, 'upstream' | 'namespace'>): UpstreamLookup {
    return this.#remember(['wanted', namespace, upstream], () => {
      const asked = this.#asked(upstream, namespace)
      const maker = this.#chain?.makerOf(upstream, namespace)
      return this.#chain === undefined || maker === undefined
        ? this.#find(asked)
        : this.#findMade(asked, { maker, source: this.#chain.before(maker) })
    })
  }

  /** Returns the revision that a variant asks for if it is published: a folder of its own or a tag. A branch is not published. */
  published(upstream: UpstreamFields, namespace: string): UpstreamLookup {
    return this.#remember(['published', namespace, upstream], () => {
      const asked = this.#asked(upstream, namespace)
      const revision = this.#published(asked)
      return revision === undefined ? this.#missing(asked, revisionFolders(asked)) : { revision }
    })
  }

  /** Returns true unless the revision of an upstream is certainly published nowhere: true if a repository cannot be read. */
  isPublished(upstream: UpstreamFields, namespace: string): boolean {
    const found = this.published(upstream, namespace)
    return 'revision' in found || found.fault.rule !== 'upstream-missing'
  }

  /** Returns the folders that hold the packages of an upstream's repository, and the package itself at an unnamed revision. */
  folders({ upstream, namespace = DEFAULT_NAMESPACE }: Pick<PackageVariant, 'upstream' | 'namespace'>): UpstreamFolders {
    const asked = this.#asked(upstream, namespace)
    return { repository: asked.facts.path, package: plainFolder(asked), git: asked.facts.options.git }
  }

  /**
   * Returns the newest revision of an upstream package: the highest version among its folders, its tags in git, the tags of the whole
   * repository and its PackageRevisions. A folder or tag counts if `wanted` finds the package there; a prerelease counts if a
   * prerelease is asked for.
   */
  newest(upstream: UpstreamFields, namespace: string): NewestRevision {
    const { repo, package: packageName } = upstream
    const asked = this.#asked(upstream, namespace)
    const found = this.wanted({ upstream, namespace })
    if ('fault' in found && found.fault.rule === 'upstream-git') return { asked: asked.names, fault: found.fault }
    const published = publishedRevisions(this.#fleet, namespace, repo, packageName)
    const tags = this.#tags(asked)
    const names = [...published, ...revisionNames(asked, { beside: this.#shelves.beside(plainFolder(asked)), tags })]
    const newest = newestFirst(names, asked.names).find((name) => this.has({ repo, package: packageName, revision: name }, namespace))
    if (newest !== undefined) return { asked: asked.names, newest }
    return { asked: asked.names, ...('fault' in found && { fault: found.fault }) }
  }

  /** Returns true if a revision of an upstream package is a PackageRevision, or `wanted` finds it at its name: another state does not count. */
  has(upstream: UpstreamFields, namespace: string): boolean {
    const { repo, package: packageName, revision } = upstream
    if (publishedRevisions(this.#fleet, namespace, repo, packageName).has(String(revision))) return true
    return 'revision' in this.wanted({ upstream, namespace })
  }

  /**
   * Returns the revision that a downstream package was last brought to, by its Kptfile; undefined when the Kptfile names no revision. A
   * folder without a revision in its name does not count, since such a folder holds the newest state.
   */
  original(written: KptfileUpstream, { upstream, namespace = DEFAULT_NAMESPACE }: PackageVariant): UpstreamLookup | undefined {
    const at = written.upstreamLock ?? written.upstream
    if (at === undefined || at.ref === '') return undefined
    const { tree } = written
    const find = (repo: string): UpstreamLookup =>
      tree === undefined
        ? this.#findOriginal(at, { ...upstream, repo }, namespace)
        : this.#originalMade(at, tree, { ...upstream, repo }, namespace)
    return this.#remember(['original', namespace, upstream, at, tree], () => {
      const [first, ...others] = this.#formerRepositories(at, upstream, namespace).map((repo) => () => find(repo))
      return others.reduce<UpstreamLookup>((found, next) => ('revision' in found ? found : next()), first?.() ?? find(upstream.repo))
    })
  }

  /**
   * Returns the repositories that may hold the revision of a Kptfile: those with the URL that the Kptfile names, which need not be the one
   * that the variant names now. The variant's own counts if its URL is the same, if no repository has the URL, or if the repository of
   * that name is gone, as after its renaming.
   */
  #formerRepositories(at: GitRevision, upstream: UpstreamFields, namespace: string): readonly string[] {
    const url = bareRepo(at.repo)
    const factsOf = (name: string) => repositoryFacts(name, namespace, this.#fleet, this.#options.repositories)
    const known = new Set([
      upstream.repo,
      ...this.#options.repositories.keys(),
      ...this.#fleet.repositories(namespace).keys(),
      ...(isDns1123Subdomain(url) ? [url] : []),
    ])
    const named = [...known].filter((name) => bareRepo(factsOf(name).repo) === url)
    if (named.length === 0) return [upstream.repo]
    const isGone = ({ path, options }: RepositoryFacts): boolean =>
      options.git === undefined && this.#shelves.beside(`${path}/any`).length === 0
    return named.includes(upstream.repo) || !named.every((name) => isGone(factsOf(name))) ? named : [...named, upstream.repo]
  }

  /** Returns the package of another variant of the fleet as it was at a git tree. */
  #originalMade(at: GitRevision, tree: string, upstream: UpstreamFields, namespace: string): UpstreamLookup {
    const asked = this.#askedOriginal(at, upstream, namespace)
    const folder = `${upstream.repo}/${asked.packageName}`
    const source = isSafePath(folder) ? this.#chain?.original(folder, tree) : undefined
    if (source === undefined) return { fault: missingTree(tree, folder, { hasHistory: this.#chain?.hasHistory !== false }) }
    return { revision: { origin: { ...folderOrigin(asked), tree }, source } }
  }

  /**
   * Returns the revisions that a package without a living variant may have been made of: the revision that its Kptfile names, and the
   * current content of that upstream folder. Looks in the repository that has the URL of the Kptfile, else in every known repository: a
   * commit is the same in each.
   */
  recorded({ upstreamLock, upstream }: KptfileUpstream, namespace: string): RecordedRevisions {
    const at = upstreamLock ?? upstream
    if (at === undefined || at.ref === '') return { revisions: [], reason: 'its Kptfile names none' }
    const lookups = this.#repositoriesOf(at.repo, namespace).flatMap((repo) => {
      const from = { repo, package: bareFolder(at.directory) }
      return [
        this.#remember(['original', namespace, repo, at], () => this.#findOriginal(at, from, namespace)),
        this.#remember(['folder', namespace, repo, at], () => this.#findFolder(at, from, namespace)),
      ]
    })
    const [reason] = lookups.flatMap((lookup) => ('fault' in lookup ? lookup.fault.message : []))
    return {
      revisions: lookups.flatMap((lookup) => ('revision' in lookup ? lookup.revision : [])),
      ...(reason !== undefined && { reason }),
    }
  }

  #repositoriesOf(url: string, namespace: string): readonly string[] {
    const known = new Set([...this.#options.repositories.keys(), ...this.#fleet.repositories(namespace).keys(), bareRepo(url)])
    const urlOf = (name: string): string => repositoryFacts(name, namespace, this.#fleet, this.#options.repositories).repo
    const named = [...known].filter((name) => bareRepo(urlOf(name)) === bareRepo(url))
    return named.length > 0 ? named : [...known]
  }

  #asked(upstream: UpstreamFields, namespace: string): AskedRevision {
    const facts = repositoryFacts(upstream.repo, namespace, this.#fleet, this.#options.repositories)
    const workspaces = workspaceRevisions(this.#fleet, namespace, upstream.repo, upstream.package)
    return {
      facts,
      packageName: upstream.package,
      names: namesAskedFor(upstream, { branch: facts.branch, tags: facts.options.tags, workspaces }),
    }
  }

  /** Returns all tags of the git repository, the latest version first; none without a repository. */
  #tags({ facts }: AskedRevision): readonly string[] {
    const repo = facts.options.git?.repo
    return repo === undefined ? [] : (this.#shelves.git?.tags(repo) ?? [])
  }

  #find(asked: AskedRevision): UpstreamLookup {
    if (holdsSecret(asked.facts.repo)) return { fault: secretFault(asked.facts) }
    const found = this.#inFolders(asked) ?? this.#inGit(asked) ?? this.#inFolder(plainFolder(asked), folderOrigin(asked))
    if (found !== undefined) return this.#sound(found)
    return this.#missing(asked, [...revisionFolders(asked), plainFolder(asked)])
  }

  /** Returns a published revision of a package that a variant makes; else the package itself. A branch is not published. */
  #findMade(asked: AskedRevision, made: { readonly maker: FleetVariant; readonly source: SourcePackage }): UpstreamLookup {
    if (holdsSecret(asked.facts.repo)) return { fault: secretFault(asked.facts) }
    const published = this.#published(asked)
    if (published !== undefined) return this.#sound(published)
    const { facts, names } = asked
    const origin = folderOrigin(names.length > 0 ? asked : { ...asked, names: [facts.branch] })
    return { revision: { origin, ...made } }
  }

  #published(asked: AskedRevision): UpstreamRevision | undefined {
    return this.#inFolders(asked) ?? this.#inGit(asked, publishedNames(asked))
  }

  #missing(asked: AskedRevision, folders: readonly string[]): UpstreamLookup {
    const { git } = this.#shelves
    const repo = asked.facts.options.git?.repo
    const [beside, besideRepository] = [plainFolder(asked), asked.facts.path].map((folder) => this.#shelves.beside(folder))
    const places = {
      folders,
      beside: beside ?? [],
      besideRepository: besideRepository ?? [],
      tags: this.#tags(asked),
      hasGit: git !== undefined,
    }
    const repositories = [...this.#options.repositories.keys()]
    return { fault: missingUpstream(asked, { ...places, repositories, withoutPackage: this.#withoutPackage(asked, repo) }) }
  }

  /** The first name that git knows, although the package is not there. */
  #withoutPackage(asked: AskedRevision, repo: string | undefined): RevisionContent | undefined {
    const { git } = this.#shelves
    if (repo === undefined || git === undefined) return undefined
    const names = gitNames(asked)
    const commits = git.commits(
      repo,
      names.map(({ name }) => name),
    )
    const [content] = names.flatMap(({ resolvedRef }, index) => {
      const commit = commits[index]
      return commit === undefined ? [] : [{ ref: resolvedRef, packages: git.packages(repo, commit) }]
    })
    return content
  }

  #findOriginal(at: GitRevision & { readonly commit?: string }, upstream: UpstreamFields, namespace: string): UpstreamLookup {
    const asked = this.#askedOriginal(at, upstream, namespace)
    const found = this.#atCommit(asked, at) ?? this.#inFolders(asked) ?? this.#inGit(asked)
    if (found === undefined) return this.#missing(asked, revisionFolders(asked))
    return isOther(found.origin, at) ? { fault: otherCommit(at, found.origin) } : this.#sound(found)
  }

  /** Returns the current content of a package's folder, at whichever revision. */
  #findFolder(at: GitRevision, upstream: UpstreamFields, namespace: string): UpstreamLookup {
    const asked = this.#askedOriginal(at, upstream, namespace)
    const found = this.#inFolder(plainFolder(asked), folderOrigin(asked))
    return found === undefined ? this.#missing(asked, [...revisionFolders(asked), plainFolder(asked)]) : this.#sound(found)
  }

  #askedOriginal(at: GitRevision, upstream: UpstreamFields, namespace: string): AskedRevision {
    const facts = repositoryFacts(upstream.repo, namespace, this.#fleet, this.#options.repositories)
    const directory = bareFolder(at.directory)
    const isBelow = facts.directory === '' || directory.startsWith(`${facts.directory}/`)
    const packageName = isBelow ? directory.slice(facts.directory === '' ? 0 : facts.directory.length + 1) : upstream.package
    return { facts, packageName, names: namesOfRef(at.ref, directory) }
  }

  #inFolders(asked: AskedRevision): UpstreamRevision | undefined {
    for (const folder of revisionFolders(asked)) {
      const found = this.#inFolder(folder, folderOrigin(asked))
      if (found !== undefined) return found
    }
    return undefined
  }

  #inFolder(folder: string, origin: UpstreamOrigin): UpstreamRevision | undefined {
    const source = this.#source(['folder', folder], () => this.#shelves.folder(folder))
    return source && { origin, source }
  }

  /** Returns the package at the first name that git resolves to a commit with the package. */
  #inGit(asked: AskedRevision, names = gitNames(asked)): UpstreamRevision | undefined {
    const { git } = asked.facts.options
    if (git === undefined || this.#shelves.git === undefined) return undefined
    const commits = this.#shelves.git.commits(
      git.repo,
      names.map(({ name }) => name),
    )
    for (const [index, { name, ref, resolvedRef }] of names.entries()) {
      const commit = commits[index]
      const found = commit === undefined ? undefined : this.#atCommitOf(asked, git.repo, commit, { ref, resolvedRef })
      if (found !== undefined)
        return this.#isVersionTag(git.repo, { name, ref, commit }) ? { ...found, origin: { ...found.origin, isPublished: true } } : found
    }
    return undefined
  }

  #isVersionTag(
    repo: string,
    { name, ref, commit }: { readonly name: string; readonly ref: string; readonly commit: string | undefined },
  ): boolean {
    if (!/^v?\d+(\.\d+)*([-+].*)?$/.test(ref)) return false
    return name.startsWith('refs/tags/') || this.#shelves.git?.commits(repo, [`refs/tags/${name}`])[0] === commit
  }

  #atCommit(asked: AskedRevision, { ref, commit = '' }: { readonly ref: string; readonly commit?: string }): UpstreamRevision | undefined {
    const { git } = asked.facts.options
    if (git === undefined || commit === '' || this.#shelves.git?.commits(git.repo, [commit])[0] === undefined) return undefined
    return this.#atCommitOf(asked, git.repo, commit, { ref, resolvedRef: ref })
  }

  #atCommitOf(
    asked: AskedRevision,
    repo: string,
    commit: string,
    refs: Pick<UpstreamOrigin, 'ref' | 'resolvedRef'>,
  ): UpstreamRevision | undefined {
    const directory = gitDirectory(asked)
    const source = this.#source(['git', repo, commit, directory], () => this.#shelves.git?.folder(repo, commit, directory))
    return source && { origin: { repo, directory, ...refs, commit }, source }
  }

  /**
   * Returns a fault for a folder that is no package. A package has a Kptfile; in kpt's flavour a folder of resources without packages in it
   * is one too, since kpt makes the Kptfile (docs/porch.md C11). A folder with unsafe paths passes: the Kptfile may be among them, and the
   * paths have faults of their own.
   */
  #sound(revision: UpstreamRevision): UpstreamLookup {
    const { files, faults, place } = revision.source
    if (faults.length > 0) return { revision }
    const kptfile = files.get(KPTFILE)
    const isPackage = kptfile === undefined ? this.#options.clone === 'kpt' && holdsOwnResources(files) : !isBytes(kptfile)
    return isPackage ? { revision } : { fault: noPackage(place) }
  }

  #source(key: readonly unknown[], read: () => SourcePackage | undefined): SourcePackage | undefined {
    const text = JSON.stringify(key)
    const source = this.#sources.has(text) ? this.#sources.get(text) : read()
    this.#sources.set(text, source)
    return source
  }

  #remember(key: readonly unknown[], find: () => UpstreamLookup): UpstreamLookup {
    const text = JSON.stringify(key)
    const lookup = this.#lookups.get(text) ?? reportingGitFaults(find)
    this.#lookups.set(text, lookup)
    return lookup
  }
}

/**
 * Returns true if a name resolves to another commit than when the package was made: the tag or branch moved, and its history was
 * rewritten.
 */
function isOther({ commit }: UpstreamOrigin, at: { readonly commit?: string }): boolean {
  return commit !== undefined && at.commit !== undefined && at.commit !== '' && commit !== at.commit
}

function reportingGitFaults(find: () => UpstreamLookup): UpstreamLookup {
  try {
    return find()
  } catch (error) {
    if (error instanceof GitError) return { fault: gitFault(error.message) }
    if (error instanceof OutsideError) return { fault: outsideFault(error.message) }
    throw error
  }
}

/** Returns true for a folder with resources beside its subfolders, and without a Kptfile in any of them. */
function holdsOwnResources(files: PackageFiles): boolean {
  const hasPackage = [...files.keys()].some((path) => path.endsWith(`/${KPTFILE}`))
  return !hasPackage && [...files].some(([path, content]) => !path.includes('/') && !isBytes(content))
}
