import type { NewVariant } from '../../functions/fan-out/fan-out.ts'
import { groupBy } from '../../src/group-by.ts'
import { lookup, scalarText } from '../../src/json.ts'
import { fleetItems } from '../../src/render/list/fleet-items.ts'
import { ListFolders } from '../../src/render/list/list-folders.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { isPackageVariant, namespacedName } from '../../src/variant/find-variant.ts'
import { selectionOf } from '../../src/yaml/read/key-selection.ts'

/** The objects of a fleet, and the new variants that were taken from the fan-out. */
interface FannedOutFleet {
  readonly items: readonly KrmObject[]
  readonly taken: readonly NewVariant[]
  /** Returns true for a variant among the items that a set makes. */
  readonly isMade: (object: KrmObject) => boolean
  /** The beginning of the names of the fleet's files, '' for the folder of the caller. */
  readonly root: string
}

/** The objects that describe a fleet, and its variants: those among the objects and the taken ones. */
interface PlannedFleet {
  readonly others: readonly KrmObject[]
  readonly variants: readonly DividedVariant[]
}

/**
 * Returns the part of the objects that describes the fleet (`fleetItems`), and all variants. All taken variants of one set are in one
 * folder, so that one of them shows if they belong to the fleet.
 */
export function planFleet({ items, taken, isMade, root }: FannedOutFleet, options: Pick<RenderOptions, 'repositories'>): PlannedFleet {
  const samples = new Map(taken.map((variant) => [variant.set, variant]))
  const sets = new Map(Array.from(samples, ([set, variant]) => [variant.toObject(), set]))
  const everything = [...items, ...sets.keys()]
  const own = fleetItems(everything, new ListFolders(everything, root), options)
  const known = new Set(own.map((item) => sets.get(item)))
  const others = own.filter((item) => !sets.has(item))
  const ofFleet = taken.filter(({ set }) => known.has(set))
  const after = groupBy(ofFleet, ({ near }) => near)
  return { others, variants: inOrder(others, after, isMade) }
}

/** Returns all variants in the order in which a list has them: each taken one after the item that it is put after. */
function inOrder(
  items: readonly KrmObject[],
  after: ReadonlyMap<KrmObject | undefined, readonly NewVariant[]>,
  isMade: (object: KrmObject) => boolean,
): readonly DividedVariant[] {
  const variants: DividedVariant[] = []
  const put = (near: KrmObject | undefined) => {
    for (const variant of after.get(near) ?? []) variants.push(new TakenVariant(variant))
  }
  for (const item of items) {
    if (isPackageVariant(item)) variants.push(listedVariant(item, isMade(item)))
    put(item)
  }
  const seen = new Set<KrmObject | undefined>(items)
  for (const near of after.keys()) if (!seen.has(near)) put(near)
  return variants
}

/** A variant as far as dividing a fleet needs it. Its object is made when it is asked for: a fleet may have a million variants. */
export interface DividedVariant {
  readonly name: string
  /** `NAMESPACE/NAME` */
  readonly fullName: string
  /** The repository of its downstream, and that of its upstream. */
  readonly repo: string
  readonly upstreamRepo: string
  /** True for a variant that a set makes, which is in no file. */
  readonly isMade: boolean
  toObject(): KrmObject
}

/** Returns a variant of a list. */
function listedVariant(object: KrmObject, isMade: boolean): DividedVariant {
  const [downstream] = object.pick(PLACE)
  const [upstream] = object.pick(UPSTREAM)
  return {
    name: object.name ?? '',
    fullName: namespacedName(object),
    repo: scalarText(downstream?.repo),
    upstreamRepo: scalarText(upstream?.repo),
    isMade,
    toObject: () => object,
  }
}

const PLACE = selectionOf({ path: ['spec', 'downstream'], keys: ['repo'] })
const UPSTREAM = selectionOf({ path: ['spec', 'upstream'], keys: ['repo'] })

/** A new variant of a set, taken from the fan-out. */
class TakenVariant implements DividedVariant {
  readonly isMade = true
  readonly #variant: NewVariant

  constructor(variant: NewVariant) {
    this.#variant = variant
  }

  get name(): string {
    return this.#variant.name
  }

  get fullName(): string {
    return namespacedName({ namespace: this.#variant.set.object.namespace, name: this.name })
  }

  get repo(): string {
    return this.#variant.why.repo
  }

  get upstreamRepo(): string {
    return scalarText(lookup(this.#variant.why.place.upstream.fields, 'repo'))
  }

  toObject(): KrmObject {
    return this.#variant.toObject()
  }
}
