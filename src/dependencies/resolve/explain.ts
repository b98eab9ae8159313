import { remember } from '../../remember.ts'
import { compareExternal, type ExternalCause, type ExternalIncompatibility, narrowTo } from './external-incompatibility.ts'
import { type Derivation, type Incompatibility, type IncompatibilityCause, resolveTerms, valuesByPackage } from './incompatibility.ts'
import { inProof, type PackageLister, type SearchScope, withAllKnown } from './package-lister.ts'
import type { Budget } from './propagation.ts'
import { Search } from './search.ts'
import { describeExternal, writeSentences } from './sentences.ts'
import { difference, isSingle, numbersIn } from './version-set.ts'

/** The reasons why a part of a problem has no solution. */
export interface UnsolvableExplanation {
  /** The root requirements, requirements and exclusions that contradict each other, root requirements first (`compareExternal`). */
  readonly causes: readonly ExternalCause[]
  /** True if without any one of the causes there would be a solution; false when the steps did not suffice to check each cause. */
  readonly isSmallest: boolean
  /** The proof: each sentence follows from the causes and the sentences before it. */
  readonly sentences: readonly string[]
}

/** A proof with more conclusions is too long to read: one sentence lists the causes instead. */
const MOST_CONCLUSIONS = 100
const MOST_CAUSES = 20

/**
 * Returns the causes of a reduced proof and the proof in sentences. A proof that is too long becomes one sentence that lists the causes.
 */
export function explain(reduction: ProofReduction): UnsolvableExplanation {
  const externals = reduction.externals()
  const proof = directProof(externals) ?? reduction.proof
  const conclusions = derivedBehind(proof).reduce((sum, { cause }) => sum + (cause.type === 'derived' ? cause.resolutions.length : 0), 0)
  const isShort = conclusions <= MOST_CONCLUSIONS
  const sentences = isShort ? writeSentences(derive(proof)) : [summarize(externals)]
  return { causes: externals.map(({ cause }) => cause), isSmallest: reduction.isSmallest, sentences }
}

/**
 * Searches again with the incompatibilities of a proof alone, which gives a shorter proof. Returns undefined when the steps do not suffice.
 */
function directProof(externals: readonly ExternalIncompatibility[]): Incompatibility | undefined {
  const result = new Search(inProof(externals), { steps: 100 * MOST_CONCLUSIONS }).run()
  return result.type === 'unsolvable' ? result.proof : undefined
}

function summarize(externals: readonly ExternalIncompatibility[]): string {
  const shown = externals.slice(0, MOST_CAUSES).map(describeExternal)
  const more = externals.length > MOST_CAUSES ? [`${externals.length - MOST_CAUSES} more like these`] : []
  return `Because of all of this, there is no solution: ${[...shown, ...more].join('; ')}.`
}

/** Removes from a proof the incompatibilities that the proof does not need. */
export class ProofReduction {
  proof: Incompatibility
  /** True if none of the incompatibilities can be removed; false until each incompatibility was tried. */
  isSmallest = false
  #externals: ReadonlySet<ExternalIncompatibility>

  constructor(proof: Incompatibility) {
    this.proof = proof
    this.#externals = externalBehind(proof)
  }

  /** Returns the incompatibilities that the proof uses, in the order of `compareExternal`. */
  externals(): ExternalIncompatibility[] {
    return [...this.#externals].sort(compareExternal)
  }

  /**
   * Removes each incompatibility, and each version of an incompatibility, without which the other incompatibilities still have no solution.
   * Takes steps of the budget. Example: of "foo 1.0.0 to 1.4.0 requires bar" the versions that the proof needs are left, say "foo 1.2.0
   * requires bar".
   */
  reduce(budget: Budget): void {
    if (this.isSmallest) return
    for (const external of this.externals()) if (this.#isDue(external, budget)) this.#shrink(inProof(this.#without(external)), budget)
    for (const external of this.externals()) if (!external.given) this.#narrow(external, budget)
    this.isSmallest = budget.steps > 0
  }

  /**
   * Removes each given incompatibility without which the other given incompatibilities, with the requirements of all known versions, still
   * have no solution.
   */
  reduceGiven(lister: PackageLister, budget: Budget): void {
    for (const external of this.externals().filter(({ given }) => given)) {
      const others = this.#without(external).filter(({ given }) => given)
      if (this.#isDue(external, budget) && this.#shrink(withAllKnown(lister, others), budget)) this.isSmallest = false
    }
  }

  #narrow(external: ExternalIncompatibility, budget: Budget): void {
    let last = external
    for (const version of numbersIn(external.owner?.values ?? 0n)) {
      const values = last.owner?.values ?? 0n
      if (isSingle(values) || !this.#isDue(last, budget)) return
      const narrowed = narrowTo(last, difference(values, 1n << BigInt(version)))
      if (this.#shrink(inProof([...this.#without(last), narrowed]), budget)) last = narrowed
    }
  }

  /** Returns true if the incompatibility is still in the proof and steps are left to try without it. */
  #isDue(external: ExternalIncompatibility, budget: Budget): boolean {
    return budget.steps > 0 && this.#externals.has(external)
  }

  #without(external: ExternalIncompatibility): ExternalIncompatibility[] {
    return [...this.#externals].filter((other) => other !== external)
  }

  /** Replaces the proof by one from the incompatibilities of a scope if the scope has no solution. Returns true if it did. */
  #shrink(scope: SearchScope, budget: Budget): boolean {
    // The cost of building the scope.
    budget.steps -= this.#externals.size
    const result = new Search(scope, budget).run()
    if (result.type !== 'unsolvable') return false
    this.proof = result.proof
    this.#externals = externalBehind(result.proof)
    return true
  }
}

function externalBehind(proof: Incompatibility): Set<ExternalIncompatibility> {
  const externals = new Set<ExternalIncompatibility>()
  const seen = new Set([proof])
  for (const { cause } of seen) {
    if (cause.type === 'external') externals.add(cause.external)
    else for (const each of causesOf(cause)) seen.add(each)
  }
  return externals
}

/**
 * Returns the proof tree of an incompatibility. A search keeps, for a derived incompatibility, the conflict and a list of resolution steps;
 * here each resolution step becomes a conclusion with two causes. An incompatibility that is used twice is one node.
 */
export function derive(proof: Incompatibility): Derivation {
  const derived = new Map<Incompatibility, Derivation>()
  const derivationOf = (incompatibility: Incompatibility): Derivation =>
    remember(derived, incompatibility, () => deriveOne(incompatibility, derivationOf))
  // Oldest first: the causes of an incompatibility are older than the incompatibility itself, so the recursion is never deep.
  for (const each of derivedBehind(proof)) derivationOf(each)
  return derivationOf(proof)
}

function deriveOne({ cause }: Incompatibility, derivationOf: (cause: Incompatibility) => Derivation): Derivation {
  if (cause.type === 'external') return { type: 'external', external: cause.external }
  const terms = valuesByPackage(cause.conflict)
  let derivation = derivationOf(cause.conflict)
  for (const resolution of cause.resolutions) {
    resolveTerms(terms, resolution)
    const left = [...terms].map(([state, values]) => ({ package: state.package, values }))
    derivation = { type: 'conclusion', terms: left, causes: [derivation, derivationOf(resolution.reason)] }
  }
  return derivation
}

function derivedBehind(proof: Incompatibility): Incompatibility[] {
  const numbers = new Map([[proof, numberOf(proof)]])
  for (const [{ cause }] of numbers) {
    if (cause.type === 'external') continue
    for (const each of causesOf(cause)) numbers.set(each, numberOf(each))
  }
  return [...numbers].sort(([, a], [, b]) => a - b).map(([incompatibility]) => incompatibility)
}

function causesOf({ conflict, resolutions }: Extract<IncompatibilityCause, { type: 'derived' }>): Incompatibility[] {
  return [conflict, ...resolutions.map(({ reason }) => reason)]
}

function numberOf({ cause }: Incompatibility): number {
  return cause.type === 'derived' ? cause.number : -1
}
