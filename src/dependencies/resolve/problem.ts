import type { VersionSet } from './version-set.ts'

/** What `satisfy` is asked. It compares no versions: which of them a range admits is decided by whoever asks. */
export interface Problem {
  /** What must hold whatever is chosen: requirements of users' objects, and the objects that stay as they are. */
  readonly facts: readonly Fact[]
  readonly exclusions: readonly Exclusion[]
  /** The package of an id; one of which nothing is known has no versions. */
  packageOf(id: string): SolverPackage
  /** What a version requires. Asked once for each version that something admits. */
  requirementsOf(id: string, version: number): readonly SolverRequirement[]
}

export interface SolverPackage {
  readonly id: string
  /** As users write them, the one to prefer first. */
  readonly versions: readonly string[]
  /** The number of the version to prefer to all others, unless the package `rises`, because it is there already. */
  readonly keep?: number | undefined
  /** Where somebody needs it, the first of the list is preferred to the one to keep. */
  readonly rises?: boolean | undefined
}

/** Some versions of a package. */
export interface Choice {
  readonly package: string
  readonly versions: VersionSet
}

/** One of several choices must be there: a range has one, `or` and provided kinds have several, the best first. */
export interface VersionDemand {
  readonly anyOf: readonly Choice[]
  /** Also met when a package of the choices is absent. */
  readonly optional?: boolean | undefined
}

/** What a version of a package requires. */
export interface SolverRequirement extends VersionDemand {
  /** What is required, as a noun: `pkg.b >=2.0.0`. */
  readonly wants: string
  /** Where nothing meets it, why, as what follows that noun: `, of which 1.0.0 is known`. Asked for explanations. */
  readonly lack?: (() => string) | undefined
}

export interface Fact extends VersionDemand {
  /** Unique; facts are looked at in the order of their ids. */
  readonly id: string
  /** Asked when nothing else is: what is there although nobody may need it decides nothing about what is needed. */
  readonly isLast?: boolean | undefined
  /** A whole sentence: `team-a/app requires pkg.b >=2.0.0`, `team-a/b keeps pkg.b at 1.0.0`. */
  readonly text: string
}

/** What must not be there together. */
export interface Exclusion {
  readonly id: string
  /** A whole sentence: `at most one of a and b can be installed`. */
  readonly text: string
  readonly together: readonly Choice[]
}
