import type { Finding } from '../finding.ts'
import type { ObjectEdit } from './writer.ts'

/** What the controllers of one ecosystem do when each looks once at what is there. */
export interface Lifecycle {
  readonly steps: readonly LifecycleStep[]
  /** What they would report, and what keeps them from being predicted; with an error nothing is to be done. */
  readonly findings: readonly Finding<string>[]
  /** What is there of the packages before that, for a person. */
  readonly packages: readonly PackageState[]
}

/** A package and what belongs to it. */
export interface PackageState {
  /** `Provider helm` */
  readonly name: string
  /** What it asks for, and where it is. */
  readonly at: string
  /** `helm-1 Active, revision 1, current` */
  readonly parts: readonly string[]
}

/** One thing that a controller does, with what it means for the objects. */
export interface LifecycleStep {
  /** `ProviderRevision helm-1 becomes Inactive` */
  readonly what: string
  /** `every revision but the current one is Inactive` */
  readonly why: string
  readonly edits: readonly ObjectEdit[]
}
