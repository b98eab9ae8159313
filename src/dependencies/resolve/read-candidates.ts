import { compareText } from '../../field-path.ts'
import { Candidate } from './candidate.ts'
import type { Choice, Fact, Problem } from './problem.ts'
import { difference, isSingle, numbersIn, type VersionSet } from './version-set.ts'

/** Returns the packages that the facts lead to, by id, with the requirements of each version that a fact or a requirement allows. */
export function readCandidates(problem: Problem, facts: readonly Fact[]): ReadonlyMap<string, Candidate> {
  const reader = new CandidateReader(problem)
  for (const fact of facts) reader.readFact(fact)
  reader.readReached()
  return reader.sorted()
}

interface Reached {
  readonly candidate: Candidate
  versions: VersionSet
}

class CandidateReader {
  readonly #problem: Problem
  readonly #reached = new Map<string, Reached>()
  /** The reached versions whose requirements are not yet read. A list and no recursion: chains of packages may be long. */
  readonly #unread: { readonly candidate: Candidate; readonly versions: VersionSet }[] = []

  constructor(problem: Problem) {
    this.#problem = problem
  }

  readFact(fact: Fact): void {
    for (const choice of fact.anyOf) this.#reach(choice)
    const [only] = fact.anyOf
    if (only === undefined || fact.anyOf.length > 1 || fact.optional || fact.isLast || !isSingle(only.versions)) return
    const { candidate } = this.#reach(only)
    if (candidate.fixedBy !== undefined) return
    candidate.fixedBy = fact
    candidate.fixedVersion = only.versions
  }

  readReached(): void {
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop()) {
      for (const version of numbersIn(next.versions)) this.#readVersion(next.candidate, version)
    }
  }

  sorted(): ReadonlyMap<string, Candidate> {
    const all = [...this.#reached].sort(([a], [b]) => compareText(a, b)).map(([id, { candidate }]) => [id, candidate] as const)
    for (const [order, [, candidate]] of all.entries()) candidate.order = order
    return new Map(all)
  }

  #readVersion(candidate: Candidate, version: number): void {
    const requirements = this.#problem.requirementsOf(candidate.package.id, version)
    candidate.requirements.set(version, requirements)
    for (const { anyOf } of requirements) for (const choice of anyOf) this.#reach(choice)
  }

  #reach({ package: id, versions }: Choice): Reached {
    const known = this.#reached.get(id)
    const reached = known ?? { candidate: new Candidate(this.#problem.packageOf(id)), versions: 0n }
    if (known === undefined) this.#reached.set(id, reached)
    const fresh = difference(versions, reached.versions)
    if (fresh === 0n) return reached
    reached.versions |= fresh
    this.#unread.push({ candidate: reached.candidate, versions: fresh })
    return reached
  }
}
