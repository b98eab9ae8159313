import type { CandidateVersions } from './candidate.ts'
import type { Incompatibility, Term } from './incompatibility.ts'
import type { Rule } from './rule.ts'
import { difference, numbersIn } from './version-set.ts'

/** Returns a rule as a clause: `a 1.0.0 requires b >=2.0.0`. */
export function describeRule({ cause, owner, choices }: Rule): string {
  if (cause.type === 'exclusion') return cause.exclusion.text
  const isHopeless = choices.length > 0 && choices.every(({ values }) => values === 0n)
  const hint = isHopeless ? ' (no such version is known)' : ''
  if (cause.type === 'fact') return `${cause.fact.text}${hint}`
  const by = owner === undefined ? cause.package : subject(owner)
  return cause.requirement.optional
    ? `${by} goes only with ${cause.requirement.wants}`
    : `${by} requires ${cause.requirement.wants}${cause.requirement.lack?.() ?? hint}`
}

/** Returns an incompatibility as a clause: the rule, or what was learned from a conflict. */
export function describeIncompatibility({ origin, terms }: Incompatibility): string {
  return origin.type === 'rule' ? describeRule(origin.rule) : describeConclusion(terms)
}

/** Returns the values that a package may still have: `bar 1.0.0`, `bar 1.0.0 to 1.4.0, or absent`, `no bar`. */
export function describeValues({ candidate, values }: CandidateVersions): string {
  const present = { candidate, values: values & candidate.versions }
  if (present.values === 0n) return values === 0n ? `no value for ${candidate.package.id}` : `no ${candidate.package.id}`
  const versions = `${candidate.package.id} ${describeVersions(present)}`
  return mayBeAbsent({ candidate, values }) ? `${versions}, or absent` : versions
}

/** Returns the statement that the terms do not all hold, as a clause: `a 1.0.0 requires b 2.0.0`, `a 1.0.0 cannot be used`. */
export function describeConclusion(terms: readonly Term[]): string {
  const literals = terms.map(({ variable, values }) => ({ candidate: variable.candidate, values })).sort(byId)
  const present = literals.filter((literal) => !mayBeAbsent(literal))
  const needs = literals
    .filter(mayBeAbsent)
    .map(({ candidate, values }) => object({ candidate, values: difference(candidate.versions, values) }))
  if (present.length === 0) return needs.length === 0 ? 'there is no solution' : `${listWords(needs, 'or')} is required`
  if (needs.length === 0) return cannotBeUsed(present)
  return `${listWords(present.map(subject), 'and')} ${present.length > 1 ? 'together require' : 'requires'} ${listWords(needs, 'or')}`
}

function cannotBeUsed(present: readonly CandidateVersions[]): string {
  const [only, second] = present
  if (only === undefined || second !== undefined) return `${listWords(present.map(subject), 'and')} cannot be used together`
  return isEveryOfMany(only) ? `no version of ${only.candidate.package.id} can be used` : `${subject(only)} cannot be used`
}

/** Returns versions as a subject: `every version of a`, `a 1.0.0 to 1.4.0`. */
function subject(literal: CandidateVersions): string {
  const { id } = literal.candidate.package
  return isEveryOfMany(literal) ? `every version of ${id}` : `${id} ${describeVersions(literal)}`
}

/** Returns versions as an object: `a`, `a 1.0.0 to 1.4.0`. */
function object(literal: CandidateVersions): string {
  const { id } = literal.candidate.package
  return isEveryOfMany(literal) ? id : `${id} ${describeVersions(literal)}`
}

function isEveryOfMany({ candidate, values }: CandidateVersions): boolean {
  return candidate.package.versions.length > 1 && values === candidate.versions
}

function mayBeAbsent({ candidate, values }: CandidateVersions): boolean {
  return (values & candidate.absent) !== 0n
}

function byId(a: CandidateVersions, b: CandidateVersions): number {
  return a.candidate.order - b.candidate.order
}

const MOST_RUNS = 6

/** Returns the versions from the end of the list to its start, which is mostly ascending: `1.0.0, 2.0.0 to 2.4.0`. */
function describeVersions({ candidate, values }: CandidateVersions): string {
  const label = (number: number): string => candidate.package.versions[number] ?? ''
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

/** Joins words: `a`, `a or b`, `a, b or c`. */
function listWords(words: readonly string[], joint: string): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`
}
