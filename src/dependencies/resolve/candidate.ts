import { compareText } from '../../field-path.ts'
import type { Fact, SolverPackage, SolverRequirement } from './problem.ts'
import { firstVersions, type VersionSet } from './version-set.ts'

/** A package with the values that it can take: each of its versions, and being absent. */
export class Candidate {
  readonly package: SolverPackage
  readonly versions: VersionSet
  readonly absent: VersionSet
  /** Every version, and being absent. */
  readonly values: VersionSet
  /** Its place among all, by id; 0 as long as not all are known. */
  order = 0
  /** The fact that leaves it one version. */
  fixedBy: Fact | undefined
  /** That version, or none. */
  fixedVersion: VersionSet = 0n
  /** What the versions require that something may choose. */
  readonly requirements = new Map<number, readonly SolverRequirement[]>()

  constructor(known: SolverPackage) {
    this.package = known
    this.versions = firstVersions(known.versions.length)
    this.absent = this.versions + 1n
    this.values = this.versions | this.absent
  }
}

/** What is there and may stay before all others; these by id. */
export function compareAsked(a: Candidate, b: Candidate): number {
  return Number(isKept(b)) - Number(isKept(a)) || compareCandidates(a, b)
}

function isKept({ package: { keep, rises } }: Candidate): boolean {
  return keep !== undefined && !rises
}

/** By id, wherever they stand in the input. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return a.order - b.order || compareText(a.package.id, b.package.id)
}

/** Some values of a candidate. */
export interface CandidateVersions {
  readonly candidate: Candidate
  readonly values: VersionSet
}
