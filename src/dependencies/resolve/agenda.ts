import { compareAsked } from './candidate.ts'
import { compareRules, isLast, type Rule } from './rule.ts'
import type { Variable } from './variable.ts'

/** Gives back the least first. */
class Heap<Item> {
  readonly #items: Item[] = []
  readonly #compare: (a: Item, b: Item) => number

  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare
  }

  peek(): Item | undefined {
    return this.#items[0]
  }

  push(item: Item): void {
    const items = this.#items
    let at = items.length
    for (let up = (at - 1) >> 1; at > 0 && this.#isLess(item, items[up]); up = (at - 1) >> 1) {
      this.#put(items[up], at)
      at = up
    }
    items[at] = item
  }

  /** Removes the least. */
  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    let at = 0
    for (let down = this.#lesserBelow(at); this.#isLess(this.#items[down], last); down = this.#lesserBelow(at)) {
      this.#put(this.#items[down], at)
      at = down
    }
    this.#items[at] = last
  }

  #lesserBelow(at: number): number {
    const left = 2 * at + 1
    return this.#isLess(this.#items[left + 1], this.#items[left]) ? left + 1 : left
  }

  #isLess(a: Item | undefined, b: Item | undefined): boolean {
    return a !== undefined && b !== undefined && this.#compare(a, b) < 0
  }

  #put(item: Item | undefined, at: number): void {
    if (item !== undefined) this.#items[at] = item
  }
}

/** What may have to be answered, and how it stands. */
interface Asked {
  /** By how many answers it is needed. */
  needs: number
  isAnswered: boolean
  isQueued: boolean
}

/** Which version of a package is there. */
export interface VersionQuestion extends Asked {
  readonly type: 'version'
  readonly variable: Variable
  /** What else must be answered when a version is there, by its number; only of versions that were looked at. */
  readonly neededBy: Map<number, readonly Question[]>
}

/** Which of several choices meets a rule. */
export interface ChoiceQuestion extends Asked {
  readonly type: 'choice'
  readonly rule: Rule
}

export type Question = VersionQuestion | ChoiceQuestion

/** A question that was answered, on which level, and what else has to be answered because of it. */
interface Answer {
  readonly question: Question
  readonly level: number
  readonly needed: readonly Question[]
}

/**
 * What is to be answered next, and what has been. It follows answers alone, never what propagation found out:
 * so the order of the questions is a matter of the problem, and with it the preferred solution.
 */
export class Agenda {
  readonly #open = new Heap<Question>(compareQuestions)
  readonly #answers: Answer[] = []
  #lastAnswered = 0

  /** Whether what is left is needed by nothing but what is asked last. */
  get isAtLast(): boolean {
    return this.#lastAnswered > 0
  }

  /** The first question that needs an answer. */
  next(): Question | undefined {
    for (let question = this.#open.peek(); question !== undefined; question = this.#open.peek()) {
      if (isOpen(question)) return question
      this.#open.pop()
      question.isQueued = false
    }
    return undefined
  }

  need(question: Question): void {
    question.needs++
    this.#queue(question)
  }

  answer(answer: Answer): void {
    answer.question.isAnswered = true
    this.#answers.push(answer)
    if (isAskedLast(answer.question)) this.#lastAnswered++
    for (const question of answer.needed) this.need(question)
  }

  /** Takes back the answers above a level. */
  backjump(level: number): void {
    for (let last = this.#answers.at(-1); last !== undefined && last.level > level; last = this.#answers.at(-1)) {
      this.#answers.pop()
      last.question.isAnswered = false
      if (isAskedLast(last.question)) this.#lastAnswered--
      for (const question of last.needed) question.needs--
      this.#queue(last.question)
    }
  }

  /** The packages that have a version, in the order of the answers. */
  present(): Variable[] {
    return this.#answers.flatMap(({ question }) => (question.type === 'version' ? [question.variable] : []))
  }

  #queue(question: Question): void {
    if (question.isQueued || !isOpen(question)) return
    question.isQueued = true
    this.#open.push(question)
  }
}

function isAskedLast(question: Question): boolean {
  return question.type === 'choice' && isLast(question.rule)
}

function isOpen({ needs, isAnswered }: Question): boolean {
  return needs > 0 && !isAnswered
}

/** Versions, of what is there first; then choices as their rules are ordered. */
function compareQuestions(a: Question, b: Question): number {
  if (a.type === 'version') return b.type === 'version' ? compareAsked(a.variable.candidate, b.variable.candidate) : -1
  return b.type === 'version' ? 1 : Number(isLast(a.rule)) - Number(isLast(b.rule)) || compareRules(a.rule, b.rule)
}
