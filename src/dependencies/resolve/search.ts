import { Agenda, type ChoiceQuestion, type Question, type VersionQuestion } from './agenda.ts'
import { type Budget, LOOK } from './budget.ts'
import type { Candidate, CandidateVersions } from './candidate.ts'
import { fails, holds, type Incompatibility, type ResolutionStep, resolveTerms, type Terms, termOf, termsOf } from './incompatibility.ts'
import { Knowledge } from './knowledge.ts'
import { levelOf, PartialSolution } from './partial-solution.ts'
import { propagate } from './propagate.ts'
import { isLast, type Rule } from './rule.ts'
import type { SearchScope } from './scope.ts'
import type { Assignment, Variable } from './variable.ts'
import { firstPreferred, hasVersion, isSingle, numbersIn } from './version-set.ts'

/** What a conflict teaches. */
interface Lesson {
  /** Without terms: there is no solution. */
  readonly learned: Incompatibility
  /** How far to go back: there all terms of the lesson but one still hold. */
  readonly level: number
}

export type SearchResult =
  /** The candidates that are there, each with the number of its version. */
  | { readonly type: 'solved'; readonly versions: ReadonlyMap<Candidate, number> }
  /** The incompatibility without terms. */
  | { readonly type: 'unsolvable'; readonly proof: Incompatibility }
  | { readonly type: 'exceeded' }

/**
 * After so many conflicts a search reads what all versions of needed packages require, not only of those it tries:
 * more to read, but a conflict shows at once, not after many other choices, which would have to be made again.
 */
const READ_AHEAD_AFTER = 3

/**
 * Looks for the preferred solution. A value is passed over only when it is excluded by the answers before it,
 * so the first solution found is the preferred one.
 */
export class Search {
  readonly #scope: SearchScope
  readonly #budget: Budget
  readonly #solution = new PartialSolution()
  readonly #knowledge: Knowledge
  readonly #agenda = new Agenda()
  readonly #versionQuestions = new Map<Candidate, VersionQuestion>()
  readonly #choiceQuestions = new Map<Rule, ChoiceQuestion>()
  readonly #mostConflicts: number
  #lessons = 0

  /** @param mostConflicts  with more it is given up: the problem is not as simple as was hoped */
  constructor(scope: SearchScope, budget: Budget, mostConflicts = Number.POSITIVE_INFINITY) {
    this.#scope = scope
    this.#budget = budget
    this.#mostConflicts = mostConflicts
    this.#knowledge = new Knowledge(this.#solution, budget)
    this.#knowledge.addRules(scope.facts)
    for (const question of this.#raisedBy(scope.facts)) this.#agenda.need(question)
  }

  /** Searches until it is done or the budget is spent; after that it can go on with more. */
  run(): SearchResult {
    while (this.#budget.steps > 0 && this.#lessons <= this.#mostConflicts) {
      const conflict = this.#knowledge.takeConflict() ?? propagate(this.#solution, this.#budget)
      const proof = conflict === undefined ? undefined : this.#learnFrom(conflict)
      if (proof !== undefined) return { type: 'unsolvable', proof }
      if (conflict !== undefined) continue
      const question = this.#agenda.next()
      if (question === undefined) return { type: 'solved', versions: this.#versions() }
      this.#budget.steps--
      if (question.type === 'version') this.#askVersion(question)
      else this.#askChoice(question)
    }
    return { type: 'exceeded' }
  }

  /** Goes back to where the conflict could have been foreseen. Returns the proof when there is nowhere to go. */
  #learnFrom(conflict: Incompatibility): Incompatibility | undefined {
    const { learned, level } = resolveConflict(conflict, this.#solution, this.#lessons++)
    if (learned.terms.length === 0) return learned
    this.#budget.steps -= LOOK * learned.terms.length
    this.#solution.backjump(level)
    this.#agenda.backjump(level)
    this.#knowledge.backjump(level)
    if (learned === conflict) this.#knowledge.conclude(learned)
    else this.#knowledge.add(learned)
    if (this.#lessons === READ_AHEAD_AFTER) for (const question of this.#versionQuestions.values()) this.#readAhead(question)
    return undefined
  }

  /** Tries the preferred version of those that are left, when it is known what that requires. */
  #askVersion(question: VersionQuestion): void {
    const { variable } = question
    const version = this.#preferred(variable)
    const needed = question.neededBy.get(version)
    if (needed === undefined) this.#lookAt(question, version)
    else if (isSingle(variable.values)) this.#answer(question, needed)
    else this.#solution.decide(variable, 1n << BigInt(version))
  }

  /** The version that is there, else the first of the list that is left. */
  #preferred({ candidate, values }: Variable): number {
    const { keep, rises } = candidate.package
    const isKept = keep !== undefined && hasVersion(values, keep) && (!rises || this.#agenda.isAtLast)
    return isKept ? keep : firstPreferred(values)
  }

  #lookAt({ variable, neededBy }: VersionQuestion, version: number): void {
    const rules = this.#scope.rulesOf(variable.candidate, version)
    neededBy.set(version, this.#raisedBy(rules))
    this.#knowledge.addRules(rules)
  }

  /** Tries the first choice that is left, unless one is there already. */
  #askChoice(question: ChoiceQuestion): void {
    const { choices } = question.rule
    const left = choices.map((choice) => this.#knowledge.termOf(choice)).find((term) => !fails(term))
    if (left === undefined || choices.some((choice) => this.#isThere(choice))) this.#answer(question, [])
    else if (holds(left)) this.#answer(question, [this.#versionOf(left.variable.candidate)])
    else this.#solution.decide(left.variable, left.values)
  }

  #answer(question: Question, needed: readonly Question[]): void {
    this.#agenda.answer({ question, level: this.#solution.level, needed })
    if (this.#lessons >= READ_AHEAD_AFTER) for (const each of needed) if (each.type === 'version') this.#readAhead(each)
  }

  #readAhead(question: VersionQuestion): void {
    const { candidate, values } = question.variable
    if (question.needs === 0) return
    for (const version of numbersIn(values & candidate.versions)) if (!question.neededBy.has(version)) this.#lookAt(question, version)
  }

  #isThere({ candidate, values }: CandidateVersions): boolean {
    const { isAnswered, variable } = this.#versionOf(candidate)
    return isAnswered && (variable.values & values) !== 0n
  }

  /** What must be answered when the rules apply. */
  #raisedBy(rules: readonly Rule[]): Question[] {
    return rules.flatMap((rule) => {
      const [first, second] = rule.choices
      if (first === undefined) return []
      return [second === undefined && !isLast(rule) ? this.#versionOf(first.candidate) : this.#choiceOf(rule)]
    })
  }

  #choiceOf(rule: Rule): ChoiceQuestion {
    const known = this.#choiceQuestions.get(rule)
    const question = known ?? { type: 'choice', rule, needs: 0, isAnswered: false, isQueued: false }
    if (known === undefined) this.#choiceQuestions.set(rule, question)
    return question
  }

  #versionOf(candidate: Candidate): VersionQuestion {
    const known = this.#versionQuestions.get(candidate)
    const variable = this.#knowledge.variableOf(candidate)
    const question = known ?? { type: 'version', variable, neededBy: new Map(), needs: 0, isAnswered: false, isQueued: false }
    if (known === undefined) this.#versionQuestions.set(candidate, question)
    return question
  }

  #versions(): ReadonlyMap<Candidate, number> {
    return new Map(this.#agenda.present().map(({ candidate, values }) => [candidate, firstPreferred(values)]))
  }
}

/**
 * Finds why all terms of an incompatibility hold: goes back along the trail and replaces each term that followed from others
 * by those, until only one of them belongs to the last choice involved (PubGrub's conflict resolution).
 */
function resolveConflict(conflict: Incompatibility, solution: PartialSolution, number: number): Lesson {
  const terms = termsOf(conflict)
  const resolutions: ResolutionStep[] = []
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

function learn(conflict: Incompatibility, terms: Terms, resolutions: readonly ResolutionStep[], number: number): Incompatibility {
  if (resolutions.length === 0) return conflict
  const left = [...terms].map(([variable, values]) => termOf(variable, values))
  return { terms: left, origin: { type: 'learned', number, conflict, resolutions } }
}
