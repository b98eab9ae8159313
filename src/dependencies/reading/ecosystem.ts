import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Severities } from '../core-rules.ts'
import type { Finding } from '../finding.ts'
import type { BroughtObject } from '../owners.ts'
import type { NativeInput, Plan } from '../plan/plan.ts'
import type { KindProvider, ServedKinds, Universe } from '../universe.ts'
import type { CatalogPackage } from './catalog.ts'
import type { GroupKind } from './object-identity.ts'
import type { ObjectEdit, Writer } from './writer.ts'

/** A kind that a package brings. */
export interface ProvidedKind extends KindProvider {
  readonly apiVersion: string
  readonly kind: string
  /** True if the package is installed. */
  readonly installed: boolean
}

/** The objects of one ecosystem, as read. */
export interface ReadEcosystem {
  /** The package index; absent in an ecosystem without ranges of versions. */
  readonly universe?: Universe
  /** Returns the findings on the objects themselves. Called at most once. */
  findings(): readonly Finding<string>[]
  /** Returns only the findings that may make doubtful what is required, or which object is which package. Called instead of `findings`. */
  faults(): readonly Finding<string>[]
  readonly provided: readonly ProvidedKind[]
  readonly brought: readonly BroughtObject[]
  /** The resolution, in an ecosystem whose packages are installed by objects. */
  readonly resolving?: Resolving
}

/** The resolution of one ecosystem: the steps of its own operator, and the objects that steps become. */
export interface Resolving {
  readonly writer: Writer
  /** Returns the steps that the operator itself would take. */
  native(input: NativeInput): Plan
  /** Returns the steps of one reconcile of each controller. */
  lifecycle?(kinds: ServedKinds): Lifecycle
  /** Returns the reason why the admission would refuse the change from `before` to these objects; undefined if the change is admitted. */
  refusal?(before: Universe): string | undefined
}

/** The options that every reader gets. */
export interface ReadOptions {
  /** True if packages that are not among items and catalogs are not installed and not known. */
  readonly closed: boolean
  readonly kubernetesVersion?: string | undefined
}

/** A package manager or registry whose packages are read. `Options` are its own options beside the shared ones. */
export interface Ecosystem<Options = object> {
  /** The id, as in catalogs and the tags of results. */
  readonly id: string
  /** The API groups of its own kinds: they are applied before a package, or never. */
  readonly groups: RegExp
  /** Groups of others that it reads beside its own. */
  readonly groupsBeside?: ReadonlySet<string>
  /** Its rules beside the shared ones. */
  readonly rules: Severities
  /** Kinds whose objects end as CustomResourceDefinitions. */
  readonly definitions?: readonly GroupKind[]
  /** Returns the name of an object that only one package may bring, such as `Composition NAME`; definitions need none. */
  readonly contentName?: (object: KrmObject) => string | undefined
  read(objects: readonly KrmObject[], catalog: readonly CatalogPackage[], options: ReadOptions & Options): ReadEcosystem
}

/** The steps and findings of one reconcile of each controller of one ecosystem. */
export interface Lifecycle {
  readonly steps: readonly LifecycleStep[]
  /** The reports of the controllers, and the faults that keep their steps from being predicted. */
  readonly findings: readonly Finding<string>[]
  /** The state of the packages before the steps, for a person to read. */
  readonly packages: readonly PackageState[]
}

/** A package and its parts. */
export interface PackageState {
  /** `Provider helm` */
  readonly name: string
  /** The requested version and the place of the package. */
  readonly at: string
  /** `helm-1 Active, revision 1, current` */
  readonly parts: readonly string[]
}

/** One step of a controller, with its edits of objects. */
export interface LifecycleStep {
  /** `ProviderRevision helm-1 becomes Inactive` */
  readonly what: string
  /** `every revision but the current one is Inactive` */
  readonly why: string
  readonly edits: readonly ObjectEdit[]
}
