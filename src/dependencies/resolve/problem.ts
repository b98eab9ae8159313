import type { VersionSet } from './version-set.ts'

/** The input of `satisfy`. The solver compares no versions: the caller decides which versions a range admits. */
export interface Problem {
  /** The requirements that hold whatever is chosen: requirements of users' objects, and objects that keep their version. */
  readonly roots: readonly RootRequirement[]
  readonly exclusions: readonly Exclusion[]
  /** Returns the package of an id. A package of which nothing is known has no versions. */
  packageOf(id: string): ProblemPackage
  /** Returns the requirements of a version, by its number. Called for versions only that a root requirement or a requirement allows. */
  requirementsOf(id: string, version: number): readonly SolverRequirement[]
}

export interface ProblemPackage {
  readonly id: string
  /** The versions as users write them, the most preferred first. */
  readonly versions: readonly string[]
  /** The number of the installed version. It is preferred to all others, unless the package `rises`. */
  readonly keep?: number | undefined
  /** True if the first version of the list is preferred to `keep` where a root requirement without `isLast` leads to the package. */
  readonly rises?: boolean | undefined
}

/** Some versions of a package. */
export interface PackageRange {
  readonly package: string
  readonly versions: VersionSet
}

/** A requirement for one of several choices. A range has one choice; `or` and provided kinds have several, the most preferred first. */
export interface RangeRequirement {
  readonly anyOf: readonly PackageRange[]
  /** True if the requirement is also met when a package of the choices is absent. */
  readonly optional?: boolean | undefined
}

/** A requirement of a version of a package. */
export interface SolverRequirement extends RangeRequirement {
  /** The required thing, as a noun: `pkg.b >=2.0.0`. */
  readonly wants: string
  /**
   * Returns the reason why nothing meets the requirement, as words after the noun: `, of which 1.0.0 is known`. Called for explanations
   * only.
   */
  readonly lack?: (() => string) | undefined
}

export interface RootRequirement extends RangeRequirement {
  /** A unique id; root requirements are handled in the order of their ids. */
  readonly id: string
  /**
   * True if the root requirement is handled after all other questions, so that an installed package that may be unneeded decides nothing
   * about the others.
   */
  readonly isLast?: boolean | undefined
  /** A whole sentence: `team-a/app requires pkg.b >=2.0.0`, `team-a/b keeps pkg.b at 1.0.0`. */
  readonly text: string
}

/** Choices that must not all be installed at the same time. */
export interface Exclusion {
  readonly id: string
  /** A whole sentence: `at most one of a and b can be installed`. */
  readonly text: string
  readonly together: readonly PackageRange[]
}
