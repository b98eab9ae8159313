import type { Version } from '../versions/version.ts'
import { type DemandsOn, describeWanted, type PackageDemand } from './demands.ts'
import { listNames, listSome, quote } from './finding.ts'
import type { JointUpdate } from './joint-update.ts'
import type { Range } from './universe.ts'

/** A violated requirement in the letters of seed 004: package P requires package D in the range PDV, but version DV of D is installed. */
export interface Situation {
  readonly demand: PackageDemand
  /** PDV. */
  readonly range: Range
  /** All demands on D, `demand` included. */
  readonly demands: DemandsOn
  /** DV. */
  readonly installed: Version
  readonly compare: (a: Version, b: Version) => number
  /** Returns the updates that fix the violation where an update of D alone does not; searched when called. */
  readonly together: () => JointUpdate | undefined
}

/** A proposed fix: its words for the message, and the version to move D to if there is one. */
export interface ProposedFix {
  readonly text: string
  readonly move?: { readonly to: Version; readonly direction: 'up' | 'down' }
}

interface Facts extends Situation {
  /** The id of D, as users write it. */
  readonly id: string
  /** Every known version of D, highest first; DV may be among them. */
  readonly known: readonly Version[]
  /** The highest known version that every demand on D selects. */
  readonly best: Version | undefined
  /** The highest known version above DV that is in PDV. */
  readonly next: Version | undefined
  readonly onlyInstalledKnown: boolean
  readonly anyKnownInRange: boolean
}

interface Row {
  readonly when: (facts: Facts) => boolean
  readonly outcome: (facts: Facts) => ProposedFix
}

// Seed 004's tree, generalised to several versions and parents. The first row that holds decides.
const TABLE: readonly Row[] = [
  { when: (f) => f.onlyInstalledKnown && isAboveLiterals(f), outcome: (f) => ({ text: orTogether(f, notSupported(f)) }) },
  {
    when: (f) => f.onlyInstalledKnown && isBelowLiterals(f) && othersWithRange(f) > 0,
    outcome: (f) => ({ text: `might be resolvable if ${quoteRanges(f)} overlap` }),
  },
  {
    when: (f) => f.onlyInstalledKnown && isBelowLiterals(f),
    outcome: (f) => ({ text: `might be resolvable by updating ${f.id} to a version in ${quote(f.range.text)}` }),
  },
  { when: (f) => f.onlyInstalledKnown, outcome: (f) => ({ text: `cannot tell: no versions of ${f.id} known` }) },
  { when: (f) => isAbove(f.best, f), outcome: (f) => move(f, 'up', (to) => `resolvable by updating ${f.id} to ${to.text}`) },
  {
    when: (f) => f.best !== undefined,
    outcome: (f) => move(f, 'down', (to) => `${notSupported(f)}; downgrading ${f.id} to ${to.text} satisfies all`),
  },
  { when: (f) => f.next !== undefined, outcome: (f) => ({ text: orTogether(f, wouldBreak(f)) }) },
  { when: (f) => f.anyKnownInRange, outcome: (f) => ({ text: orTogether(f, notSupported(f)) }) },
  { when: () => true, outcome: (f) => ({ text: orTogether(f, noneInRange(f)) }) },
]

/**
 * Returns the proposed fix of a violated requirement, in the words of seed 004.
 * Example: P requires D ">=2.0.0", D 1.0.0 is installed and D 2.1.0 satisfies all: "resolvable by updating D to 2.1.0", a move up.
 */
export function classify(situation: Situation): ProposedFix {
  const { demand, range, demands, installed, compare } = situation
  const { id, versions: known } = demand.requirement.target
  const inRange = known.filter((version) => range.selects(version))
  const facts: Facts = {
    ...situation,
    id,
    known,
    best: inRange.find((version) => demands.allSelect(version)),
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

function isAboveLiterals({ range, installed, compare }: Situation): boolean {
  return range.literals.every((literal) => compare(installed, literal) > 0)
}

function isBelowLiterals({ range, installed, compare }: Situation): boolean {
  return range.literals.every((literal) => compare(installed, literal) < 0)
}

function notSupported({ demand, id, installed }: Facts): string {
  return `not resolvable because ${demand.dependent.id} does not support using ${id} in ${installed.text} yet`
}

function othersWithRange({ demand, demands }: Situation): number {
  return demands.ranged.length - (demands.has(demand.requirement) ? 1 : 0)
}

function quoteRanges({ range, demands }: Situation): string {
  return listNames(listSome([range, ...demands.ranges.filter((each) => each !== range)].map(({ text }) => quote(text))))
}

/** Appends to a text the updates that satisfy all requirements together, if there are any. */
function orTogether({ id, together }: Facts, text: string): string {
  const found = together()
  if (found === undefined) return text
  const { to, other } = found
  return `${text}; ${to === undefined ? `updating ${other.id} to ${other.to.text}` : `${id} ${to.text} together with ${other.id} ${other.to.text}`} satisfies all`
}

function wouldBreak({ id, next, demands }: Facts): string {
  const broken = next === undefined ? [] : demands.breaking(next)
  const names = broken.map(({ dependent, requirement }) => `${dependent.id}, which requires${describeWanted(requirement)}`)
  return `not resolvable by this update alone because updating ${id} to ${next?.text} breaks ${listNames(listSome(names))}`
}

function noneInRange({ id, range, known }: Facts): string {
  const versions = listNames(listSome(known.map(({ text }) => text)))
  return `not resolvable because no known version of ${id} is in ${quote(range.text)}; there ${known.length === 1 ? 'is' : 'are'} ${versions}`
}

function move({ best }: Facts, direction: 'up' | 'down', words: (to: Version) => string): ProposedFix {
  return best === undefined ? { text: '' } : { text: words(best), move: { to: best, direction } }
}
