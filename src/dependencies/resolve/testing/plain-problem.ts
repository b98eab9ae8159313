import type { Exclusion, Fact, Problem, SolverPackage, SolverRequirement } from '../problem.ts'

/** A small problem as plain values, for tests. */
export interface PlainProblem {
  readonly packages: readonly PlainPackage[]
  readonly facts: readonly Fact[]
  readonly exclusions: readonly Exclusion[]
}

export interface PlainPackage extends SolverPackage {
  /** The requirements of each version. */
  readonly requirements: readonly (readonly SolverRequirement[])[]
}

export function problemOf({ packages, facts, exclusions }: PlainProblem): Problem {
  const known = new Map(packages.map((each) => [each.id, each]))
  return {
    facts,
    exclusions,
    packageOf: (id) => known.get(id) ?? { id, versions: [] },
    requirementsOf: (id, version) => known.get(id)?.requirements[version] ?? [],
  }
}
