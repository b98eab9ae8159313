import { type Incompatibility, type Resolution, resolveTerms, type Terms, termOf, termsOf } from './incompatibility.ts'
import { levelOf, type PartialSolution } from './partial-solution.ts'
import type { Assignment } from './variable.ts'

/** What a conflict teaches. */
export interface Lesson {
  /** Without terms: there is no solution. */
  readonly learned: Incompatibility
  /** How far to go back: there all terms of the lesson but one still hold. */
  readonly level: number
}

/**
 * Finds why all terms of an incompatibility hold: goes back along the trail and replaces each term that followed from others
 * by those, until only one of them belongs to the last choice involved (PubGrub's conflict resolution).
 */
export function resolveConflict(conflict: Incompatibility, solution: PartialSolution, number: number): Lesson {
  const terms = termsOf(conflict)
  const resolutions: Resolution[] = []
  for (let index = solution.trail.length - 1; index >= 0 && terms.size > 0; index--) {
    const assignment = solution.trail[index]
    if (assignment === undefined || !beganToHold(assignment, terms)) continue
    const level = levelWithout(assignment, terms)
    if (assignment.reason === undefined || level < assignment.level) return { learned: learn(conflict, terms, resolutions, number), level }
    const resolution = { on: assignment.variable, reason: assignment.reason }
    resolveTerms(terms, resolution)
    resolutions.push(resolution)
  }
  return { learned: learn(conflict, terms, resolutions, number), level: 0 }
}

/** Whether a term began to hold with the assignment. Those that began later have been replaced already. */
function beganToHold({ variable, before }: Assignment, terms: Terms): boolean {
  const values = terms.get(variable)
  return values !== undefined && (before & values) !== before
}

/** The level on which everything held that makes the terms hold together with this assignment. */
function levelWithout(assignment: Assignment, terms: Terms): number {
  if (assignment.level === 0) return 0
  let level = 0
  for (const [variable, values] of terms) {
    const needed = variable === assignment.variable ? values | assignment.excluded : values
    level = Math.max(level, levelOf(variable, needed))
    if (level >= assignment.level) break
  }
  return level
}

function learn(conflict: Incompatibility, terms: Terms, resolutions: readonly Resolution[], number: number): Incompatibility {
  if (resolutions.length === 0) return conflict
  const left = [...terms].map(([variable, values]) => termOf(variable, values))
  return { terms: left, origin: { type: 'learned', number, conflict, resolutions } }
}
