import type { Candidate } from './candidate.ts'
import { compareRules, type Rule } from './rule.ts'
import type { RuleBook } from './rule-book.ts'

/** Groups of things that are tied directly or through other things (union-find). */
class Ties<Thing> {
  readonly #parents = new Map<Thing, Thing>()

  tie(things: readonly Thing[]): void {
    const [first, ...others] = things
    if (first === undefined) return
    for (const other of others) {
      const from = this.rootOf(other)
      const to = this.rootOf(first)
      if (from !== to) this.#parents.set(from, to)
    }
  }

  /** Returns the representative of the group of a thing: two things are in one group if they have the same one. */
  rootOf(thing: Thing): Thing {
    let root = thing
    for (let up = this.#parents.get(root); up !== undefined; up = this.#parents.get(root)) {
      // Path halving: later calls have a shorter way.
      const above = this.#parents.get(up)
      if (above !== undefined) this.#parents.set(root, above)
      root = up
    }
    return root
  }
}

/** The rules of one independent part of a problem. */
interface Part {
  readonly rules: Rule[]
  /** The packages with a fixed version that the rules of the part mention. */
  readonly fixed: Set<Candidate>
}

/**
 * Splits the given rules of a problem into independent parts. Two rules are in one part if a chain of requirements connects packages
 * that they mention. A package with a fixed version connects nothing: the fact that fixes the version is in every part that mentions
 * the package, and is a part of its own if no part does.
 * Example: app-a requires foo, app-b requires bar, foo and bar require qux. These are two parts if a fact fixes qux at 1.0.0, else one.
 */
export function splitIntoParts(book: RuleBook): Rule[][] {
  const given = book.given()
  const ties = tieFree(book, given)
  const fixing = new Map(book.facts.flatMap((rule) => fixedBy(rule).map((candidate) => [candidate, rule])))
  const parts = new Map<Candidate | Rule, Part>()
  for (const rule of given) {
    if (fixedBy(rule).length > 0) continue
    const [free] = mentionedBy(rule).filter(isFree)
    const key = free === undefined ? rule : ties.rootOf(free)
    const part = parts.get(key) ?? { rules: [], fixed: new Set() }
    parts.set(key, part)
    part.rules.push(rule)
    addFixed(part, mentionedBy(rule))
  }
  for (const candidate of book.candidates.filter(isFree)) addFixed(parts.get(ties.rootOf(candidate)), targetsOf(candidate, book))
  return withFixing([...parts.values()], fixing)
}

function withFixing(parts: readonly Part[], fixing: ReadonlyMap<Candidate, Rule>): Rule[][] {
  const used = new Set(parts.flatMap(({ fixed }) => [...fixed]))
  const alone = [...fixing].filter(([candidate]) => !used.has(candidate)).map(([, rule]) => [rule])
  const all = [...parts.map(({ rules, fixed }) => [...[...fixed].flatMap((candidate) => fixing.get(candidate) ?? []), ...rules]), ...alone]
  return all.map((rules) => rules.sort(compareRules)).sort(([a], [b]) => (a === undefined || b === undefined ? 0 : compareRules(a, b)))
}

/** Ties packages without a fixed version if one requires the other, or if one given rule mentions both. */
function tieFree(book: RuleBook, given: readonly Rule[]): Ties<Candidate> {
  const ties = new Ties<Candidate>()
  for (const candidate of book.candidates.filter(isFree)) ties.tie([candidate, ...targetsOf(candidate, book).filter(isFree)])
  for (const rule of given) ties.tie(mentionedBy(rule).filter(isFree))
  return ties
}

/** Returns the packages that any version of a package requires. */
function targetsOf({ requirements }: Candidate, book: RuleBook): Candidate[] {
  const ids = new Set<string>()
  for (const each of requirements.values()) for (const { anyOf } of each) for (const choice of anyOf) ids.add(choice.package)
  return [...ids].flatMap((id) => book.candidateOf(id) ?? [])
}

function addFixed(part: Part | undefined, candidates: readonly Candidate[]): void {
  for (const candidate of candidates) if (!isFree(candidate)) part?.fixed.add(candidate)
}

/** Returns the package whose version the rule fixes; none if the rule is no such fact. */
function fixedBy({ cause, choices }: Rule): Candidate[] {
  return choices.map(({ candidate }) => candidate).filter((candidate) => cause.type === 'fact' && candidate.fixedBy === cause.fact)
}

function isFree({ fixedBy }: Candidate): boolean {
  return fixedBy === undefined
}

function mentionedBy({ forbidden, choices, owner }: Rule): Candidate[] {
  return [...forbidden, ...choices, ...(owner === undefined ? [] : [owner])].map(({ candidate }) => candidate)
}
