import type { Rule } from './rule.ts'
import type { Variable } from './variable.ts'
import { isSubset, lowBits, type VersionSet } from './version-set.ts'

/** The statement that a variable has one of these values (pub's Term): `foo is 1.1.0 or absent`. */
export interface Term {
  readonly variable: Variable
  readonly values: VersionSet
  /** The first 30 of the values as a number; most comparisons need no more. */
  readonly low: number
}

export function termOf(variable: Variable, values: VersionSet): Term {
  return { variable, values, low: lowBits(values) }
}

/**
 * Terms that must not all hold, with at most one term for each variable (pub's Incompatibility).
 * "foo 1.1.0 requires bar ^1.0.0", where bar has 2.0.0 and 1.0.0, is the incompatibility {foo is 1.1.0, bar is 2.0.0 or absent}.
 * An incompatibility without terms is violated by every choice of versions: there is no solution.
 */
export interface Incompatibility {
  readonly terms: readonly Term[]
  readonly origin: IncompatibilityCause
}

export type IncompatibilityCause =
  | { readonly type: 'rule'; readonly rule: Rule }
  /** Learned from a conflict: the violated incompatibility, resolved with one reason after the other. */
  | {
      readonly type: 'learned'
      readonly number: number
      readonly conflict: Incompatibility
      readonly resolutions: readonly ResolutionStep[]
    }

/** A resolution with an incompatibility `reason`, on a variable that both incompatibilities mention. */
export interface ResolutionStep {
  readonly on: Variable
  readonly reason: Incompatibility
}

/** The terms of an incompatibility during conflict resolution, by variable. */
export type Terms = Map<Variable, VersionSet>

/** Returns true if every value that the variable can still have is a value of the term: the partial solution satisfies the term. */
export function holds({ variable, values, low }: Term): boolean {
  return (variable.low & low) === variable.low && (variable.isSmall || isSubset(variable.values, values))
}

/** Returns true if no value that the variable can still have is a value of the term: the partial solution contradicts the term. */
export function fails({ variable, values, low }: Term): boolean {
  return (variable.low & low) === 0 && (variable.isSmall || (variable.values & values) === 0n)
}

export function termsOf({ terms }: Incompatibility): Terms {
  return new Map(terms.map(({ variable, values }) => [variable, values]))
}

/**
 * Resolves the terms with the reason of a derivation on the variable `on` (pub's rule of resolution). Changes `terms`.
 * The values of `on` are united, those of every other variable are intersected. A term that allows every value is dropped.
 * {bar is 1.0.0, foo is not 1.0.0} with {foo is 1.1.0, bar is absent} on bar, which is 1.0.0 or absent: {foo is 1.1.0}.
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
