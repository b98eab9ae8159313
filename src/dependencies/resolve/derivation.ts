import { type Incompatibility, resolveTerms, type Term, termOf, termsOf } from './incompatibility.ts'
import type { Rule } from './rule.ts'

/** A node of a proof tree: a rule, or a conclusion from two other nodes. */
export type Derivation = { readonly type: 'rule'; readonly rule: Rule } | Conclusion

export interface Conclusion {
  readonly type: 'conclusion'
  readonly terms: readonly Term[]
  readonly causes: readonly [Derivation, Derivation]
}

/**
 * Returns the proof tree of an incompatibility. A search keeps, for a learned incompatibility, the conflict and a list of resolution steps;
 * here each resolution step becomes a conclusion with two causes. An incompatibility that is used twice is one node.
 */
export function derive(proof: Incompatibility): Derivation {
  const derived = new Map<Incompatibility, Derivation>()
  const derivationOf = (incompatibility: Incompatibility): Derivation => {
    const known = derived.get(incompatibility) ?? deriveOne(incompatibility, derivationOf)
    derived.set(incompatibility, known)
    return known
  }
  // Oldest first: the causes of an incompatibility are older than the incompatibility itself, so the recursion is never deep.
  for (const learned of lessonsBehind(proof)) derivationOf(learned)
  return derivationOf(proof)
}

/** Returns the number of conclusions that `derive` would make. */
export function countConclusions(proof: Incompatibility): number {
  return lessonsBehind(proof).reduce((sum, { origin }) => sum + (origin.type === 'learned' ? origin.resolutions.length : 0), 0)
}

function deriveOne({ origin }: Incompatibility, derivationOf: (cause: Incompatibility) => Derivation): Derivation {
  if (origin.type === 'rule') return { type: 'rule', rule: origin.rule }
  const terms = termsOf(origin.conflict)
  let derivation = derivationOf(origin.conflict)
  for (const resolution of origin.resolutions) {
    resolveTerms(terms, resolution)
    const left = [...terms].map(([variable, values]) => termOf(variable, values))
    derivation = { type: 'conclusion', terms: left, causes: [derivation, derivationOf(resolution.reason)] }
  }
  return derivation
}

function lessonsBehind(proof: Incompatibility): Incompatibility[] {
  const numbers = new Map([[proof, numberOf(proof)]])
  for (const [{ origin }] of numbers) {
    if (origin.type === 'rule') continue
    for (const cause of [origin.conflict, ...origin.resolutions.map(({ reason }) => reason)]) numbers.set(cause, numberOf(cause))
  }
  return [...numbers].sort(([, a], [, b]) => a - b).map(([incompatibility]) => incompatibility)
}

function numberOf({ origin }: Incompatibility): number {
  return origin.type === 'learned' ? origin.number : -1
}
