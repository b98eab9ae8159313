import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Severities } from '../core-rules.ts'
import type { Finding } from '../finding.ts'
import type { BroughtObject } from '../owners.ts'
import type { NativeInput, Plan } from '../plan/plan.ts'
import type { KindProvider, ServedKinds, Universe } from '../universe.ts'
import type { CatalogPackage } from './catalog.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { GroupKind } from './object-identity.ts'
import type { Writer } from './writer.ts'

/** A kind that a package brings. */
export interface ProvidedKind extends KindProvider {
  readonly apiVersion: string
  readonly kind: string
  /** Whether the package is installed; else it would have to be. */
  readonly installed: boolean
}

/** What one ecosystem's objects come to. */
export interface ReadEcosystem {
  /** What requires what; absent where nothing requires a version in a range. */
  readonly universe?: Universe
  /** What is wrong with the objects themselves; asked for once, or not at all where it is known already. */
  findings(): readonly Finding<string>[]
  /** What of that makes it doubtful what is required, or which object is which; in its place, where nothing else is to be told. */
  faults(): readonly Finding<string>[]
  readonly provided: readonly ProvidedKind[]
  readonly brought: readonly BroughtObject[]
  /** Where packages are installed by objects. */
  readonly resolving?: Resolving
}

/** How an ecosystem resolves: as its own operator does, and what objects it makes. */
export interface Resolving {
  readonly writer: Writer
  /** What the operator itself would do, step by step. */
  native(input: NativeInput): Plan
  /** What the controllers would do of themselves with the objects that are there, in one reconcile of each. */
  lifecycle?(kinds: ServedKinds): Lifecycle
  /** Why the system would refuse a change that leads here from what was before; undefined: it would not. */
  refusal?(before: Universe): string | undefined
}

/** What every ecosystem is told of what is there. */
export interface ReadOptions {
  /** Whether items, catalogs and the cluster are all there is. */
  readonly closed: boolean
  readonly kubernetesVersion?: string | undefined
}

/** One system that installs packages. `Options` are those of its own beside the shared ones. */
export interface Ecosystem<Options = object> {
  /** As catalogs and the tags of results name it. */
  readonly id: string
  /** The API groups of its own kinds: they are applied before a package, or never. */
  readonly groups: RegExp
  /** Groups of others that it reads beside its own. */
  readonly groupsBeside?: ReadonlySet<string>
  /** Its rules beside the shared ones. */
  readonly rules: Severities
  /** Kinds whose objects end as CustomResourceDefinitions. */
  readonly definitions?: readonly GroupKind[]
  /** What an object is called that only one package may bring, such as `Composition NAME`; definitions have their name without it. */
  readonly contentName?: (object: KrmObject) => string | undefined
  read(objects: readonly KrmObject[], catalog: readonly CatalogPackage[], options: ReadOptions & Options): ReadEcosystem
}
