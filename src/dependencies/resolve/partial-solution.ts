import type { DebugLog } from '../../debug-log.ts'
import type { Assignment, BoundTerm, Incompatibility, PackageState } from './incompatibility.ts'
import { describeIncompatibility, describeValues } from './sentences.ts'
import { difference, isSubset, type VersionSet } from './version-set.ts'

/** The decisions and derivations of a search, in order (pub's PartialSolution). Each decision begins a new decision level. */
export class PartialSolution {
  readonly trail: Assignment[] = []
  readonly #log: DebugLog | undefined
  #level = 0
  #changed: PackageState[] = []

  constructor(log?: DebugLog) {
    this.#log = log
  }

  get level(): number {
    return this.#level
  }

  /** Adds a derivation: the package loses the values of the term. */
  exclude({ state, values }: BoundTerm, reason: Incompatibility): void {
    this.#assign(state, state.values & values, reason)
  }

  /** Adds a decision on a new level: the package keeps only these of its values. */
  decide(state: PackageState, values: VersionSet): void {
    this.#level++
    this.#assign(state, difference(state.values, values), undefined)
  }

  /** Removes every decision and derivation above a level. */
  backjump(level: number): void {
    for (let last = this.trail.at(-1); last !== undefined && last.level > level; last = this.trail.at(-1)) {
      this.trail.pop()
      last.state.assignments.pop()
      last.state.values = last.before
    }
    for (const state of this.#changed) state.isChanged = false
    this.#changed = []
    this.#level = level
  }

  /** Returns the packages that lost values since the last call. */
  takeChanged(): PackageState[] {
    const changed = this.#changed
    this.#changed = []
    for (const state of changed) state.isChanged = false
    return changed
  }

  #assign(state: PackageState, excluded: VersionSet, reason: Incompatibility | undefined): void {
    const assignment = { state, index: this.trail.length, before: state.values, excluded, level: this.#level, reason }
    this.trail.push(assignment)
    state.assignments.push(assignment)
    state.values = difference(state.values, excluded)
    this.#log?.(describeAssignment(assignment))
    if (state.isChanged) return
    state.isChanged = true
    this.#changed.push(state)
  }
}

/** Returns a line of the derivation log: `level 1, derivation: bar 1.0.0, since foo 1.1.0 requires bar`. */
function describeAssignment({ state, level, reason }: Assignment): string {
  const values = describeValues(state)
  return reason === undefined
    ? `level ${level}, decision: ${values}`
    : `level ${level}, derivation: ${values}, since ${describeIncompatibility(reason)}`
}

/** Returns the assignment after which the package has only values of this set; undefined if that was so before every assignment. */
export function beginningOf(state: PackageState, values: VersionSet): Assignment | undefined {
  return state.assignments.findLast(({ before }) => !isSubset(before, values))
}

export function levelOf(state: PackageState, values: VersionSet): number {
  return beginningOf(state, values)?.level ?? 0
}
