import type { Candidate } from './candidate.ts'
import type { Incompatibility, Term } from './incompatibility.ts'
import { fitsLowBits, lowBits, type VersionSet } from './version-set.ts'

/** A candidate during one search: the values that it can still take, and why it lost the others. */
export class Variable {
  readonly candidate: Candidate
  readonly assignments: Assignment[] = []
  readonly watches: Watch[] = []
  /** Whether `low` is all there is of its values. */
  readonly isSmall: boolean
  low = 0
  /** Whether it waits to be propagated. */
  isChanged = false
  #values = 0n

  constructor(candidate: Candidate) {
    this.candidate = candidate
    this.isSmall = fitsLowBits(candidate.package.versions.length + 1)
    this.values = candidate.values
  }

  get values(): VersionSet {
    return this.#values
  }

  set values(values: VersionSet) {
    this.#values = values
    this.low = lowBits(values)
  }
}

/** Values that a variable lost. */
export interface Assignment {
  readonly variable: Variable
  /** Its place on the trail. */
  readonly index: number
  readonly before: VersionSet
  readonly excluded: VersionSet
  readonly level: number
  /** Absent when it was chosen. */
  readonly reason: Incompatibility | undefined
}

/**
 * An incompatibility as two of its variables see it. As long as neither of the two terms holds, nothing follows from it,
 * so no other variable has to look at it.
 */
export interface Watch {
  readonly incompatibility: Incompatibility
  first: Term
  second: Term
  readonly others: Term[]
}
