import type { DebugLog } from '../../debug-log.ts'
import type { Incompatibility, Term } from './incompatibility.ts'
import type { Assignment, Variable } from './variable.ts'
import { difference, isSubset, type VersionSet } from './version-set.ts'
import { describeIncompatibility, describeValues } from './words.ts'

/** The decisions and derivations of a search, in order (pub's PartialSolution). Each decision begins a new decision level. */
export class PartialSolution {
  readonly trail: Assignment[] = []
  readonly #log: DebugLog | undefined
  #level = 0
  #changed: Variable[] = []

  constructor(log?: DebugLog) {
    this.#log = log
  }

  get level(): number {
    return this.#level
  }

  /** Adds a derivation: the variable loses the values of the term. */
  exclude({ variable, values }: Term, reason: Incompatibility): void {
    this.#assign(variable, variable.values & values, reason)
  }

  /** Adds a decision on a new level: the variable keeps only these of its values. */
  decide(variable: Variable, values: VersionSet): void {
    this.#level++
    this.#assign(variable, difference(variable.values, values), undefined)
  }

  /** Removes every decision and derivation above a level. */
  backjump(level: number): void {
    for (let last = this.trail.at(-1); last !== undefined && last.level > level; last = this.trail.at(-1)) {
      this.trail.pop()
      last.variable.assignments.pop()
      last.variable.values = last.before
    }
    for (const variable of this.#changed) variable.isChanged = false
    this.#changed = []
    this.#level = level
  }

  /** Returns the variables that lost values since the last call. */
  takeChanged(): Variable[] {
    const changed = this.#changed
    this.#changed = []
    for (const variable of changed) variable.isChanged = false
    return changed
  }

  #assign(variable: Variable, excluded: VersionSet, reason: Incompatibility | undefined): void {
    const assignment = { variable, index: this.trail.length, before: variable.values, excluded, level: this.#level, reason }
    this.trail.push(assignment)
    variable.assignments.push(assignment)
    variable.values = difference(variable.values, excluded)
    this.#log?.(describeAssignment(assignment))
    if (variable.isChanged) return
    variable.isChanged = true
    this.#changed.push(variable)
  }
}

/** Returns a line of the derivation log: `level 1, derivation: bar 1.0.0, since foo 1.1.0 requires bar`. */
function describeAssignment({ variable, level, reason }: Assignment): string {
  const values = describeValues(variable)
  return reason === undefined
    ? `level ${level}, decision: ${values}`
    : `level ${level}, derivation: ${values}, since ${describeIncompatibility(reason)}`
}

/** Returns the assignment after which the variable has only values of this set; undefined if that was so before every assignment. */
export function beginningOf(variable: Variable, values: VersionSet): Assignment | undefined {
  return variable.assignments.findLast(({ before }) => !isSubset(before, values))
}

export function levelOf(variable: Variable, values: VersionSet): number {
  return beginningOf(variable, values)?.level ?? 0
}
