import { compareText } from '../../field-path.ts'
import { type Candidate, type CandidateVersions, compareCandidates } from './candidate.ts'
import type { Exclusion, Fact, SolverRequirement, VersionDemand } from './problem.ts'
import { difference, type VersionSet } from './version-set.ts'

/** The origin of a rule, for explanations. */
export type Cause =
  | { readonly type: 'fact'; readonly fact: Fact }
  | { readonly type: 'requirement'; readonly package: string; readonly versions: VersionSet; readonly requirement: SolverRequirement }
  | { readonly type: 'exclusion'; readonly exclusion: Exclusion }

/**
 * A fact, requirement or exclusion as values that must not all be taken.
 * "a 1 requires b 2 or c": the owner is a 1; forbidden are a = 1, b ≠ 2 (absent, too) and c absent; the choices are b 2 and c.
 */
export interface Rule {
  readonly cause: Cause
  /** True for a rule about users' objects; false for a requirement that is known of a package in general. */
  readonly given: boolean
  /** The versions that have the requirement; undefined for facts and exclusions. */
  readonly owner?: CandidateVersions | undefined
  /** The values that must not all be taken. */
  readonly forbidden: readonly CandidateVersions[]
  /** The choices that meet the rule, the most preferred first; empty for exclusions and optional demands. */
  readonly choices: readonly CandidateVersions[]
}

/** Returns the rule that one of the choices is taken when the owner is. Without an owner the rule always applies. */
export function demandRule(
  demand: VersionDemand,
  choices: readonly CandidateVersions[],
  origin: Pick<Rule, 'cause' | 'owner' | 'given'>,
): Rule {
  const unmet = together(choices).map(({ candidate, values }) => ({ candidate, values: unmetBy(candidate, values, demand) }))
  const owner = origin.owner === undefined ? [] : [origin.owner]
  return { ...origin, forbidden: conjunction([...owner, ...unmet]), choices: demand.optional ? [] : choices }
}

/** Returns the rule that the choices of an exclusion are not all taken. */
export function exclusionRule(exclusion: Exclusion, together: readonly CandidateVersions[]): Rule {
  return { cause: { type: 'exclusion', exclusion }, given: true, forbidden: conjunction(together), choices: [] }
}

/** Returns a requirement's rule for fewer versions of its owner; any other rule as given. */
export function narrowRule(rule: Rule, versions: VersionSet): Rule {
  const { cause, owner } = rule
  if (owner === undefined || cause.type !== 'requirement') return rule
  const forbidden = rule.forbidden.map(({ candidate, values }) => ({
    candidate,
    values: candidate === owner.candidate ? values & versions : values,
  }))
  return { ...rule, forbidden, owner: { ...owner, values: versions }, cause: { ...cause, versions } }
}

/** Returns true if no choice of versions can violate the rule. */
export function isVacuous({ forbidden }: Rule): boolean {
  return forbidden.some(({ values }) => values === 0n)
}

/** Returns true for a fact that is handled after all other questions (`isLast`). */
export function isLast({ cause }: Rule): boolean {
  return cause.type === 'fact' && cause.fact.isLast === true
}

/** Returns the candidate whose rules include the rule: the owner, or the first package of an exclusion; undefined for facts. */
export function homeOf({ owner, cause, forbidden }: Rule): Candidate | undefined {
  return owner?.candidate ?? (cause.type === 'exclusion' ? forbidden[0]?.candidate : undefined)
}

const ORDER_OF_TYPES = { fact: 0, requirement: 1, exclusion: 2 } as const

/** Orders facts by id, then requirements by package id and `wants`, then exclusions by the id of their home and their own id. */
export function compareRules(a: Rule, b: Rule): number {
  return (
    ORDER_OF_TYPES[a.cause.type] - ORDER_OF_TYPES[b.cause.type] || compareHomes(homeOf(a), homeOf(b)) || compareText(nameOf(a), nameOf(b))
  )
}

function compareHomes(a: Candidate | undefined, b: Candidate | undefined): number {
  return a === b || a === undefined || b === undefined ? 0 : compareCandidates(a, b)
}

function nameOf({ cause }: Rule): string {
  if (cause.type === 'requirement') return cause.requirement.wants
  return cause.type === 'fact' ? cause.fact.id : cause.exclusion.id
}

function unmetBy({ versions, values: all }: Candidate, values: VersionSet, { optional }: VersionDemand): VersionSet {
  return difference(optional ? versions : all, values)
}

/** Returns each candidate of the choices once, with the union of its values. */
function together(choices: readonly CandidateVersions[]): readonly CandidateVersions[] {
  // The usual case needs no map.
  if (choices.length < 2) return choices
  const allowed = new Map<Candidate, VersionSet>()
  for (const { candidate, values } of choices) allowed.set(candidate, (allowed.get(candidate) ?? 0n) | values)
  return [...allowed].map(([candidate, values]) => ({ candidate, values }))
}

function conjunction(literals: readonly CandidateVersions[]): readonly CandidateVersions[] {
  const [first, second, third] = literals
  if (third === undefined && first?.candidate !== second?.candidate)
    return literals.filter(({ candidate, values }) => values !== candidate.values)
  const all = new Map<Candidate, VersionSet>()
  for (const { candidate, values } of literals) all.set(candidate, (all.get(candidate) ?? values) & values)
  return [...all].map(([candidate, values]) => ({ candidate, values })).filter(({ candidate, values }) => values !== candidate.values)
}
