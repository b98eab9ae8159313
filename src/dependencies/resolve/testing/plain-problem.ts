import type { Exclusion, Problem, ProblemPackage, RootRequirement, SolverRequirement } from '../problem.ts'

/** A small problem as plain values, for tests. */
export interface PlainProblem {
  readonly packages: readonly PlainPackage[]
  readonly roots: readonly RootRequirement[]
  readonly exclusions: readonly Exclusion[]
}

export interface PlainPackage extends ProblemPackage {
  /** The requirements of each version. */
  readonly requirements: readonly (readonly SolverRequirement[])[]
}

export function problemOf({ packages, roots, exclusions }: PlainProblem): Problem {
  const known = new Map(packages.map((each) => [each.id, each]))
  return {
    roots,
    exclusions,
    packageOf: (id) => known.get(id) ?? { id, versions: [] },
    requirementsOf: (id, version) => known.get(id)?.requirements[version] ?? [],
  }
}
