import type { DebugLog } from '../../debug-log.ts'
import { remember } from '../../remember.ts'
import { Agenda, type ChoiceQuestion, type Question, type VersionQuestion } from './agenda.ts'
import { type ExternalIncompatibility, isLast, type SolverPackage, type Term } from './external-incompatibility.ts'
import {
  type Assignment,
  boundTerm,
  fails,
  holds,
  type Incompatibility,
  type PackageState,
  type ResolutionStep,
  resolveTerms,
  type TermValues,
  valuesByPackage,
} from './incompatibility.ts'
import type { SearchScope } from './package-lister.ts'
import { levelOf, PartialSolution } from './partial-solution.ts'
import { type Budget, KnownIncompatibilities, LOOK, propagate } from './propagation.ts'
import { describeConclusion, describeIncompatibility, describeValues } from './sentences.ts'
import { firstPreferred, hasVersion, isSingle, numbersIn } from './version-set.ts'

/** The result of conflict resolution. */
interface Resolution {
  /** The derived incompatibility. Without terms: there is no solution. */
  readonly derived: Incompatibility
  /** The decision level to jump back to: there all terms of `derived` but one still hold, so the last term is derived not to hold. */
  readonly level: number
}

/** The settings of a search that most searches leave out. */
export interface SearchSettings {
  /** The number of conflicts after which the search ends with `exceeded`. */
  readonly mostConflicts?: number
  /** Receives each decision, derivation and conflict; `KRM_VARIANTS_DEBUG=resolve` turns the log on. */
  readonly log?: DebugLog | undefined
}

export type SearchResult =
  /** The chosen packages, each with the number of its version. */
  | { readonly type: 'solved'; readonly versions: ReadonlyMap<SolverPackage, number> }
  /** The proof is an incompatibility without terms. */
  | { readonly type: 'unsolvable'; readonly proof: Incompatibility }
  | { readonly type: 'exceeded' }

/**
 * The number of conflicts after which a search reads the requirements of all versions of needed packages, not only of those it tries.
 * That is more to read, but propagation then finds a conflict at once, not after many decisions that would have to be made again.
 */
const READ_AHEAD_AFTER = 3

/**
 * A search for the preferred solution with PubGrub, the algorithm of pub's version solver.
 *
 * Each package has one value: one of its versions, or "absent". An incompatibility is a list of terms that must not all hold. The partial
 * solution is a list of decisions (a version that the search chose) and derivations (values that a package lost because of an
 * incompatibility). The main loop of `run` repeats:
 * 1. Unit propagation (propagation.ts): if all terms of an incompatibility but one hold, derive that the last does not hold.
 * 2. If all terms of an incompatibility hold, there is a conflict. Conflict resolution (`resolveConflict`) finds the cause of the
 *    conflict as a new incompatibility, and the search jumps back to a decision level on which the cause makes a derivation.
 *    If the new incompatibility has no terms, there is no solution, and the incompatibility is the proof.
 * 3. Otherwise decide the next question (agenda.ts). The requirements of a version are read just before the version is decided.
 *    If no question is left, the decisions are the solution.
 *
 * Example. `app` requires `foo ^1.0.0`; foo has 2.0.0, 1.1.0 and 1.0.0. foo 1.1.0 requires `bar ^1.0.0`; bar has 1.0.0 only, which
 * requires `foo =1.0.0`. foo 1.0.0 requires nothing.
 *
 * | level | step       | what is added                                    | cause                                                   |
 * |-------|------------|--------------------------------------------------|---------------------------------------------------------|
 * | 0     | derivation | foo is not 2.0.0 and not absent                  | A: {foo is 2.0.0 or absent}, the requirement of `app`   |
 * | 0     | reading    | B: {foo is 1.1.0, bar is absent}                 | foo 1.1.0 is preferred, so its requirements are read    |
 * | 1     | decision   | foo is 1.1.0                                     |                                                         |
 * | 1     | derivation | bar is not absent, so bar is 1.0.0               | B                                                       |
 * | 1     | reading    | C: {bar is 1.0.0, foo is 2.0.0, 1.1.0 or absent} | bar 1.0.0 is preferred                                  |
 * | 1     | conflict   | C: both terms hold                               |                                                         |
 * | 0     | resolution | D: {foo is 1.1.0}                                | C and B, resolved on bar                                |
 * | 0     | derivation | foo is not 1.1.0, so foo is 1.0.0                | D                                                       |
 *
 * In the resolution, the last derivation that C depends on is "bar is 1.0.0", from B. Resolving C with B on bar gives D, which mentions the
 * decision "foo is 1.1.0" alone. Without this decision no term of D holds, so the search jumps back to level 0, where D excludes foo 1.1.0.
 * bar is no longer needed. No question is left after foo 1.0.0: the solution is foo 1.0.0, and bar is absent.
 * If foo had no version 1.0.0, D and A would leave foo no value: resolving D with A on foo gives {}, the proof that there is no solution.
 *
 * Two things differ from pub. The questions are asked in the order of preference and depend on answers alone, so the search
 * passes over a value only if the earlier answers exclude it, and the first solution that it finds is the preferred one.
 * And incompatibilities are read late, so a derivation that a backjump removed is made again if it still follows
 * (`KnownIncompatibilities.backjump`).
 */
export class Search {
  readonly #scope: SearchScope
  readonly #budget: Budget
  readonly #solution: PartialSolution
  readonly #incompatibilities: KnownIncompatibilities
  readonly #agenda = new Agenda()
  readonly #versionQuestions = new Map<SolverPackage, VersionQuestion>()
  readonly #choiceQuestions = new Map<ExternalIncompatibility, ChoiceQuestion>()
  readonly #mostConflicts: number
  readonly #log: DebugLog | undefined
  #conflicts = 0

  /**
   * Adds the incompatibilities and questions of the root requirements.
   *
   * @param budget  the steps of the search; the caller may add steps between two calls of `run`
   */
  constructor(scope: SearchScope, budget: Budget, { mostConflicts = Number.POSITIVE_INFINITY, log }: SearchSettings = {}) {
    this.#scope = scope
    this.#budget = budget
    this.#mostConflicts = mostConflicts
    this.#log = log
    this.#solution = new PartialSolution(log)
    this.#incompatibilities = new KnownIncompatibilities(this.#solution, budget)
    this.#incompatibilities.addExternal(scope.roots)
    for (const question of this.#raisedBy(scope.roots)) this.#agenda.need(question)
  }

  /** Searches until there is a solution or a proof, or until the steps are used up. With more steps a later call continues the search. */
  run(): SearchResult {
    while (this.#budget.steps > 0 && this.#conflicts <= this.#mostConflicts) {
      const conflict = this.#incompatibilities.takeConflict() ?? propagate(this.#solution, this.#budget)
      const proof = conflict === undefined ? undefined : this.#deriveFrom(conflict)
      if (proof !== undefined) return this.#ended({ type: 'unsolvable', proof })
      if (conflict !== undefined) continue
      const question = this.#agenda.next()
      if (question === undefined) return this.#ended({ type: 'solved', versions: this.#versions() })
      this.#budget.steps--
      if (question.type === 'version') this.#askVersion(question)
      else this.#askChoice(question)
    }
    return this.#ended({ type: 'exceeded' })
  }

  #ended(result: SearchResult): SearchResult {
    if (result.type === 'solved') this.#log?.(`solution: ${this.#agenda.present().map(describeValues).join(', ') || 'nothing is needed'}`)
    else this.#log?.(result.type === 'unsolvable' ? 'no solution' : 'no result yet: the steps or conflicts of this search are used up')
    return result
  }

  /** Adds the incompatibility that follows from a conflict and jumps back. Returns the proof if there is no solution. */
  #deriveFrom(conflict: Incompatibility): Incompatibility | undefined {
    const { derived, level } = resolveConflict(conflict, this.#solution, this.#conflicts++)
    this.#log?.(`level ${this.#solution.level}, conflict: ${describeIncompatibility(conflict)}`)
    if (derived.terms.length === 0) return derived
    this.#log?.(`back to level ${level}, learned: ${describeConclusion(derived.terms)}`)
    this.#budget.steps -= LOOK * derived.terms.length
    this.#solution.backjump(level)
    this.#agenda.backjump(level)
    this.#incompatibilities.backjump(level)
    if (derived === conflict) this.#incompatibilities.conclude(derived)
    else this.#incompatibilities.add(derived)
    if (this.#conflicts === READ_AHEAD_AFTER) for (const question of this.#versionQuestions.values()) this.#readAhead(question)
    return undefined
  }

  /**
   * Reads the requirements of the preferred version that is left. If they are known, decides the version. If the version is the only value,
   * answers the question.
   */
  #askVersion(question: VersionQuestion): void {
    const { state } = question
    const version = this.#preferred(state)
    const needed = question.neededBy.get(version)
    if (needed === undefined) this.#lookAt(question, version)
    else if (isSingle(state.values)) this.#answer(question, needed)
    else this.#solution.decide(state, 1n << BigInt(version))
  }

  /** Returns the version to keep if it is left and the package does not rise, else the first version of the list that is left. */
  #preferred({ package: pkg, values }: PackageState): number {
    const { keep, rises } = pkg
    const isKept = keep !== undefined && hasVersion(values, keep) && (!rises || this.#agenda.isAtLast)
    return isKept ? keep : firstPreferred(values)
  }

  #lookAt({ state, neededBy }: VersionQuestion, version: number): void {
    const externals = this.#scope.incompatibilitiesOf(state.package, version)
    neededBy.set(version, this.#raisedBy(externals))
    this.#incompatibilities.addExternal(externals)
  }

  /**
   * Decides the first choice that is left. Answers the question if a chosen package meets the requirement, or if the choice holds already.
   */
  #askChoice(question: ChoiceQuestion): void {
    const { choices } = question.external
    const left = choices.map((choice) => this.#incompatibilities.boundTerm(choice)).find((term) => !fails(term))
    if (left === undefined || choices.some((choice) => this.#isThere(choice))) this.#answer(question, [])
    else if (holds(left)) this.#answer(question, [this.#versionOf(left.state.package)])
    else this.#solution.decide(left.state, left.values)
  }

  #answer(question: Question, needed: readonly Question[]): void {
    this.#agenda.answer({ question, level: this.#solution.level, needed })
    if (this.#conflicts >= READ_AHEAD_AFTER) for (const each of needed) if (each.type === 'version') this.#readAhead(each)
  }

  #readAhead(question: VersionQuestion): void {
    const { package: pkg, values } = question.state
    if (question.needs === 0) return
    for (const version of numbersIn(values & pkg.versions)) if (!question.neededBy.has(version)) this.#lookAt(question, version)
  }

  #isThere({ package: pkg, values }: Term): boolean {
    const { isAnswered, state } = this.#versionOf(pkg)
    return isAnswered && (state.values & values) !== 0n
  }

  /** Returns the questions that some requirements raise: a version question for a single choice, a choice question for several choices. */
  #raisedBy(externals: readonly ExternalIncompatibility[]): Question[] {
    const questions: Question[] = []
    for (const external of externals) {
      const first = external.choices[0]
      if (first === undefined) continue
      const isOnly = external.choices.length === 1 && !isLast(external)
      questions.push(isOnly ? this.#versionOf(first.package) : this.#choiceOf(external))
    }
    return questions
  }

  #choiceOf(external: ExternalIncompatibility): ChoiceQuestion {
    return remember(this.#choiceQuestions, external, () => ({ type: 'choice', external, needs: 0, isAnswered: false, isQueued: false }))
  }

  #versionOf(pkg: SolverPackage): VersionQuestion {
    return remember(this.#versionQuestions, pkg, () => {
      const state = this.#incompatibilities.stateOf(pkg)
      return { type: 'version', state, neededBy: new Map(), needs: 0, isAnswered: false, isQueued: false }
    })
  }

  #versions(): ReadonlyMap<SolverPackage, number> {
    return new Map(this.#agenda.present().map(({ package: pkg, values }) => [pkg, firstPreferred(values)]))
  }
}

/**
 * Finds the cause of a conflict (pub's conflict resolution): goes back through the partial solution and resolves the incompatibility
 * with the reason of each derivation that made one of its terms hold. Ends at a decision, or as soon as all other terms hold on a
 * lower level, or when no terms are left. See the example of `Search`.
 *
 * @param number  the count of incompatibilities that were derived before
 */
function resolveConflict(conflict: Incompatibility, solution: PartialSolution, number: number): Resolution {
  const terms = valuesByPackage(conflict)
  const resolutions: ResolutionStep[] = []
  for (let index = solution.trail.length - 1; index >= 0 && terms.size > 0; index--) {
    const assignment = solution.trail[index]
    if (assignment === undefined || !beganToHold(assignment, terms)) continue
    const level = levelWithout(assignment, terms)
    if (assignment.reason === undefined || level < assignment.level)
      return { derived: deriveFrom(conflict, terms, resolutions, number), level }
    const resolution = { on: assignment.state, reason: assignment.reason }
    resolveTerms(terms, resolution)
    resolutions.push(resolution)
  }
  return { derived: deriveFrom(conflict, terms, resolutions, number), level: 0 }
}

/** Returns true if a term began to hold with the assignment. Terms that began to hold later are already resolved. */
function beganToHold({ state, before }: Assignment, terms: TermValues): boolean {
  const values = terms.get(state)
  return values !== undefined && (before & values) !== before
}

/** Returns the lowest level on which all terms hold as soon as this assignment is added. */
function levelWithout(assignment: Assignment, terms: TermValues): number {
  if (assignment.level === 0) return 0
  let level = 0
  for (const [state, values] of terms) {
    const needed = state === assignment.state ? values | assignment.excluded : values
    level = Math.max(level, levelOf(state, needed))
    if (level >= assignment.level) break
  }
  return level
}

function deriveFrom(conflict: Incompatibility, terms: TermValues, resolutions: readonly ResolutionStep[], number: number): Incompatibility {
  if (resolutions.length === 0) return conflict
  const left = [...terms].map(([state, values]) => boundTerm(state, values))
  return { terms: left, cause: { type: 'derived', number, conflict, resolutions } }
}
