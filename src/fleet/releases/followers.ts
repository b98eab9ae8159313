import type { UpstreamFields } from '../../kinds/upstream-schema.ts'
import { remember } from '../../remember.ts'
import type { FleetPlan } from '../plan-fan-out.ts'
import { PackageMakers, type PlannedVariant, plannedVariants, upstreamOfPlanned } from '../planned-variants.ts'

/**
 * The links of chains that name no published revision (docs/chains.md). The package of such a variant follows the package of another one,
 * so no revision of its own can be older than another.
 */
export class Followers {
  readonly #planned: readonly PlannedVariant[]
  readonly #makers: PackageMakers
  readonly #isPublished: (upstream: UpstreamFields, namespace: string) => boolean
  #below: ReadonlyMap<string, readonly PlannedVariant[]> | undefined

  /** @param isPublished  returns true unless an upstream certainly names a revision that is published nowhere */
  constructor(plan: Pick<FleetPlan, 'fleet' | 'sets'>, isPublished: (upstream: UpstreamFields, namespace: string) => boolean) {
    this.#planned = plannedVariants(plan)
    this.#makers = new PackageMakers(this.#planned)
    this.#isPublished = isPublished
  }

  /** Returns the variant whose package an upstream follows; undefined for a published upstream, and for one that no variant makes. */
  makerOf(upstream: UpstreamFields, namespace: string): PlannedVariant | undefined {
    const maker = this.#makers.of(upstream, namespace)
    return maker === undefined || this.#isPublished(upstream, namespace) ? undefined : maker
  }

  /** Returns the variants whose packages follow those of the given variants, directly or through others. */
  below(variants: readonly { readonly namespace: string; readonly name: string }[]): readonly PlannedVariant[] {
    this.#below ??= this.#followersByMaker()
    const own = new Set(variants.map(keyOf))
    const found = new Map<string, PlannedVariant>()
    const next = [...own]
    for (let key = next.pop(); key !== undefined; key = next.pop())
      for (const follower of this.#below.get(key) ?? []) {
        const known = keyOf(follower)
        if (own.has(known) || found.has(known)) continue
        found.set(known, follower)
        next.push(known)
      }
    return [...found.values()]
  }

  #followersByMaker(): ReadonlyMap<string, readonly PlannedVariant[]> {
    const below = new Map<string, PlannedVariant[]>()
    for (const variant of this.#planned) {
      const maker = this.makerOf(upstreamOfPlanned(variant), variant.namespace)
      if (maker === undefined || maker === variant) continue
      remember(below, keyOf(maker), (): PlannedVariant[] => []).push(variant)
    }
    return below
  }
}

function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}
