import type { Fleet } from '../fleet/fleet.ts'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import type { KnownRevisions } from '../fleet/releases/behind.ts'
import { OutsideError } from '../folder/inside-folder.ts'
import { isSafePath } from '../folder/safe-path.ts'
import { holdsSecret } from '../git/git-address.ts'
import { GitError } from '../git/run-git.ts'
import type { GitRevision, KptfileUpstream } from '../kinds/kptfile-upstream.ts'
import type { PackageVariant } from '../kinds/package-variant.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { DEFAULT_NAMESPACE } from '../kubernetes/kinds.ts'
import { isDns1123Subdomain } from '../kubernetes/names.ts'
import { remember } from '../remember.ts'
import { joinPath } from '../resource-list/package-of.ts'
import type { Fault } from '../schema/fault.ts'
import type { Chain } from './chain.ts'
import { bareFolder, bareRepo } from './origin.ts'
import { publishedRevisions, type RepositoryFacts, repositoryFacts, workspaceRevisions } from './repository-facts.ts'
import type { RepositoryOptions, UpstreamOptions } from './repository-options.ts'
import type { PackageSource, SourcePackage } from './source-package.ts'
import { gitFault, missingTree, outsideFault, secretFault } from './upstream-faults.ts'
import {
  type AskedRevision,
  folderOrigin,
  namesAskedFor,
  namesOfRef,
  newestFirst,
  plainFolder,
  revisionFolders,
  revisionNames,
  revisionsAmong,
} from './upstream-places.ts'
import { type UpstreamLookup, type UpstreamRevision, UpstreamSearch } from './upstream-search.ts'

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

/** The ways in which the Kptfile of a package may name a revision of an upstream. */
export interface UpstreamAddress {
  /** The address of the repository, or its name if no address is known. */
  readonly repo: string
  readonly directories: readonly string[]
  /** The names of the revision: `v3`, `3`. */
  readonly names: readonly string[]
}

/** The rules of an upstream that is no package on disk. */
const MISSING: ReadonlySet<string> = new Set(['upstream-missing', 'upstream-no-package'])

/** The upstream packages of a fleet. A package that many variants ask for is read once. */
export class UpstreamLibrary {
  readonly #packageSource: PackageSource
  readonly #fleet: Fleet
  readonly #options: UpstreamOptions
  readonly #lookups = new Map<string, UpstreamLookup>()
  readonly #chain: Chain<FleetVariant> | undefined
  readonly #search: UpstreamSearch

  /** @param chain  the packages of the fleet that other packages are made from; unset to look for upstreams outside of the fleet only */
  constructor(packageSource: PackageSource, fleet: Fleet, options: UpstreamOptions, chain?: Chain<FleetVariant>) {
    this.#packageSource = packageSource
    this.#fleet = fleet
    this.#options = options
    this.#chain = chain
    this.#search = new UpstreamSearch(packageSource, options.clone, [...options.repositories.keys()])
  }

  /** Returns the revision that a variant asks for. Variants that ask for the same revision get the same answer. */
  wanted({ upstream, namespace = DEFAULT_NAMESPACE }: Pick<PackageVariant, 'upstream' | 'namespace'>): UpstreamLookup {
    return this.#remember(['wanted', namespace, upstream], () => {
      const asked = this.#asked(upstream, namespace)
      const maker = this.#chain?.makerOf(upstream, namespace)
      return this.#chain === undefined || maker === undefined
        ? this.#search.wanted(asked)
        : this.#findMade(asked, { maker, source: this.#chain.before(maker) })
    })
  }

  /** Returns the revision that a variant asks for if it is published: a folder of its own or a tag. A branch is not published. */
  published(upstream: UpstreamFields, namespace: string): UpstreamLookup {
    return this.#remember(['published', namespace, upstream], () => {
      const asked = this.#asked(upstream, namespace)
      const revision = this.#search.published(asked)
      return revision === undefined ? this.#search.missing(asked, revisionFolders(asked)) : { revision }
    })
  }

  /** Returns true unless the revision of an upstream is certainly published nowhere: true if a repository cannot be read. */
  isPublished(upstream: UpstreamFields, namespace: string): boolean {
    const found = this.published(upstream, namespace)
    return 'revision' in found || found.fault.rule !== 'upstream-missing'
  }

  /**
   * Returns the fault of an upstream that is in no folder, although its repository is a folder or the options say where `render` writes the
   * packages of the fleet; undefined if the upstream is found, or may be elsewhere: in a git repository of the options, or in Porch, whose
   * PackageRevisions are compared by the fan-out. The fault is an error if the folder has other revisions of the package, or if the options
   * say where `render` writes, which refuses it; else a warning, since Porch may have a package that the folder lacks. Asks no git.
   */
  missingInFolders(upstream: UpstreamFields, namespace: string): (Fault & { readonly hasOthers: boolean }) | undefined {
    const asked = this.#asked(upstream, namespace)
    const { facts } = asked
    const isElsewhere = facts.options.git !== undefined || this.#fleet.revisions().size > 0
    const found = isElsewhere ? undefined : this.wanted({ upstream, namespace })
    if (found === undefined || 'revision' in found || !MISSING.has(found.fault.rule)) return undefined
    const isRenderedHere = this.#options.out !== undefined
    if (!isRenderedHere && this.#packageSource.beside(`${facts.path}/any`).length === 0) return undefined
    const plain = plainFolder(asked)
    const hasOthers = revisionsAmong(this.#packageSource.beside(plain), plain).length > 0
    return { ...found.fault, severity: hasOthers || isRenderedHere ? 'error' : 'warning', hasOthers }
  }

  /** Returns the folders that may hold an upstream, the likeliest first. */
  foldersOf(upstream: UpstreamFields, namespace: string): readonly string[] {
    const asked = this.#asked(upstream, namespace)
    return [...revisionFolders(asked), plainFolder(asked)]
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
  newest(upstream: UpstreamFields, namespace: string): KnownRevisions {
    const { repo, package: packageName } = upstream
    const asked = this.#asked(upstream, namespace)
    const found = this.wanted({ upstream, namespace })
    if ('fault' in found && found.fault.rule === 'upstream-git') return { asked: asked.names, fault: found.fault }
    const published = publishedRevisions(this.#fleet, namespace, repo, packageName)
    const tags = this.#search.tags(asked)
    const names = [...published, ...revisionNames(asked, { beside: this.#packageSource.beside(plainFolder(asked)), tags })]
    const newest = newestFirst(names, asked.names).find((name) => this.has({ repo, package: packageName, revision: name }, namespace))
    if (newest !== undefined) return { asked: asked.names, newest }
    return { asked: asked.names, ...('fault' in found && { fault: found.fault }) }
  }

  /** Returns the repository, the folder there and the names of a revision, as Kptfiles may have them. */
  address(upstream: UpstreamFields, namespace: string): UpstreamAddress {
    const { facts, packageName, names } = this.#asked(upstream, namespace)
    return { repo: bareRepo(facts.repo), directories: [packageName, joinPath(facts.directory, packageName)], names }
  }

  /** Returns the names that a folder in a repository has in upstreams, by the address of the repository; none for an unknown address. */
  namesOf(at: Pick<GitRevision, 'repo' | 'directory'>, namespace: string): readonly Pick<UpstreamFields, 'repo' | 'package'>[] {
    const known = new Set([...this.#options.repositories.keys(), ...this.#fleet.repositories(namespace).keys(), bareRepo(at.repo)])
    return [...known].flatMap((name) => {
      const { repo, directory } = repositoryFacts(name, namespace, this.#fleet, this.#options.repositories)
      const isBelow = directory === '' || at.directory.startsWith(`${directory}/`)
      if (bareRepo(repo) !== bareRepo(at.repo) || !isDns1123Subdomain(name) || !isBelow) return []
      return [{ repo: name, package: directory === '' ? at.directory : at.directory.slice(directory.length + 1) }]
    })
  }

  /**
   * Returns true if a revision of an upstream package is a PackageRevision, or `wanted` finds it at its name: another state does not count.
   */
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
        ? this.#search.original(this.#askedOriginal(at, { ...upstream, repo }, namespace), at)
        : this.#originalMade(at, tree, { ...upstream, repo }, namespace)
    return this.#remember(['original', namespace, upstream, at, tree], () => {
      const [first, ...others] = this.#formerRepositories(at, upstream, namespace).map((repo) => () => find(repo))
      return others.reduce<UpstreamLookup>((found, next) => ('revision' in found ? found : next()), first?.() ?? find(upstream.repo))
    })
  }

  /**
   * Returns the revision that a Kptfile names, from a repository of the fleet that has the URL of the Kptfile; undefined if none has it.
   */
  named(at: GitRevision & { readonly commit?: string }, namespace: string): UpstreamLookup | undefined {
    const lookups = this.namesOf({ repo: at.repo, directory: bareFolder(at.directory) }, namespace).map((upstream) =>
      this.#remember(['named', namespace, upstream, at], () => this.#search.original(this.#askedOriginal(at, upstream, namespace), at)),
    )
    return lookups.find((lookup) => 'revision' in lookup) ?? lookups[0]
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
      options.git === undefined && this.#packageSource.beside(`${path}/any`).length === 0
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
      const asked = this.#askedOriginal(at, { repo, package: bareFolder(at.directory) }, namespace)
      return [
        this.#remember(['original', namespace, repo, at], () => this.#search.original(asked, at)),
        this.#remember(['folder', namespace, repo, at], () => this.#search.anyRevision(asked)),
      ]
    })
    const [reason] = lookups.flatMap((lookup) => ('fault' in lookup ? lookup.fault.message : []))
    return {
      revisions: lookups.flatMap((lookup) => ('revision' in lookup ? lookup.revision : [])),
      ...(reason !== undefined && { reason }),
    }
  }

  #repositoriesOf(url: string, namespace: string): readonly string[] {
    const bare = bareRepo(url)
    const known = [...this.#options.repositories.keys(), ...this.#fleet.repositories(namespace).keys()]
    const urlOf = (name: string): string => bareRepo(repositoryFacts(name, namespace, this.#fleet, this.#options.repositories).repo)
    const named = [...new Set([...known, ...(isDns1123Subdomain(bare) ? [bare] : [])])].filter((name) => urlOf(name) === bare)
    return named.length > 0 ? named : [...new Set([...known, bare])]
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

  /** Returns a published revision of a package that a variant makes; else the package itself. A branch is not published. */
  #findMade(asked: AskedRevision, made: { readonly maker: FleetVariant; readonly source: SourcePackage }): UpstreamLookup {
    if (holdsSecret(asked.facts.repo)) return { fault: secretFault(asked.facts) }
    const published = this.#search.published(asked)
    if (published !== undefined) return this.#search.sound(published)
    const { facts, names } = asked
    const origin = folderOrigin(names.length > 0 ? asked : { ...asked, names: [facts.branch] })
    return { revision: { origin, ...made } }
  }

  /** Returns the question for the revision that a Kptfile names. */
  #askedOriginal(at: GitRevision, upstream: UpstreamFields, namespace: string): AskedRevision {
    const facts = repositoryFacts(upstream.repo, namespace, this.#fleet, this.#options.repositories)
    const directory = bareFolder(at.directory)
    const isBelow = facts.directory === '' || directory.startsWith(`${facts.directory}/`)
    const packageName = isBelow ? directory.slice(facts.directory === '' ? 0 : facts.directory.length + 1) : upstream.package
    return { facts, packageName, names: namesOfRef(at.ref, directory) }
  }

  #remember(key: readonly unknown[], find: () => UpstreamLookup): UpstreamLookup {
    return remember(this.#lookups, JSON.stringify(key), () => reportingGitFaults(find))
  }
}

/** Returns the lookup; where git failed, or a path leads out of the fleet's folder, a lookup with the fault. */
function reportingGitFaults(find: () => UpstreamLookup): UpstreamLookup {
  try {
    return find()
  } catch (error) {
    if (error instanceof GitError) return { fault: gitFault(error.message) }
    if (error instanceof OutsideError) return { fault: outsideFault(error.message) }
    throw error
  }
}
