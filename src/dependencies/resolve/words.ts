import type { Literal } from './candidate.ts'
import type { Term } from './incompatibility.ts'
import type { Package } from './problem.ts'
import type { Rule } from './rule.ts'
import { difference, firstVersions, membersOf, type VersionSet } from './version-set.ts'

/** A rule as part of a sentence. */
export function describeRule({ cause, forbidden, owner, choices }: Rule): string {
  if (cause.type === 'exclusion') return cause.exclusion.text
  const isHopeless = choices.length > 0 && forbidden.length === (owner === undefined ? 0 : 1)
  const hint = isHopeless ? ', which no known version is' : ''
  if (cause.type === 'fact') return `${cause.fact.text}${hint}`
  const by = owner === undefined ? cause.package : describeVersions(owner.candidate.package, owner.values)
  return cause.requirement.optional ? `${by} goes only with ${cause.requirement.wants}` : `${by} requires ${cause.requirement.wants}${hint}`
}

/** What follows from terms that cannot all hold, as part of a sentence. */
export function describeConclusion(terms: readonly Term[]): string {
  const literals = terms.map(({ variable, values }) => ({ candidate: variable.candidate, values })).sort(byId)
  const present = literals.filter(({ candidate, values }) => (values & candidate.absent) === 0n)
  const needed = literals.filter(({ candidate, values }) => (values & candidate.absent) !== 0n)
  const has = present.map(({ candidate, values }) => describeVersions(candidate.package, values))
  const needs = needed.map(({ candidate, values }) => describeVersions(candidate.package, difference(candidate.versions, values)))
  if (has.length === 0) return needs.length === 0 ? 'there is no solution' : `${listWords(needs, 'or')} is required`
  if (needs.length > 0) return `${listWords(has, 'with')} requires ${listWords(needs, 'or')}`
  return has.length === 1 ? `${has.join()} cannot be used` : `${listWords(has, 'and')} cannot be used together`
}

function byId(a: Literal, b: Literal): number {
  return a.candidate.order - b.candidate.order
}

const MOST_RUNS = 6

/** `a 1.0.0`, `a 1.0.0 to 1.4.0, 2.0.0`, `every version of a`. */
function describeVersions({ id, versions }: Package, set: VersionSet): string {
  if (versions.length > 1 && set === firstVersions(versions.length)) return `every version of ${id}`
  const runs = runsOf(membersOf(set)).map(([first, last]) =>
    first === last ? label(versions, first) : `${label(versions, last)} to ${label(versions, first)}`,
  )
  const shown = runs.length > MOST_RUNS ? [...runs.slice(0, MOST_RUNS), `and ${runs.length - MOST_RUNS} more`] : runs
  return `${id} ${shown.join(', ')}`
}

function label(versions: readonly string[], number: number): string {
  return versions[number] ?? ''
}

/** First and last of each run of numbers that follow each other. */
function runsOf(numbers: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === number - 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}

/** `a`, `a or b`, `a, b or c`. */
function listWords(words: readonly string[], joint: string): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`
}
