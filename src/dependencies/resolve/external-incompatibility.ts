import { compareText } from '../../field-path.ts'
import type { Exclusion, ProblemPackage, RangeRequirement, RootRequirement, SolverRequirement } from './problem.ts'
import { difference, firstVersions, type VersionSet } from './version-set.ts'

/** A package with its possible values: each of its versions, and absent. */
export class SolverPackage {
  readonly id: string
  /** The versions as users write them, the most preferred first. */
  readonly labels: readonly string[]
  readonly keep: number | undefined
  readonly rises: boolean
  readonly versions: VersionSet
  readonly absent: VersionSet
  /** Every version, and absent. */
  readonly values: VersionSet
  /** The index of the package when all are sorted by id; 0 in `firstLook`, which does not know all packages. */
  order = 0
  /** The root requirement that allows one version only, if there is one. */
  fixedBy: RootRequirement | undefined
  /** The version that `fixedBy` allows; empty without `fixedBy`. */
  fixedVersion: VersionSet = 0n
  /** The requirements of each version that a root requirement or a requirement allows, by the number of the version. */
  readonly requirements = new Map<number, readonly SolverRequirement[]>()

  constructor({ id, versions, keep, rises = false }: ProblemPackage) {
    this.id = id
    this.labels = versions
    this.keep = keep
    this.rises = rises
    this.versions = firstVersions(versions.length)
    this.absent = this.versions + 1n
    this.values = this.versions | this.absent
  }
}

/** Orders packages that keep their installed version before all others; packages of each group by id. */
export function compareAsked(a: SolverPackage, b: SolverPackage): number {
  return Number(isKept(b)) - Number(isKept(a)) || comparePackages(a, b)
}

function isKept({ keep, rises }: SolverPackage): boolean {
  return keep !== undefined && !rises
}

/** Orders packages by id, so that the order of the input does not matter. */
function comparePackages(a: SolverPackage, b: SolverPackage): number {
  return a.order - b.order || compareText(a.id, b.id)
}

/** Some values of a package. */
export interface Term {
  readonly package: SolverPackage
  readonly values: VersionSet
}

/** The origin of an external incompatibility, for explanations. */
export type ExternalCause =
  | { readonly type: 'root'; readonly root: RootRequirement }
  | { readonly type: 'requirement'; readonly package: string; readonly versions: VersionSet; readonly requirement: SolverRequirement }
  | { readonly type: 'exclusion'; readonly exclusion: Exclusion }

/**
 * A root requirement, requirement or exclusion as terms that must not all hold (pub's external incompatibility).
 * "a 1 requires b 2 or c": the owner is a 1; forbidden are a = 1, b ≠ 2 (absent, too) and c absent; the choices are b 2 and c.
 */
export interface ExternalIncompatibility {
  readonly cause: ExternalCause
  /** True for an incompatibility about users' objects; false for a requirement that is known of a package in general. */
  readonly given: boolean
  /** The versions that have the requirement; undefined for root requirements and exclusions. */
  readonly owner?: Term | undefined
  /** The values that must not all be taken. */
  readonly terms: readonly Term[]
  /** The choices that meet the requirement, the most preferred first; empty for exclusions and optional requirements. */
  readonly choices: readonly Term[]
}

/**
 * Returns the incompatibility of a requirement: if the owner is chosen, one of the choices must be. Without an owner the requirement always
 * applies.
 */
export function requirementIncompatibility(
  demand: RangeRequirement,
  choices: readonly Term[],
  cause: Pick<ExternalIncompatibility, 'cause' | 'owner' | 'given'>,
): ExternalIncompatibility {
  const terms: Term[] = cause.owner === undefined ? [] : [cause.owner]
  for (const { package: pkg, values } of together(choices)) {
    terms.push({ package: pkg, values: difference(demand.optional ? pkg.versions : pkg.values, values) })
  }
  return { ...cause, terms: conjunction(terms), choices: demand.optional ? [] : choices }
}

/** Returns the incompatibility of an exclusion: its versions must not all be chosen. */
export function exclusionIncompatibility(exclusion: Exclusion, together: readonly Term[]): ExternalIncompatibility {
  return { cause: { type: 'exclusion', exclusion }, given: true, terms: conjunction(together), choices: [] }
}

/** Returns the incompatibility of a requirement for fewer versions of its owner. Returns any other incompatibility unchanged. */
export function narrowTo(external: ExternalIncompatibility, versions: VersionSet): ExternalIncompatibility {
  const { cause, owner } = external
  if (owner === undefined || cause.type !== 'requirement') return external
  const terms = external.terms.map((term) => (term.package === owner.package ? { ...term, values: term.values & versions } : term))
  return { ...external, terms, owner: { ...owner, values: versions }, cause: { ...cause, versions } }
}

/** Returns true if no choice of versions can violate the incompatibility. */
export function isVacuous({ terms }: ExternalIncompatibility): boolean {
  return terms.some(({ values }) => values === 0n)
}

/** Returns true for a root requirement that is handled after all other questions (`isLast`). */
export function isLast({ cause }: ExternalIncompatibility): boolean {
  return cause.type === 'root' && cause.root.isLast === true
}

/**
 * Returns the package with which an incompatibility is listed: the owner, or the first package of an exclusion; undefined for root
 * requirements.
 */
export function homeOf({ owner, cause, terms }: ExternalIncompatibility): SolverPackage | undefined {
  return owner?.package ?? (cause.type === 'exclusion' ? terms[0]?.package : undefined)
}

const ORDER_OF_TYPES = { root: 0, requirement: 1, exclusion: 2 } as const

/**
 * Orders root requirements by id, then requirements by package id and `wants`, then exclusions by the id of their home and their own id.
 */
export function compareExternal(a: ExternalIncompatibility, b: ExternalIncompatibility): number {
  return (
    ORDER_OF_TYPES[a.cause.type] - ORDER_OF_TYPES[b.cause.type] || compareHomes(homeOf(a), homeOf(b)) || compareText(nameOf(a), nameOf(b))
  )
}

function compareHomes(a: SolverPackage | undefined, b: SolverPackage | undefined): number {
  return a === b || a === undefined || b === undefined ? 0 : comparePackages(a, b)
}

function nameOf({ cause }: ExternalIncompatibility): string {
  if (cause.type === 'requirement') return cause.requirement.wants
  return cause.type === 'root' ? cause.root.id : cause.exclusion.id
}

/** Returns each package of the choices once, with the union of its values. */
function together(choices: readonly Term[]): readonly Term[] {
  // The usual case needs no map.
  if (choices.length < 2) return choices
  const allowed = new Map<SolverPackage, VersionSet>()
  for (const { package: pkg, values } of choices) allowed.set(pkg, (allowed.get(pkg) ?? 0n) | values)
  return [...allowed].map(([pkg, values]) => ({ package: pkg, values }))
}

function conjunction(terms: readonly Term[]): readonly Term[] {
  // The usual case needs neither a map nor another list.
  if (terms.length < 3 && terms[0]?.package !== terms[1]?.package) return terms.every(isNarrow) ? terms : terms.filter(isNarrow)
  const all = new Map<SolverPackage, VersionSet>()
  for (const { package: pkg, values } of terms) all.set(pkg, (all.get(pkg) ?? values) & values)
  return [...all].map(([pkg, values]) => ({ package: pkg, values })).filter(isNarrow)
}

/** Returns false for a term that allows every value. */
function isNarrow({ package: pkg, values }: Term): boolean {
  return values !== pkg.values
}
