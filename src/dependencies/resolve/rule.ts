import { compareText } from '../../field-path.ts'
import { type Candidate, type CandidateVersions, compareCandidates } from './candidate.ts'
import type { Exclusion, Fact, SolverRequirement, VersionDemand } from './problem.ts'
import { difference, type VersionSet } from './version-set.ts'

/** Where a rule comes from, for the explanation. */
export type Cause =
  | { readonly type: 'fact'; readonly fact: Fact }
  | { readonly type: 'requirement'; readonly package: string; readonly versions: VersionSet; readonly requirement: SolverRequirement }
  | { readonly type: 'exclusion'; readonly exclusion: Exclusion }

/** One thing that must hold. */
export interface Rule {
  readonly cause: Cause
  /** Whether it is about users' objects, not something that is known of packages in general. */
  readonly given: boolean
  /** The versions that require it; none for facts and exclusions. */
  readonly owner?: CandidateVersions | undefined
  /** Values that must not be taken all at once. */
  readonly forbidden: readonly CandidateVersions[]
  /** What would meet it, the best first; none where nothing has to be added to meet it. */
  readonly choices: readonly CandidateVersions[]
}

/** The rule that if the owner is there, one of the choices is too. */
export function demandRule(
  demand: VersionDemand,
  choices: readonly CandidateVersions[],
  origin: Pick<Rule, 'cause' | 'owner' | 'given'>,
): Rule {
  const unmet = together(choices).map(({ candidate, values }) => ({ candidate, values: unmetBy(candidate, values, demand) }))
  const owner = origin.owner === undefined ? [] : [origin.owner]
  return { ...origin, forbidden: conjunction([...owner, ...unmet]), choices: demand.optional ? [] : choices }
}

/** The rule that some versions are not there together. */
export function exclusionRule(exclusion: Exclusion, together: readonly CandidateVersions[]): Rule {
  return { cause: { type: 'exclusion', exclusion }, given: true, forbidden: conjunction(together), choices: [] }
}

/** The same rule, required by fewer versions. */
export function narrowRule(rule: Rule, versions: VersionSet): Rule {
  const { cause, owner } = rule
  if (owner === undefined || cause.type !== 'requirement') return rule
  const forbidden = rule.forbidden.map(({ candidate, values }) => ({
    candidate,
    values: candidate === owner.candidate ? values & versions : values,
  }))
  return { ...rule, forbidden, owner: { ...owner, values: versions }, cause: { ...cause, versions } }
}

/** Whether nothing breaks the rule. */
export function isVacuous({ forbidden }: Rule): boolean {
  return forbidden.some(({ values }) => values === 0n)
}

/** Whether it is asked when nothing else is. */
export function isLast({ cause }: Rule): boolean {
  return cause.type === 'fact' && cause.fact.isLast === true
}

/** The candidate with whose rules it stands; facts stand by themselves. */
export function homeOf({ owner, cause, forbidden }: Rule): Candidate | undefined {
  return owner?.candidate ?? (cause.type === 'exclusion' ? forbidden[0]?.candidate : undefined)
}

const ORDER_OF_TYPES = { fact: 0, requirement: 1, exclusion: 2 } as const

/** Facts by id; then what packages require, by their ids and by what they want; then exclusions by id. */
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

/** One literal for each candidate, without those that always hold. */
/** Each candidate once, with all its values. */
function together(choices: readonly CandidateVersions[]): readonly CandidateVersions[] {
  // As nearly always: no map has to be made.
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
