import type { Finding } from '../finding.ts'
import type { ObjectEdit } from './writer.ts'

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
