import type { FleetVariant } from '../fleet/fleet-variants.ts'
import type { SetPlan } from '../fleet/plan-fan-out.ts'
import type { DownstreamPlace } from '../lifecycle/package-steps.ts'
import { namespacedName } from '../variant/find-variant.ts'

/** The values that a template of branches may name. */
export const BRANCH_PLACEHOLDERS = ['namespace', 'set', 'ring', 'repository'] as const
export type BranchPlaceholder = (typeof BRANCH_PLACEHOLDERS)[number]

/** The values of one package. A package of no set, or in no ring, has the value `no-set` or `no-ring`. */
export type BranchValues = Readonly<Record<BranchPlaceholder, string>>

/** Returns the placeholders of a template that have no value. Example: `drafts/{sett}` → `sett`. */
export function unknownPlaceholders(template: string): readonly string[] {
  return placeholdersOf(template).filter((name) => !BRANCH_PLACEHOLDERS.some((known) => known === name))
}

function placeholdersOf(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

const PLACEHOLDER = /\{([^{}]*)\}/g

/** Returns the branch of a package. Example: `drafts/{set}/{ring}` → `drafts/tills/canary`. */
export function branchOf(template: string, values: BranchValues): string {
  return BRANCH_PLACEHOLDERS.reduce((branch, name) => branch.replaceAll(`{${name}}`, () => values[name]), template)
}

/**
 * Returns the values of a template that must not be in the name of a branch: with another character than letters, digits, `.`, `_` and
 * `-`, or with dots that git gives a meaning.
 */
export function unsafeValues(template: string, values: BranchValues): readonly (readonly [BranchPlaceholder, string])[] {
  return BRANCH_PLACEHOLDERS.filter((name) => template.includes(`{${name}}`) && !isSafe(values[name])).map((name) => [name, values[name]])
}

function isSafe(value: string): boolean {
  return /^[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_-])?$/.test(value) && !value.includes('..') && !value.endsWith('.lock')
}

/** Finds the values of packages by the sets that ask for their variants. */
export class BranchValueFinder {
  readonly #values = new Map<string, Pick<BranchValues, 'set' | 'ring'>>()
  readonly #sets: readonly SetPlan[]

  constructor(sets: readonly SetPlan[]) {
    this.#sets = sets
    for (const { owner, changes } of sets)
      for (const { namespace, name, why } of changes)
        this.#values.set(`${namespace}/${name}`, { set: owner.name, ring: why?.place.ring?.name ?? NO_RING })
  }

  ofVariant({ object, namespace = '', downstream }: FleetVariant): BranchValues {
    const found = this.#values.get(namespacedName(object)) ?? { set: NO_SET, ring: NO_RING }
    return { namespace: namespace || namespacedName(object).split('/', 1)[0] || '', repository: downstream.repo, ...found }
  }

  /** Returns the values of a package whose variant is gone. Its set is the one whose name begins the name of the variant. */
  ofLeftover({ owner, repo }: Pick<DownstreamPlace, 'owner' | 'repo'>): BranchValues {
    const [namespace = '', name = ''] = (owner?.variant ?? '').split('/')
    const known = this.#values.get(`${namespace}/${name}`)
    const sets = this.#sets.filter(({ owner }) => owner.namespace === namespace && name.startsWith(`${owner.name}-`))
    const [nearest] = sets.map(({ owner }) => owner.name).sort((a, b) => b.length - a.length)
    return { namespace, repository: repo, ...(known ?? { set: nearest ?? NO_SET, ring: NO_RING }) }
  }
}

const NO_SET = 'no-set'
const NO_RING = 'no-ring'
