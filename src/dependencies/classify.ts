import type { Version } from '../versions/version.ts'
import { listNames } from './finding.ts'
import type { Range } from './universe.ts'

/** A range somebody requires of D: who, and which. */
export interface Demand {
  readonly by: string
  readonly range: Range
}

/** A requirement that is violated: P requires D in PDV, and DV is there. */
export interface Situation {
  readonly demand: Demand
  /** The other parents that require a range of D. */
  readonly others: readonly Demand[]
  /** D, as users call it. */
  readonly id: string
  /** DV. */
  readonly installed: Version
  /** Every known version of D, highest first; DV may be among them. */
  readonly known: readonly Version[]
  readonly compare: (a: Version, b: Version) => number
}

/** What can be done: the words, and the version to move D to when there is one. */
export interface Outcome {
  readonly text: string
  readonly move?: { readonly to: Version; readonly direction: 'up' | 'down' }
}

interface Facts extends Situation {
  /** The highest known version that satisfies all. */
  readonly best: Version | undefined
  /** The highest known version above DV that is in PDV. */
  readonly next: Version | undefined
  readonly onlyInstalledKnown: boolean
  readonly anyKnownInRange: boolean
}

interface Row {
  readonly when: (facts: Facts) => boolean
  readonly outcome: (facts: Facts) => Outcome
}

// Seed 004's tree, generalised to several versions and parents. The first row that holds decides.
const TABLE: readonly Row[] = [
  { when: (f) => f.onlyInstalledKnown && isAboveLiterals(f), outcome: (f) => ({ text: notSupported(f) }) },
  {
    when: (f) => f.onlyInstalledKnown && isBelowLiterals(f) && f.others.length > 0,
    outcome: (f) => ({ text: `might be resolvable if ${quoteRanges(f)} overlap` }),
  },
  {
    when: (f) => f.onlyInstalledKnown && isBelowLiterals(f),
    outcome: (f) => ({ text: `might be resolvable by updating ${f.id} to a version in "${f.demand.range.text}"` }),
  },
  { when: (f) => f.onlyInstalledKnown, outcome: (f) => ({ text: `cannot tell: no versions of ${f.id} known` }) },
  { when: (f) => isAbove(f.best, f), outcome: (f) => move(f, 'up', (to) => `resolvable by updating ${f.id} to ${to.text}`) },
  {
    when: (f) => f.best !== undefined,
    outcome: (f) => move(f, 'down', (to) => `${notSupported(f)}; downgrading ${f.id} to ${to.text} satisfies all`),
  },
  { when: (f) => f.next !== undefined, outcome: (f) => ({ text: wouldBreak(f) }) },
  { when: (f) => f.anyKnownInRange, outcome: (f) => ({ text: notSupported(f) }) },
  { when: () => true, outcome: (f) => ({ text: `not resolvable because no known version of ${f.id} is in "${f.demand.range.text}"` }) },
]

/** What can be done about a violated requirement, in the words of seed 004. */
export function classify(situation: Situation): Outcome {
  const { demand, others, installed, known, compare } = situation
  const inRange = known.filter((version) => demand.range.selects(version))
  const facts: Facts = {
    ...situation,
    best: inRange.find((version) => others.every(({ range }) => range.selects(version))),
    next: inRange.find((version) => compare(version, installed) > 0),
    onlyInstalledKnown: known.every((version) => compare(version, installed) === 0),
    anyKnownInRange: inRange.length > 0,
  }
  const row = TABLE.find(({ when }) => when(facts))
  return row?.outcome(facts) ?? { text: '' }
}

function isAbove(version: Version | undefined, { installed, compare }: Situation): boolean {
  return version !== undefined && compare(version, installed) > 0
}

function isAboveLiterals({ demand, installed, compare }: Situation): boolean {
  return demand.range.literals.every((literal) => compare(installed, literal) > 0)
}

function isBelowLiterals({ demand, installed, compare }: Situation): boolean {
  return demand.range.literals.every((literal) => compare(installed, literal) < 0)
}

function notSupported({ demand, id, installed }: Situation): string {
  return `not resolvable because ${demand.by} does not support using ${id} in ${installed.text} yet`
}

function quoteRanges({ demand, others }: Situation): string {
  return listNames([demand, ...others].map(({ range }) => `"${range.text}"`))
}

function wouldBreak({ id, next, others }: Facts): string {
  const broken = others.filter(({ range }) => next !== undefined && !range.selects(next))
  return `not resolvable because updating ${id} to ${next?.text} breaks ${listNames(broken.map(({ by, range }) => `${by}, which requires "${range.text}"`))}`
}

function move({ best }: Facts, direction: 'up' | 'down', words: (to: Version) => string): Outcome {
  return best === undefined ? { text: '' } : { text: words(best), move: { to: best, direction } }
}
