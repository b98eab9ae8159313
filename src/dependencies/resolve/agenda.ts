import { compareAsked, compareExternal, type ExternalIncompatibility, isLast } from './external-incompatibility.ts'
import type { PackageState } from './incompatibility.ts'

/** A binary heap: `peek` returns the smallest item by the comparison. */
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

  /** Removes the smallest item, if there is one. */
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

interface Asked {
  /** The number of root requirements and answers that need an answer to the question. */
  needs: number
  isAnswered: boolean
  isQueued: boolean
}

/** The question which version of a package is chosen. */
export interface VersionQuestion extends Asked {
  readonly type: 'version'
  readonly state: PackageState
  /**
   * The questions that a version raises when it is chosen, by the number of the version. Holds only versions whose requirements were read.
   */
  readonly neededBy: Map<number, readonly Question[]>
}

/** The question which choice meets a requirement with several choices. */
export interface ChoiceQuestion extends Asked {
  readonly type: 'choice'
  readonly external: ExternalIncompatibility
}

export type Question = VersionQuestion | ChoiceQuestion

/** An answered question, the decision level of the answer, and the questions that the answer raises. */
interface Answer {
  readonly question: Question
  readonly level: number
  readonly needed: readonly Question[]
}

/**
 * The open and the answered questions of a search.
 * The order of the questions depends on the problem and the answers alone, never on the derivations of unit propagation.
 * So the preferred solution depends on the problem alone.
 */
export class Agenda {
  readonly #open = new Heap<Question>(compareQuestions)
  readonly #answers: Answer[] = []
  #lastAnswered = 0

  /** Returns true as soon as a root requirement with `isLast` has an answer: then all other needed questions have answers. */
  get isAtLast(): boolean {
    return this.#lastAnswered > 0
  }

  /** Returns the first needed question without an answer; undefined when all needed questions are answered. */
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

  /** Removes the answers above a decision level. Their questions are open again, and the questions that only they raised are not needed. */
  backjump(level: number): void {
    for (let last = this.#answers.at(-1); last !== undefined && last.level > level; last = this.#answers.at(-1)) {
      this.#answers.pop()
      last.question.isAnswered = false
      if (isAskedLast(last.question)) this.#lastAnswered--
      for (const question of last.needed) question.needs--
      this.#queue(last.question)
    }
  }

  /** Returns the packages whose version question is answered, in the order of the answers. */
  present(): PackageState[] {
    return this.#answers.flatMap(({ question }) => (question.type === 'version' ? [question.state] : []))
  }

  #queue(question: Question): void {
    if (question.isQueued || !isOpen(question)) return
    question.isQueued = true
    this.#open.push(question)
  }
}

function isAskedLast(question: Question): boolean {
  return question.type === 'choice' && isLast(question.external)
}

function isOpen({ needs, isAnswered }: Question): boolean {
  return needs > 0 && !isAnswered
}

/**
 * Orders version questions before choice questions: versions as `compareAsked` does, choices by their requirements, those with `isLast`
 * last.
 */
function compareQuestions(a: Question, b: Question): number {
  if (a.type === 'version') return b.type === 'version' ? compareAsked(a.state.package, b.state.package) : -1
  return b.type === 'version' ? 1 : Number(isLast(a.external)) - Number(isLast(b.external)) || compareExternal(a.external, b.external)
}
