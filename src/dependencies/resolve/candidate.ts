import { compareText } from '../../field-path.ts'
import type { Fact, SolverPackage, SolverRequirement } from './problem.ts'
import { firstVersions, type VersionSet } from './version-set.ts'

/** A package with its possible values: each of its versions, and absent. */
export class Candidate {
  readonly package: SolverPackage
  readonly versions: VersionSet
  readonly absent: VersionSet
  /** Every version, and absent. */
  readonly values: VersionSet
  /** The index of the package when all are sorted by id; 0 in `firstLook`, which does not know all packages. */
  order = 0
  /** The fact that allows one version only, if there is one. */
  fixedBy: Fact | undefined
  /** The version that `fixedBy` allows; empty without `fixedBy`. */
  fixedVersion: VersionSet = 0n
  /** The requirements of each version that a fact or a requirement allows, by the number of the version. */
  readonly requirements = new Map<number, readonly SolverRequirement[]>()

  constructor(known: SolverPackage) {
    this.package = known
    this.versions = firstVersions(known.versions.length)
    this.absent = this.versions + 1n
    this.values = this.versions | this.absent
  }
}

/** Orders packages that keep their installed version before all others; packages of each group by id. */
export function compareAsked(a: Candidate, b: Candidate): number {
  return Number(isKept(b)) - Number(isKept(a)) || compareCandidates(a, b)
}

function isKept({ package: { keep, rises } }: Candidate): boolean {
  return keep !== undefined && !rises
}

/** Orders packages by id, so that the order of the input does not matter. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return a.order - b.order || compareText(a.package.id, b.package.id)
}

/** Some values of a candidate. */
export interface CandidateVersions {
  readonly candidate: Candidate
  readonly values: VersionSet
}
