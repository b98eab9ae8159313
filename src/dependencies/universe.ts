import type { JsonValue } from '../json.ts'
import type { Version } from '../versions/version.ts'
import type { FieldPlace } from './place.ts'

/** What a requirement says about versions: the text as written, read in the dialect of its ecosystem. */
export interface Range {
  readonly text: string
  readonly literals: readonly Version[]
  /** Whether a version that is there satisfies the requirement. */
  accepts(version: Version): boolean
  /** Whether the system would choose the version for it: Carvel leaves prereleases out that it would accept. */
  selects(version: Version): boolean
}

/** A package that can be required. There is one Target for each identity, so targets are compared with `===`. */
export interface PackageTarget {
  /** Unique among the targets of a universe. */
  readonly key: string
  /** refName, source, manifest name or instance: what users call it. */
  readonly id: string
  /** `id`, with where it is when that is not the usual place: unique among the targets of a universe. */
  readonly name: string
  /** Where the kinds that it requires are looked for, in a system in which that makes a difference: the namespace, in Carvel. */
  readonly scope?: string | undefined
  /** Versions known to exist, highest first; empty: nothing is known. */
  readonly versions: readonly Version[]
  /** The same versions, each with what it would require. */
  readonly known: readonly KnownVersion[]
  /** What the content of a digest would require; undefined: not known. */
  requirementsAt(digest: string): readonly Requirement[] | undefined
  /** Where it is installed; mostly once. */
  readonly installs: readonly Install[]
}

/** A version that exists, with what it would require. */
export interface KnownVersion {
  readonly version: Version
  /** Undefined: not known. Read when first asked for: of most versions of a large catalog it never is. */
  readonly requirements: readonly Requirement[] | undefined
}

/** A package that is there. */
export interface Install {
  readonly target: PackageTarget
  /** Undefined: it cannot be told which version is there. */
  readonly version?: Version | undefined
  /** What stands where a version is expected: a digest, or a tag that is no version. */
  readonly text: string
  readonly digest?: string | undefined
  /** The name of its object. */
  readonly name: string
  /** The field that says which version is there. */
  readonly place: FieldPlace
  /** The whole new value of that field for another version or digest. */
  readonly fieldFor: (text: string) => JsonValue
  /** Made for somebody who needs it, and not edited by a person since. */
  readonly generated: boolean
  /** The name of the object it was made for, where the system records it. */
  readonly owner?: string | undefined
  /** Whether an object says its version, so that the version can be set: a Lock only records one. An install with a digest moves with `strategy: native` alone. */
  readonly movable: boolean
  /** Whether what it requires is known. */
  readonly metadataKnown: boolean
}

export interface PackageRequirement {
  readonly type: 'package'
  readonly target: PackageTarget
  /** Absent: every version. */
  readonly range?: Range | undefined
  /** `sha256:…`: exactly this content (Crossplane). */
  readonly digest?: string | undefined
  readonly optional: boolean
  /** It must be there; nothing is installed for it (Carvel `install: false`). */
  readonly validateOnly: boolean
  readonly place: FieldPlace
  /** A name of its own, with which one package may be required twice. */
  readonly alias?: string | undefined
}

/** A kind by its apiVersion, or by the name of its definition, `plural.group` (seed 003). */
export type WantedKind = { readonly apiVersion: string; readonly kind: string } | { readonly definition: string }

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

/** A range of versions of what the packages run on. */
export interface PlatformRequirement {
  readonly type: 'platform'
  /** `Crossplane ">=v1.20.0"` */
  readonly wants: string
  readonly met: boolean
  readonly optional: false
  readonly place: FieldPlace
}

export type Requirement = PackageRequirement | GvkRequirement | AlternativesRequirement | PlatformRequirement

/** A package whose requirements count: it is installed, or being written. */
export interface Dependent {
  /** As messages name it: `pkg.example.com 1.0.0`. */
  readonly name: string
  /** `name` without its version. */
  readonly id: string
  /** What others require when they require it; absent for a package being written. */
  readonly target?: PackageTarget | undefined
  /** Where it is installed; absent for a package being written. */
  readonly install?: Install | undefined
  readonly place: FieldPlace
  readonly requirements: readonly Requirement[]
}

/** Everything one ecosystem has, as plain values. Universes never mix: one system's package never satisfies another's requirement. */
export interface Universe {
  /** Its id: what results name in their tags. */
  readonly ecosystem: string
  /** The dialect's name, for the tags of results. */
  readonly dialect: string
  readonly compare: (a: Version, b: Version) => number
  readonly dependents: readonly Dependent[]
  readonly installs: readonly Install[]
  /** Whether a target is one of its own. */
  readonly owns: (target: PackageTarget) => boolean
  /** Whether what is not seen to be installed is not installed. */
  readonly closed: boolean
  /** What a missing package of which no version is known is called in a closed universe. */
  readonly unknownMissing: 'dependency-missing' | 'no-version-available'
  /** `; did you mean 'ID'?` for a package of which nothing is known, or nothing. */
  readonly suggest: (id: string) => string
  /** Whether the system would choose the version for a requirement without a range. */
  readonly chooses: (version: Version) => boolean
  /** The name of the object that is made to install a version or digest. */
  readonly objectName: (target: PackageTarget, text: string) => string
  /** What can be there once only. */
  readonly exclusive?: (target: PackageTarget) => Exclusive | undefined
  /** What the system does when packages require each other in a circle. */
  readonly cycleConsequence?: string
}

/** What can be there once only: in some of its versions it excludes every other install of the id of its target. */
export interface Exclusive {
  /** Why, as part of a sentence: `pkg.a is onePerCluster`. */
  readonly reason: string
  applies(version: Version): boolean
}

/** Which kinds the cluster has, and which packages would bring one; the only thing that ecosystems share. */
export interface ServedKinds {
  serves(wanted: WantedKind): boolean
  /** Whether the kind is there whatever packages are. */
  servesAnyway(wanted: WantedKind): boolean
  /** Packages known to provide the kind, by their names. */
  providersOf(wanted: WantedKind): readonly KindProvider[]
  /** The packages that a requirer would get the kind from, by their names, each with its versions that provide it. */
  targetsOf(wanted: WantedKind, requirer: PackageTarget | undefined): ReadonlyMap<PackageTarget, ReadonlySet<string>>
}

/** A package that provides a kind, and where it says so. */
export interface KindProvider {
  /** The package, with its version where that matters. */
  readonly by: string
  readonly place: () => FieldPlace
  /** The package that a requirer would get the kind from: the same for all of one scope. */
  readonly targetFor: (requirer: PackageTarget | undefined) => PackageTarget | undefined
  /** The version of it that provides the kind. */
  readonly version: string
}
