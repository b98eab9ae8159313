import { listNames } from '../finding.ts'
import { compareExternal, type ExternalIncompatibility, type Term } from './external-incompatibility.ts'
import type { Conclusion, Derivation, Incompatibility } from './incompatibility.ts'
import { difference, numbersIn } from './version-set.ts'

/**
 * Returns a proof tree as sentences, each of which follows from those before: `Because X and Y, Z`, as PubGrub reports errors.
 * A conclusion that is used more than once, or not by the next sentence, has a number: `Because X and Y, Z. (1)`.
 */
export function writeSentences(root: Derivation): string[] {
  if (root.type === 'external') return [`Because ${describeExternal(root.external)}, there is no solution.`]
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
    if (a.type === 'external' && b.type === 'external') this.#say(`Because ${describeBoth(a.external, b.external)}`, conclusion)
    else if (a.type === 'external') this.#writeFromOne(conclusion, a.external, b)
    else if (b.type === 'external') this.#writeFromOne(conclusion, b.external, a)
    else this.#writeFromTwo(conclusion, a, b)
  }

  #writeFromOne(conclusion: Conclusion, external: ExternalIncompatibility, from: Derivation): void {
    if (from.type === 'external') return
    const clause = describeExternal(external)
    const known = this.#knownAs(from)
    const halves = this.#toNumber.has(from) ? undefined : this.#halvesOf(from)
    if (known !== undefined) this.#say(`Because ${clause} and ${known}`, conclusion)
    else if (halves === undefined) this.#inOrder(from, () => this.#say(`And because ${clause}`, conclusion))
    else this.#inOrder(halves.from, () => this.#say(`And because ${describeBoth(halves.external, external)}`, conclusion))
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
   * Returns the incompatibility and the unwritten conclusion that a conclusion follows from: its sentence can be merged into the next.
   * Undefined if it has other causes.
   */
  #halvesOf({ causes }: Conclusion): { external: ExternalIncompatibility; from: Conclusion } | undefined {
    const [a, b] = causes
    if (a.type === b.type) return undefined
    const [external, from] = a.type === 'external' ? [a.external, b] : [b.type === 'external' ? b.external : undefined, a]
    return external === undefined || from.type === 'external' || this.#numbers.has(from) ? undefined : { external, from }
  }
}

/**
 * Returns two external incompatibilities in words, in the order in which one package leads to the next: "a requires b and b requires c".
 */
function describeBoth(a: ExternalIncompatibility, b: ExternalIncompatibility): string {
  const isTurned = leadsTo(b, a) || (!leadsTo(a, b) && compareExternal(a, b) > 0)
  return (isTurned ? [b, a] : [a, b]).map(describeExternal).join(' and ')
}

function leadsTo(a: ExternalIncompatibility, b: ExternalIncompatibility): boolean {
  return a.choices.some(({ package: pkg }) => pkg === b.owner?.package)
}

function isShort({ causes }: Conclusion): boolean {
  return causes.every(({ type }) => type === 'external')
}

/** Returns the conclusions that are a cause of more than one other conclusion. */
function usedOften(root: Conclusion): Set<Conclusion> {
  const often = new Set<Conclusion>()
  const seen = new Set([root])
  for (const { causes } of seen) {
    for (const cause of causes) {
      if (cause.type === 'external') continue
      if (seen.has(cause)) often.add(cause)
      seen.add(cause)
    }
  }
  return often
}

/** Returns an external incompatibility as a clause: `a 1.0.0 requires b >=2.0.0`. */
export function describeExternal({ cause, owner, choices }: ExternalIncompatibility): string {
  if (cause.type === 'exclusion') return cause.exclusion.text
  const isHopeless = choices.length > 0 && choices.every(({ values }) => values === 0n)
  const hint = isHopeless ? ' (no such version is known)' : ''
  if (cause.type === 'root') return `${cause.root.text}${hint}`
  const by = owner === undefined ? cause.package : subject(owner)
  return cause.requirement.optional
    ? `${by} goes only with ${cause.requirement.wants}`
    : `${by} requires ${cause.requirement.wants}${cause.requirement.lack?.() ?? hint}`
}

/** Returns an incompatibility as a clause: its requirement or exclusion, or the conclusion from a conflict. */
export function describeIncompatibility({ cause, terms }: Incompatibility): string {
  return cause.type === 'external' ? describeExternal(cause.external) : describeConclusion(terms)
}

/** Returns the values that a package may still have: `bar 1.0.0`, `bar 1.0.0 to 1.4.0, or absent`, `no bar`. */
export function describeValues({ package: pkg, values }: Term): string {
  const present = { package: pkg, values: values & pkg.versions }
  if (present.values === 0n) return values === 0n ? `no value for ${pkg.id}` : `no ${pkg.id}`
  const versions = `${pkg.id} ${describeVersions(present)}`
  return mayBeAbsent({ package: pkg, values }) ? `${versions}, or absent` : versions
}

/** Returns the statement that the terms do not all hold, as a clause: `a 1.0.0 requires b 2.0.0`, `a 1.0.0 cannot be used`. */
export function describeConclusion(terms: readonly Term[]): string {
  const sorted = [...terms].sort((a, b) => a.package.order - b.package.order)
  const present = sorted.filter((term) => !mayBeAbsent(term))
  const needed = sorted.filter(mayBeAbsent).map(({ package: pkg, values }) => ({ package: pkg, values: difference(pkg.versions, values) }))
  const needs = needed.map((term) => (isEveryOfMany(term) ? term.package.id : `${term.package.id} ${describeVersions(term)}`))
  if (present.length === 0) return needs.length === 0 ? 'there is no solution' : `${listNames(needs, 'or')} is required`
  if (needs.length === 0) return cannotBeUsed(present)
  return `${listNames(present.map(subject))} ${present.length > 1 ? 'together require' : 'requires'} ${listNames(needs, 'or')}`
}

function cannotBeUsed(present: readonly Term[]): string {
  const [only, second] = present
  if (only === undefined || second !== undefined) return `${listNames(present.map(subject))} cannot be used together`
  return isEveryOfMany(only) ? `no version of ${only.package.id} can be used` : `${subject(only)} cannot be used`
}

/** Returns versions as a subject: `every version of a`, `a 1.0.0 to 1.4.0`. */
function subject(term: Term): string {
  const { id } = term.package
  return isEveryOfMany(term) ? `every version of ${id}` : `${id} ${describeVersions(term)}`
}

function isEveryOfMany({ package: pkg, values }: Term): boolean {
  return pkg.labels.length > 1 && values === pkg.versions
}

function mayBeAbsent({ package: pkg, values }: Term): boolean {
  return (values & pkg.absent) !== 0n
}

const MOST_RUNS = 6

/** Returns the versions from the end of the list to its start, which is mostly ascending: `1.0.0, 2.0.0 to 2.4.0`. */
function describeVersions({ package: pkg, values }: Term): string {
  const label = (number: number): string => pkg.labels[number] ?? ''
  const runs = runsOf(numbersIn(values).reverse()).map(([first, last]) =>
    first === last ? label(first) : `${label(first)} to ${label(last)}`,
  )
  const more = runs.length > MOST_RUNS ? [`and ${runs.length - MOST_RUNS} more`] : []
  return [...runs.slice(0, MOST_RUNS), ...more].join(', ')
}

/** Returns the first and last of each run of descending numbers: 5, 4, 3, 1 is [5, 3] and [1, 1]. */
function runsOf(numbers: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === number + 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}
