import type { Candidate } from './candidate.ts'
import type { Incompatibility, Term } from './incompatibility.ts'
import { fitsLowBits, lowBits, type VersionSet } from './version-set.ts'

/** A candidate during one search: the values that it can still have, and the assignments that removed the others. */
export class Variable {
  readonly candidate: Candidate
  readonly assignments: Assignment[] = []
  readonly watches: Watch[] = []
  /** True if `low` holds all values, because there are at most 30. */
  readonly isSmall: boolean
  low = 0
  /** True if the variable lost values that `propagate` has not handled. */
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

/** A decision or derivation: the values that a variable lost (pub's Assignment). */
export interface Assignment {
  readonly variable: Variable
  /** The index in the partial solution. */
  readonly index: number
  readonly before: VersionSet
  readonly excluded: VersionSet
  readonly level: number
  /** The incompatibility of a derivation; undefined for a decision. */
  readonly reason: Incompatibility | undefined
}

/**
 * An incompatibility with the two of its terms that are watched. As long as neither of the two holds, the incompatibility makes no
 * derivation, so it is checked only when the variable of one of the two loses values.
 */
export interface Watch {
  readonly incompatibility: Incompatibility
  first: Term
  second: Term
  readonly others: Term[]
}
