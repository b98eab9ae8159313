import type { Conclusion, Derivation } from './derivation.ts'
import { compareRules, type Rule } from './rule.ts'
import { describeConclusion, describeRule } from './words.ts'

/**
 * Returns a proof tree as sentences, each of which follows from those before: `Because X and Y, Z`, as PubGrub reports errors.
 * A conclusion that is used more than once, or not by the next sentence, has a number: `Because X and Y, Z. (1)`.
 */
export function writeSentences(root: Derivation): string[] {
  if (root.type === 'rule') return [`Because ${describeRule(root.rule)}, there is no solution.`]
  const writer = new SentenceWriter(root)
  writer.writeAll()
  return writer.sentences
}

class SentenceWriter {
  readonly sentences: string[] = []
  readonly #toNumber: Set<Conclusion>
  readonly #numbers = new Map<Conclusion, number>()
  /** The tasks that remain, the next one last. A list and no recursion: a proof may be deep. */
  readonly #tasks: (() => void)[] = []

  constructor(root: Conclusion) {
    this.#toNumber = usedOften(root)
    this.#tasks.push(() => this.#write(root))
  }

  writeAll(): void {
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) task()
  }

  #write(conclusion: Conclusion): void {
    const [a, b] = conclusion.causes
    if (a.type === 'rule' && b.type === 'rule') this.#say(`Because ${describeBoth(a.rule, b.rule)}`, conclusion)
    else if (a.type === 'rule') this.#writeFromOne(conclusion, a.rule, b)
    else if (b.type === 'rule') this.#writeFromOne(conclusion, b.rule, a)
    else this.#writeFromTwo(conclusion, a, b)
  }

  #writeFromOne(conclusion: Conclusion, rule: Rule, from: Derivation): void {
    if (from.type === 'rule') return
    const fact = describeRule(rule)
    const known = this.#knownAs(from)
    const halves = this.#toNumber.has(from) ? undefined : this.#halvesOf(from)
    if (known !== undefined) this.#say(`Because ${fact} and ${known}`, conclusion)
    else if (halves === undefined) this.#inOrder(from, () => this.#say(`And because ${fact}`, conclusion))
    else this.#inOrder(halves.from, () => this.#say(`And because ${describeBoth(halves.rule, rule)}`, conclusion))
  }

  #writeFromTwo(conclusion: Conclusion, a: Conclusion, b: Conclusion): void {
    const knownA = this.#knownAs(a)
    const knownB = this.#knownAs(b)
    if (knownA !== undefined && knownB !== undefined) this.#say(`Because ${knownA} and ${knownB}`, conclusion)
    else if (knownA !== undefined) this.#inOrder(b, () => this.#say(`And because ${knownA}`, conclusion))
    else if (knownB !== undefined) this.#inOrder(a, () => this.#say(`And because ${knownB}`, conclusion))
    else if (isShort(a)) this.#inOrder(b, () => this.#inOrder(a, () => this.#say('Thus', conclusion)))
    else if (isShort(b)) this.#inOrder(a, () => this.#inOrder(b, () => this.#say('Thus', conclusion)))
    else this.#writeApart(conclusion, a, b)
  }

  #writeApart(conclusion: Conclusion, a: Conclusion, b: Conclusion): void {
    this.#toNumber.add(a)
    this.#inOrder(a, () => this.#inOrder(b, () => this.#say(`And because ${this.#knownAs(a)}`, conclusion)))
  }

  /** Schedules a conclusion to be written, and then a task. */
  #inOrder(first: Conclusion, then: () => void): void {
    this.#tasks.push(then)
    this.#tasks.push(() => this.#write(first))
  }

  #say(premise: string, conclusion: Conclusion): void {
    const sentence = `${premise}, ${describeConclusion(conclusion.terms)}`
    if (this.#toNumber.has(conclusion)) this.#numbers.set(conclusion, this.#numbers.size + 1)
    const number = this.#numbers.get(conclusion)
    this.sentences.push(number === undefined ? `${sentence}.` : `${sentence}. (${number})`)
  }

  #knownAs(conclusion: Conclusion): string | undefined {
    const number = this.#numbers.get(conclusion)
    return number === undefined ? undefined : `${describeConclusion(conclusion.terms)} (${number})`
  }

  /**
   * Returns the rule and the unwritten conclusion that a conclusion follows from: its sentence can be merged into the next. Undefined if
   * it has other causes.
   */
  #halvesOf({ causes }: Conclusion): { rule: Rule; from: Conclusion } | undefined {
    const [a, b] = causes
    if (a.type === b.type) return undefined
    const [rule, from] = a.type === 'rule' ? [a.rule, b] : [b.type === 'rule' ? b.rule : undefined, a]
    return rule === undefined || from.type === 'rule' || this.#numbers.has(from) ? undefined : { rule, from }
  }
}

/** Returns the words of two rules, in the order in which one package leads to the next: "a requires b and b requires c". */
function describeBoth(a: Rule, b: Rule): string {
  const isTurned = leadsTo(b, a) || (!leadsTo(a, b) && compareRules(a, b) > 0)
  return (isTurned ? [b, a] : [a, b]).map(describeRule).join(' and ')
}

function leadsTo(a: Rule, b: Rule): boolean {
  return a.choices.some(({ candidate }) => candidate === b.owner?.candidate)
}

function isShort({ causes }: Conclusion): boolean {
  return causes.every(({ type }) => type === 'rule')
}

/** Returns the conclusions that are a cause of more than one other conclusion. */
function usedOften(root: Conclusion): Set<Conclusion> {
  const often = new Set<Conclusion>()
  const seen = new Set([root])
  for (const { causes } of seen) {
    for (const cause of causes) {
      if (cause.type === 'rule') continue
      if (seen.has(cause)) often.add(cause)
      seen.add(cause)
    }
  }
  return often
}
