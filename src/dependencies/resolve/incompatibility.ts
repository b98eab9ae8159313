import type { ExternalIncompatibility, SolverPackage, Term } from './external-incompatibility.ts'
import { fitsLowBits, isSubset, lowBits, type VersionSet } from './version-set.ts'

/** A term with the state of its package in one search. */
export interface BoundTerm extends Term {
  readonly state: PackageState
  /** The first 30 of the values as a number; most comparisons need no more. */
  readonly low: number
}

export function boundTerm(state: PackageState, values: VersionSet): BoundTerm {
  return { package: state.package, state, values, low: lowBits(values) }
}

/**
 * Terms that must not all hold, with at most one term for each package (pub's Incompatibility).
 * "foo 1.1.0 requires bar ^1.0.0", where bar has 2.0.0 and 1.0.0, is the incompatibility {foo is 1.1.0, bar is 2.0.0 or absent}.
 * An incompatibility without terms is violated by every choice of versions: there is no solution.
 */
export interface Incompatibility {
  readonly terms: readonly BoundTerm[]
  readonly cause: IncompatibilityCause
}

export type IncompatibilityCause =
  | { readonly type: 'external'; readonly external: ExternalIncompatibility }
  /** Derived from a conflict: the violated incompatibility, resolved with one reason after the other. */
  | {
      readonly type: 'derived'
      readonly number: number
      readonly conflict: Incompatibility
      readonly resolutions: readonly ResolutionStep[]
    }

/** A resolution with an incompatibility `reason`, on a package that both incompatibilities mention. */
export interface ResolutionStep {
  readonly on: PackageState
  readonly reason: Incompatibility
}

/** A node of a proof tree: an incompatibility, or a conclusion from two other nodes. */
export type Derivation = { readonly type: 'external'; readonly external: ExternalIncompatibility } | Conclusion

/** A conclusion from two other nodes. */
export interface Conclusion {
  readonly type: 'conclusion'
  readonly terms: readonly Term[]
  readonly causes: readonly [Derivation, Derivation]
}

/** The terms of an incompatibility during conflict resolution, by package. */
export type TermValues = Map<PackageState, VersionSet>

/** Returns true if every value that the package can still have is a value of the term: the partial solution satisfies the term. */
export function holds({ state, values, low }: BoundTerm): boolean {
  return (state.low & low) === state.low && (state.isSmall || isSubset(state.values, values))
}

/** Returns true if no value that the package can still have is a value of the term: the partial solution contradicts the term. */
export function fails({ state, values, low }: BoundTerm): boolean {
  return (state.low & low) === 0 && (state.isSmall || (state.values & values) === 0n)
}

export function valuesByPackage({ terms }: Incompatibility): TermValues {
  return new Map(terms.map(({ state, values }) => [state, values]))
}

/**
 * Resolves the terms with the reason of a derivation on the package `on` (pub's rule of resolution). Changes `terms`.
 * The values of `on` are united, those of every other package are intersected. A term that allows every value is dropped.
 * {bar is 1.0.0, foo is not 1.0.0} with {foo is 1.1.0, bar is absent} on bar, which is 1.0.0 or absent: {foo is 1.1.0}.
 */
export function resolveTerms(terms: TermValues, { on, reason }: ResolutionStep): void {
  for (const { state, values } of reason.terms) {
    const known = terms.get(state)
    if (state === on) setUnlessAll(terms, state, values | (known ?? 0n))
    else terms.set(state, known === undefined ? values : known & values)
  }
}

function setUnlessAll(terms: TermValues, state: PackageState, values: VersionSet): void {
  if (values === state.package.values) terms.delete(state)
  else terms.set(state, values)
}

/** A package during one search: the values that it can still have, and the assignments that removed the others. */
export class PackageState {
  readonly package: SolverPackage
  readonly assignments: Assignment[] = []
  readonly watches: Watch[] = []
  /** True if `low` holds all values, because there are at most 30. */
  readonly isSmall: boolean
  low = 0
  /** True if the package lost values that `propagate` has not handled. */
  isChanged = false
  #values = 0n

  constructor(pkg: SolverPackage) {
    this.package = pkg
    this.isSmall = fitsLowBits(pkg.labels.length + 1)
    this.values = pkg.values
  }

  get values(): VersionSet {
    return this.#values
  }

  set values(values: VersionSet) {
    this.#values = values
    this.low = lowBits(values)
  }
}

/** A decision or derivation: the values that a package lost (pub's Assignment). */
export interface Assignment {
  readonly state: PackageState
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
 * derivation, so it is checked only when the package of one of the two loses values.
 */
export interface Watch {
  readonly incompatibility: Incompatibility
  first: BoundTerm
  second: BoundTerm
  readonly others: BoundTerm[]
}
