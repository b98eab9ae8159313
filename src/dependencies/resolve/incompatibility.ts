import type { Rule } from './rule.ts'
import type { Variable } from './variable.ts'
import { isSubset, lowBits, type VersionSet } from './version-set.ts'

/** That a variable takes one of these values. */
export interface Term {
  readonly variable: Variable
  readonly values: VersionSet
  /** The first of the values; mostly they decide. */
  readonly low: number
}

export function termOf(variable: Variable, values: VersionSet): Term {
  return { variable, values, low: lowBits(values) }
}

/** Terms that cannot all hold, at most one for each variable. With no term at all nothing can be right. */
export interface Incompatibility {
  readonly terms: readonly Term[]
  readonly origin: IncompatibilityCause
}

export type IncompatibilityCause =
  | { readonly type: 'rule'; readonly rule: Rule }
  /** Learned from a conflict: what was violated, resolved with one reason after the other. */
  | {
      readonly type: 'learned'
      readonly number: number
      readonly conflict: Incompatibility
      readonly resolutions: readonly ResolutionStep[]
    }

/** The variable that two incompatibilities are about, and the second of them. */
export interface ResolutionStep {
  readonly on: Variable
  readonly reason: Incompatibility
}

/** Values by variable: the terms of an incompatibility while it is worked out. */
export type Terms = Map<Variable, VersionSet>

/** Whether the term holds whatever is chosen from here. */
export function holds({ variable, values, low }: Term): boolean {
  return (variable.low & low) === variable.low && (variable.isSmall || isSubset(variable.values, values))
}

/** Whether the term cannot hold any more. */
export function fails({ variable, values, low }: Term): boolean {
  return (variable.low & low) === 0 && (variable.isSmall || (variable.values & values) === 0n)
}

export function termsOf({ terms }: Incompatibility): Terms {
  return new Map(terms.map(({ variable, values }) => [variable, values]))
}

/**
 * Resolves the terms with a reason why a variable lacks values: what holds in neither case, the variable in one set or in the other.
 * Changes `terms`.
 */
export function resolveTerms(terms: Terms, { on, reason }: ResolutionStep): void {
  for (const { variable, values } of reason.terms) {
    const known = terms.get(variable)
    if (variable === on) setUnlessAll(terms, variable, values | (known ?? 0n))
    else terms.set(variable, known === undefined ? values : known & values)
  }
}

function setUnlessAll(terms: Terms, variable: Variable, values: VersionSet): void {
  if (values === variable.candidate.values) terms.delete(variable)
  else terms.set(variable, values)
}
