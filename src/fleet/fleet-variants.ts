import { compareText } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { decodePackageVariant, type PackageVariant } from '../kinds/package-variant.ts'
import { once, remember } from '../remember.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { collectFaults, type Result } from '../result.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { readFleet } from './fleet.ts'
import { ownerFinder } from './ownership.ts'
import { findSets } from './sets.ts'

/** The part of a variant that planning needs and that stays in memory: a fleet may have tens of thousands of variants. */
export type FleetVariant = Omit<PackageVariant, 'annotations' | 'packageContext' | 'pipeline' | 'injectors'>

export interface FleetVariants {
  readonly variants: readonly FleetVariant[]
  readonly results: readonly Result[]
}

/** Decodes PackageVariants. A variant with faults is left out, and its faults are among the results. */
export function readVariants(objects: readonly KrmObject[]): FleetVariants {
  const variants: FleetVariant[] = []
  const upstreams = new Map<string, PackageVariant['upstream']>()
  const results: Result[] = []
  for (const object of objects) {
    const decoded = collectFaults(results, () => decodePackageVariant(object))
    if (decoded === undefined) continue
    variants.push(planned(decoded.variant, upstreams))
    results.push(...decoded.warnings)
  }
  return { variants, results }
}

/** Returns the whole variant, decoded again when its package is rendered. */
export function wholeVariant({ object }: FleetVariant): PackageVariant {
  return decodePackageVariant(object).variant
}

/**
 * Returns the part of a variant that planning needs. Equal upstreams share one object, since most variants have one of a few.
 *
 * @param upstreams  the upstreams of other variants, by their text
 */
function planned(
  { annotations: _, packageContext: __, pipeline: ___, injectors: ____, ...variant }: PackageVariant,
  upstreams: Map<string, PackageVariant['upstream']>,
): FleetVariant {
  return { ...variant, upstream: remember(upstreams, JSON.stringify(variant.upstream), () => variant.upstream) }
}

/** The names of a fleet's variants. They decide which variant a function of a pipeline belongs to. */
export class VariantNames {
  /** The names with dots, sorted, by each beginning of theirs that ends before a dot. */
  readonly #byBeginning: ReadonlyMap<string, readonly string[]>

  constructor(names: readonly string[]) {
    const dotted = [...new Set(names)].filter((name) => name.includes('.')).sort(compareText)
    const beginnings = dotted.flatMap((name) =>
      Array.from(name.matchAll(/\./g), ({ index }) => ({ beginning: name.slice(0, index), name })),
    )
    const found = groupBy(beginnings, ({ beginning }) => beginning)
    this.#byBeginning = new Map(Array.from(found, ([beginning, own]) => [beginning, own.map(({ name }) => name)]))
  }

  /**
   * Returns the names that begin with the given name and a dot: functions of these variants could be mistaken for functions of the
   * named one.
   */
  beginningWith(name: string): readonly string[] {
    return this.#byBeginning.get(name) ?? []
  }
}

/** Returns `NAMESPACE/NAME` of the set that a variant belongs to; undefined for a variant without a set. */
export type SetOf = (variant: FleetVariant) => string | undefined

/** Returns a function that finds the set of a variant. The fleet is read at the first call. */
export function setFinder(items: readonly KrmObject[]): SetOf {
  const sets = once(() => readSets(items))
  return ({ object }) => sets().get(object)
}

function readSets(items: readonly KrmObject[]): ReadonlyMap<KrmObject, string> {
  const fleet = readFleet(items)
  const findOwner = ownerFinder(findSets({ items, functionConfig: undefined }, fleet.kinds).map(({ owner }) => owner))
  return new Map(
    fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').flatMap((variant) => {
      const owner = findOwner(variant)
      return owner === undefined ? [] : [[variant.object, `${owner.namespace}/${owner.name}`] as const]
    }),
  )
}
