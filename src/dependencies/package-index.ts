import type { JsonValue } from '../json.ts'
import { remember } from '../remember.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Version } from '../versions/version.ts'
import type { FieldPlace } from './finding.ts'

/** A range of versions: the text as written, and its meaning in the dialect of its ecosystem. */
export interface Range {
  readonly text: string
  readonly literals: readonly Version[]
  /** Returns true if an installed version satisfies the requirement. */
  accepts(version: Version): boolean
  /** Returns true if the package manager would choose the version: Carvel accepts installed prereleases that it would not choose. */
  selects(version: Version): boolean
}

/** A package that can be required. There is one package for each identity, so packages are compared with `===`. */
export interface Package {
  /** Unique among the packages of an index. */
  readonly key: string
  /** The name that users write: refName, source, manifest name or instance. */
  readonly id: string
  /** `id`, with its place if that is not the usual one: unique among the packages of an index. */
  readonly name: string
  /** The scope in which the kinds that the package requires are searched: the namespace, in Carvel; undefined elsewhere. */
  readonly scope?: string | undefined
  /** The versions known to exist, highest first; empty: none is known. */
  readonly versions: readonly Version[]
  /** The same versions, each with its requirements. */
  readonly known: readonly KnownVersion[]
  /** Returns the requirements of the content of a digest; undefined: not known. */
  requirementsAt(digest: string): readonly Requirement[] | undefined
  /** The installs of the package, usually at most one. */
  readonly installs: readonly Install[]
}

/** A version that exists, with its requirements. */
export interface KnownVersion {
  readonly version: Version
  /** The requirements; undefined: not known. Read when first needed, which is never for most versions of a large catalog. */
  readonly requirements: readonly Requirement[] | undefined
}

/** An installed package. */
export interface Install {
  readonly package: Package
  /** The installed version; undefined: not known. */
  readonly version?: Version | undefined
  /** The text of the version field: a version, a digest, or a tag that is no version. */
  readonly text: string
  readonly digest?: string | undefined
  /** The name of its object. */
  readonly name: string
  /** The object itself; an entry of a Lock has none. */
  readonly object?: KrmObject | undefined
  /** The field with the version. */
  readonly place: FieldPlace
  /** Returns the whole new value of this field for another version or digest. */
  readonly fieldFor: (text: string) => JsonValue
  /** True if the install was made to meet a requirement, and no person edited it since. */
  readonly generated: boolean
  /** The name of the object that the install was made for, if the ecosystem records it. */
  readonly owner?: string | undefined
  /**
   * True if the owner was read, or is known to be removed: then all that requires the install was read, too. False if the owner may be
   * elsewhere, or if no owner is recorded although the ecosystem records owners; undefined in an ecosystem without owners.
   */
  readonly isOwnerKnown?: boolean | undefined
  /** The reason why a generated object must not be removed, as a clause: people edited the object, or may have. Read with `prune` only. */
  readonly keptBecause?: string | undefined
  /**
   * True if an object has the version in a field that can be set; a Lock only records one. An install with a digest moves only with
   * `strategy: native`.
   */
  readonly movable: boolean
  /**
   * The reason why the package manager moves the install by itself, as a clause: `has no version: …`. Undefined for an install that stays
   * at its version until a person changes the version (seed 004, version pinning).
   */
  readonly follows?: string | undefined
  /** True if the requirements of the install are known. */
  readonly metadataKnown: boolean
}

export interface PackageRequirement {
  readonly type: 'package'
  readonly package: Package
  /** Absent: every version. */
  readonly range?: Range | undefined
  /** `sha256:…`: exactly this content (Crossplane). */
  readonly digest?: string | undefined
  readonly optional: boolean
  /** True if the package must be installed already: nothing is installed to meet the requirement (Carvel `install: false`). */
  readonly validateOnly: boolean
  readonly place: FieldPlace
  /** The name of the requirement; one package may be required twice under two names. */
  readonly alias?: string | undefined
}

/** A kind by its apiVersion. */
export type KindOfApi = { readonly apiVersion: string; readonly kind: string }

/** A kind by its apiVersion, or by the name of its definition, `plural.group` (seed 003). */
export type WantedKind = KindOfApi | { readonly definition: string }

export interface GvkRequirement {
  readonly type: 'gvk'
  readonly wanted: WantedKind
  readonly optional: boolean
  readonly place: FieldPlace
}

export interface AlternativesRequirement {
  readonly type: 'alternatives'
  readonly alternatives: readonly Requirement[]
  readonly optional: boolean
  readonly place: FieldPlace
}

/** A range of versions of the platform that the packages run on. */
export interface PlatformRequirement {
  readonly type: 'platform'
  /** `Crossplane ">=v1.20.0"` */
  readonly wants: string
  readonly met: boolean
  /** The rule that reports it of an install, where no other rule on the object does. */
  readonly rule?: 'dependency-cycle' | 'scope-mismatch'
  readonly optional: false
  readonly place: FieldPlace
}

export type Requirement = PackageRequirement | GvkRequirement | AlternativesRequirement | PlatformRequirement

/** A package whose requirements are checked: an installed package, or a package whose source is in the list. */
export interface Dependent {
  /** As messages name it: `pkg.example.com 1.0.0`. */
  readonly name: string
  /** `name` without its version. */
  readonly id: string
  /** The package that others require; absent for a package being written. */
  readonly package?: Package | undefined
  /** The install of the package; absent for a package being written. */
  readonly install?: Install | undefined
  readonly place: FieldPlace
  readonly requirements: readonly Requirement[]
}

/**
 * The package index of one ecosystem: its packages, installs and requirements as plain values. Indexes never mix: a package of one
 * ecosystem never satisfies a requirement of another.
 */
export interface PackageIndex {
  /** The id of the ecosystem, as in the tags of results. */
  readonly ecosystem: string
  /** The dialect's name, for the tags of results. */
  readonly dialect: string
  readonly compare: (a: Version, b: Version) => number
  readonly dependents: readonly Dependent[]
  readonly installs: readonly Install[]
  /** Returns true if a package is one of this index. */
  readonly owns: (pkg: Package) => boolean
  /** True if a package that is not seen to be installed is not installed. */
  readonly closed: boolean
  /** The rule that reports a missing package without known versions in a closed index. */
  readonly unknownMissing: 'dependency-missing' | 'no-version-available'
  /** Returns true for a package that the cluster has, as the user says, though no object shows it. Its version is not known. */
  readonly isProvided: (pkg: Package) => boolean
  /** Returns `; did you mean 'ID'?` for an unknown package, or an empty text. The package that requires it is never the one meant. */
  readonly suggest: (id: string, requirer?: string) => string
  /** Returns `; ID, the same path from another registry, is installed` for a missing package, or an empty text. */
  readonly elsewhere?: (pkg: Package) => string
  /** Returns true if the package manager would choose the version for a requirement without a range. */
  readonly chooses: (version: Version) => boolean
  /** Returns the version that the repository of an install calls the latest; absent: the highest version is the latest. */
  readonly latest?: (install: Install) => string | undefined
  /** Returns the name of the object that is made to install a version or digest. */
  readonly objectName: (pkg: Package, text: string) => string
  /** Returns the exclusion of a package that can be installed only once. */
  readonly exclusive?: (pkg: Package) => Exclusive | undefined
  /** The package manager's reaction to packages that require each other, as a clause. */
  readonly cycleConsequence?: string
}

/** The exclusion of a package: some of its versions exclude every other install with the same id. */
export interface Exclusive {
  /** The reason, as a clause: `pkg.a is onePerCluster`. */
  readonly reason: string
  applies(version: Version): boolean
}

/** The kinds that the cluster serves, and the packages that provide kinds. The ecosystems share nothing else. */
export interface ServedKinds {
  serves(wanted: WantedKind): boolean
  /** Returns true if the kind is served without any package. */
  servesAnyway(wanted: WantedKind): boolean
  /** Returns the packages known to provide the kind, sorted by name. */
  providersOf(wanted: WantedKind): readonly KindProvider[]
  /** Returns the packages that would provide the kind to a requirer, sorted by name, each with the versions that provide the kind. */
  packagesOf(wanted: WantedKind, requirer: Package | undefined): ReadonlyMap<Package, ReadonlySet<string>>
}

/** A package that provides a kind, and the place that lists the kind. */
export interface KindProvider {
  /** The name of the package, with its version if needed. */
  readonly by: string
  readonly place: () => FieldPlace
  /** Returns the package that would provide the kind to a requirer: the same for all requirers of one scope. */
  readonly packageFor: (requirer: Package | undefined) => Package | undefined
  /** The version that provides the kind. */
  readonly version: string
}

/** Returns true if an install meets a requirement. An install of unknown version meets every range. */
export function isMetBy({ version, digest, text }: Pick<Install, 'version' | 'digest' | 'text'>, requirement: PackageRequirement): boolean {
  if (requirement.digest !== undefined) return digest === requirement.digest
  if (requirement.range === undefined) return true
  return version === undefined ? digest === undefined && text === '' : requirement.range.accepts(version)
}

/** Returns true if the package manager would choose a version to meet a requirement. */
export function isChosenFor(version: Version, { range }: PackageRequirement, { chooses }: PackageIndex): boolean {
  return range === undefined ? chooses(version) : range.selects(version)
}

/** Returns the requirements of a version, by its text, or of a digest; undefined if they are not known. */
export function requirementsOf(pkg: Package, text: string): readonly Requirement[] | undefined {
  const known = pkg.known.find(({ version }) => version.text === text)
  return known === undefined ? pkg.requirementsAt(text) : known.requirements
}

/** A requirement without alternatives. */
export type Leaf = Exclude<Requirement, AlternativesRequirement>

/** Returns the leaves of a requirement's alternatives in their order; a requirement without alternatives is its only leaf. */
export function leavesOf(requirement: Requirement): Leaf[] {
  return requirement.type === 'alternatives' ? requirement.alternatives.flatMap(leavesOf) : [requirement]
}

/** Returns the requirements on packages among the leaves of a requirement. */
export function packagesIn(requirement: Requirement): PackageRequirement[] {
  return leavesOf(requirement).filter((leaf) => leaf.type === 'package')
}

/** The packages of an index, one for each key, with their installs. */
export interface PackageTable {
  package(identity: PackageIdentity): Package
  /** Returns the package of a key if its name was asked for before. */
  find(key: string): Package | undefined
  /** Adds an install to its package. */
  install(install: Install): Install
  readonly installs: readonly Install[]
  owns(pkg: Package): boolean
}

/** The identity of a package, and the functions that read the package's versions and requirements. */
export interface PackageIdentity {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly scope?: string
  /** Returns the known versions, highest first. Called once, when the versions are first needed. */
  readonly versions: () => readonly Version[]
  /** Returns the requirements of a version, by its text, or of a digest; undefined if unknown. Called when they are first needed. */
  readonly requirements: (text: string) => readonly Requirement[] | undefined
}

/** Returns an empty table of packages. A package is made when its name is asked for first. */
export function packageTable(): PackageTable {
  const packages = new Map<string, LazyPackage>()
  const installs: Install[] = []
  return {
    installs,
    owns: (pkg) => packages.get(pkg.key) === pkg,
    find: (key) => packages.get(key),
    package: (identity) => remember(packages, identity.key, () => new LazyPackage(identity)),
    install: (install) => {
      packages.get(install.package.key)?.installs.push(install)
      installs.push(install)
      return install
    },
  }
}

// Most packages of a large catalog are never in conflict, so their versions are never parsed.
class LazyPackage implements Package {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly scope: string | undefined
  readonly installs: Install[] = []
  readonly #identity: PackageIdentity
  #versions: readonly Version[] | undefined
  #known: readonly KnownVersion[] | undefined

  constructor(identity: PackageIdentity) {
    this.key = identity.key
    this.id = identity.id
    this.name = identity.name
    this.scope = identity.scope
    this.#identity = identity
  }

  get versions(): readonly Version[] {
    this.#versions ??= this.#identity.versions()
    return this.#versions
  }

  get known(): readonly KnownVersion[] {
    this.#known ??= this.versions.map((version) => new LazyVersion(version, this.#identity))
    return this.#known
  }

  requirementsAt(digest: string): readonly Requirement[] | undefined {
    return this.#identity.requirements(digest)
  }
}

class LazyVersion implements KnownVersion {
  readonly version: Version
  readonly #identity: PackageIdentity
  #requirements: { readonly read: readonly Requirement[] | undefined } | undefined

  constructor(version: Version, identity: PackageIdentity) {
    this.version = version
    this.#identity = identity
  }

  get requirements(): readonly Requirement[] | undefined {
    this.#requirements ??= { read: this.#identity.requirements(this.version.text) }
    return this.#requirements.read
  }
}
