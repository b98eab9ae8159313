import { debugLog } from '../../debug-log.ts'
import { remember } from '../../remember.ts'
import { explain, ProofReduction, type UnsolvableExplanation } from './explain.ts'
import { compareExternal, type ExternalIncompatibility, type SolverPackage } from './external-incompatibility.ts'
import { PackageLister, TriedVersions, withAllKnown } from './package-lister.ts'
import type { Problem, RootRequirement } from './problem.ts'
import type { Budget } from './propagation.ts'
import { Search, type SearchResult } from './search.ts'

/** The answer to one part of a problem. Parts are independent: no incompatibility of one part can violate an incompatibility of another. */
export interface PartAnswer {
  /** The root requirements of the part. */
  readonly roots: readonly RootRequirement[]
  readonly outcome: SolverOutcome
}

export type SolverOutcome =
  /** The chosen packages by id, each with the number of its version. */
  | { readonly type: 'solved'; readonly versions: ReadonlyMap<string, number> }
  | { readonly type: 'unsolvable'; readonly explanation: UnsolvableExplanation }
  /** The steps of the budget were used up before a solution or a proof was found. */
  | { readonly type: 'exceeded' }

/** The search for one part of a problem. The search stops when its steps are used up and continues with the next `run`. */
class PartSearch {
  /** The proof that there is no solution, to be reduced; undefined unless the search found one. */
  reduction: ProofReduction | undefined
  readonly #given: readonly ExternalIncompatibility[]
  readonly #budget: Budget = { steps: 0 }
  readonly #search: Search
  #result: SearchResult = { type: 'exceeded' }

  constructor(lister: PackageLister, given: readonly ExternalIncompatibility[]) {
    this.#given = given
    const log = debugLog('resolve')
    log?.('search of one independent part, which reads all versions')
    this.#search = new Search(withAllKnown(lister, given), this.#budget, { log })
  }

  get isDone(): boolean {
    return this.#result.type !== 'exceeded'
  }

  /** Continues the search until it is done or has used the given steps. Changes `given` to the steps that are left. */
  run(given: Budget): void {
    this.#budget.steps += given.steps
    this.#result = this.#search.run()
    given.steps = this.#budget.steps
    this.#budget.steps = 0
    if (this.#result.type === 'unsolvable') this.reduction = new ProofReduction(this.#result.proof)
  }

  answer(): PartAnswer {
    return { roots: this.#given.flatMap(({ cause }) => (cause.type === 'root' ? [cause.root] : [])), outcome: this.#outcome() }
  }

  #outcome(): SolverOutcome {
    if (this.reduction !== undefined) return { type: 'unsolvable', explanation: explain(this.reduction) }
    return this.#result.type === 'solved' ? { type: 'solved', versions: byId(this.#result.versions) } : { type: 'exceeded' }
  }
}

/**
 * Returns, for each independent part of a problem, a version for each needed package so that no incompatibility is violated (PubGrub), or
 * the reasons why there is no solution, or `exceeded` when the steps did not suffice.
 *
 * The solution is the preferred one. It answers one question after the other, each with the first answer that leaves a solution:
 * 1. Some needed package has no version: choose the version. `keep` is tried first, unless the package rises; then the list from its start.
 *    Packages that keep their version are asked first, so that no new package moves them; then packages in the order of their ids.
 * 2. Else, some requirement with several choices is not met by a package with a version: try its choices in their order. Root requirements
 *    are asked first, by id; then requirements, by package id and `wants`; then root requirements with `isLast`, even with one choice. From
 *    the first of these on, no package rises.
 * 3. Else, all other packages are absent.
 * A package is needed if it is the only choice of a requirement of a root requirement or of a chosen version, or if step 2 chose it.
 *
 * So every chosen package is needed by a root requirement or another package, and the order of the input does not matter.
 * The solution is stable: if the chosen versions are installed and solved again, the same versions are chosen. An installed version moves
 * no question forward, except the questions of packages that keep their version, and a version that the others exclude is never chosen.
 *
 * @param maxSteps  the most steps that all parts together may take (see `Budget`)
 */
export function satisfy(problem: Problem, { maxSteps }: { readonly maxSteps: number }): PartAnswer[] {
  const lister = new PackageLister(problem)
  const budget = { steps: maxSteps }
  const parts = splitIntoParts(lister).map((given) => new PartSearch(lister, given))
  for (let open = parts; open.length > 0 && budget.steps > 0; open = open.filter((part) => !part.isDone)) {
    shareOut(budget, open, (part, own) => part.run(own))
  }
  const reductions = parts.flatMap(({ reduction }) => reduction ?? [])
  reduceAll(reductions, lister, { left: budget, searched: maxSteps - budget.steps })
  return parts.map((part) => part.answer())
}

/** The steps that suffice to reduce the proof of any problem that a person wrote. */
const LEAST_STEPS = 10_000

/**
 * Reduces the proofs, first among their own incompatibilities, then the given incompatibilities against all known versions, then again
 * among their own. The second reduction costs as much as a search for each incompatibility, so it gets at most the steps that the search
 * took (or LEAST_STEPS).
 */
function reduceAll(
  reductions: readonly ProofReduction[],
  lister: PackageLister,
  { left, searched }: { left: Budget; searched: number },
): void {
  shareOut(left, reductions, (reduction, own) => reduction.reduce(own))
  const again = { steps: Math.min(left.steps, Math.max(searched, LEAST_STEPS)) }
  left.steps -= again.steps
  shareOut(again, reductions, (reduction, own) => reduction.reduceGiven(lister, own))
  shareOut(left, reductions, (reduction, own) => reduction.reduce(own))
}

function byId(versions: ReadonlyMap<SolverPackage, number>): ReadonlyMap<string, number> {
  return new Map([...versions].sort(([a], [b]) => a.order - b.order).map(([pkg, version]) => [pkg.id, version]))
}

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

/** The incompatibilities of one independent part of a problem. */
interface Part {
  readonly externals: ExternalIncompatibility[]
  /** The packages with a fixed version that the incompatibilities of the part mention. */
  readonly fixed: Set<SolverPackage>
}

/**
 * Splits the given incompatibilities of a problem into independent parts. Two incompatibilities are in one part if a chain of requirements
 * connects packages that they mention. A package with a fixed version connects nothing: the root requirement that fixes the version is in
 * every part that mentions the package, and is a part of its own if no part does.
 * Example: app-a requires foo, app-b requires bar, foo and bar require qux. These are two parts if a root requirement fixes qux at 1.0.0,
 * else one.
 */
function splitIntoParts(lister: PackageLister): ExternalIncompatibility[][] {
  const given = lister.given()
  const ties = tieFree(lister, given)
  const fixing = new Map(lister.roots.flatMap((external) => fixedBy(external).map((pkg) => [pkg, external])))
  const parts = new Map<SolverPackage | ExternalIncompatibility, Part>()
  for (const external of given) {
    if (fixedBy(external).length > 0) continue
    const [free] = mentionedBy(external).filter(isFree)
    const key = free === undefined ? external : ties.rootOf(free)
    const part = remember(parts, key, (): Part => ({ externals: [], fixed: new Set() }))
    part.externals.push(external)
    addFixed(part, mentionedBy(external))
  }
  for (const pkg of lister.packages.filter(isFree)) addFixed(parts.get(ties.rootOf(pkg)), requiredBy(pkg, lister))
  return withFixing([...parts.values()], fixing)
}

function withFixing(parts: readonly Part[], fixing: ReadonlyMap<SolverPackage, ExternalIncompatibility>): ExternalIncompatibility[][] {
  const used = new Set(parts.flatMap(({ fixed }) => [...fixed]))
  const alone = [...fixing].filter(([pkg]) => !used.has(pkg)).map(([, external]) => [external])
  const all = [...parts.map(({ externals, fixed }) => [...[...fixed].flatMap((pkg) => fixing.get(pkg) ?? []), ...externals]), ...alone]
  return all
    .map((externals) => externals.sort(compareExternal))
    .sort(([a], [b]) => (a === undefined || b === undefined ? 0 : compareExternal(a, b)))
}

/** Ties packages without a fixed version if one requires the other, or if one given incompatibility mentions both. */
function tieFree(lister: PackageLister, given: readonly ExternalIncompatibility[]): Ties<SolverPackage> {
  const ties = new Ties<SolverPackage>()
  for (const pkg of lister.packages.filter(isFree)) ties.tie([pkg, ...requiredBy(pkg, lister).filter(isFree)])
  for (const external of given) ties.tie(mentionedBy(external).filter(isFree))
  return ties
}

/** Returns the packages that any version of a package requires. */
function requiredBy({ requirements }: SolverPackage, lister: PackageLister): SolverPackage[] {
  const ids = new Set<string>()
  for (const each of requirements.values()) for (const { anyOf } of each) for (const choice of anyOf) ids.add(choice.package)
  return [...ids].flatMap((id) => lister.packageOf(id) ?? [])
}

function addFixed(part: Part | undefined, packages: readonly SolverPackage[]): void {
  for (const pkg of packages) if (!isFree(pkg)) part?.fixed.add(pkg)
}

/** Returns the package whose version the incompatibility fixes; none for any other incompatibility. */
function fixedBy({ cause, choices }: ExternalIncompatibility): SolverPackage[] {
  return choices.map(({ package: pkg }) => pkg).filter((pkg) => cause.type === 'root' && pkg.fixedBy === cause.root)
}

function isFree({ fixedBy }: SolverPackage): boolean {
  return fixedBy === undefined
}

function mentionedBy({ terms, choices, owner }: ExternalIncompatibility): SolverPackage[] {
  return [...terms, ...choices, ...(owner === undefined ? [] : [owner])].map(({ package: pkg }) => pkg)
}

/**
 * Calls `work` for each item with an equal share of the steps that are left, so that a hard item does not use the steps of easy items.
 * Steps that an item does not use are shared by the items after it. Changes `budget`.
 */
function shareOut<Item>(budget: Budget, items: readonly Item[], work: (item: Item, own: Budget) => void): void {
  for (const [index, item] of items.entries()) {
    const share = Math.max(0, budget.steps / (items.length - index))
    const own = { steps: share }
    work(item, own)
    budget.steps += own.steps - share
  }
}

/** The number of conflicts after which `firstLook` ends without a result and leaves the problem to `satisfy`. */
const MOST_CONFLICTS = 3

/**
 * Returns the preferred solution, by package id, if a search finds it with at most a few conflicts, as is nearly always the case.
 * Returns undefined otherwise: the problem may have a solution or none.
 * Reads the requirements of the versions that are tried only: a catalog may have a hundred times as many.
 */
export function firstLook(problem: Problem, maxSteps: number): ReadonlyMap<string, number> | undefined {
  const log = debugLog('resolve')
  log?.('first look, which reads the versions that it tries')
  const result = new Search(new TriedVersions(problem), { steps: maxSteps }, { mostConflicts: MOST_CONFLICTS, log }).run()
  if (result.type !== 'solved') return undefined
  return new Map([...result.versions].map(([pkg, version]) => [pkg.id, version]))
}
