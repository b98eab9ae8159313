import type { DownstreamPlaces } from '../../lifecycle/package-steps.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import type { RenderOptions } from '../options.ts'
import { planRender, type RenderSelection } from '../plan-render.ts'
import type { PackageFunctions } from '../runs/package-functions.ts'
import { fleetItems } from './fleet-items.ts'
import { listDownstreams } from './list-downstreams.ts'
import { type ListFolders, listPackageSource } from './list-folders.ts'
import { listPlaces } from './list-places.ts'

/** The variants of a list to render, and the functions that run in their packages. */
export interface ListSettings {
  /** The one variant to render, an item or not; packages of others stay unchanged. */
  readonly only?: KrmObject
  /** Runs the functions of packages; undefined to leave that to kpt or Porch. */
  readonly functions?: PackageFunctions
}

/** Plans the packages of a list. Returns the plan, with the packages of the list as later packages of a chain see them. */
export function planList(all: readonly KrmObject[], folders: ListFolders, options: RenderOptions, { only, functions }: ListSettings) {
  const own = fleetItems(all, folders, options)
  const items = only === undefined || own.includes(only) ? own : [...own.filter((item) => !isSame(item, only)), only]
  const known: DownstreamPlaces[] = []
  const downstreams = listDownstreams(folders, items, () => known[0])
  const plan = planRender({
    items,
    options,
    packageSource: listPackageSource(folders),
    places: (fleet) => {
      const places = listPlaces(folders, fleet, items, options)
      known.push(places)
      return places
    },
    downstreams,
    ...(only !== undefined && { selection: selectionOf(only) }),
    ...(functions !== undefined && { functions }),
  })
  return { plan, downstreams }
}

function selectionOf(only: KrmObject): RenderSelection {
  return { has: (variant) => variant.object === only, mayGo: (owner) => owner === namespacedName(only) }
}

function isSame(a: KrmObject, b: KrmObject): boolean {
  return a.kind === b.kind && namespacedName(a) === namespacedName(b)
}
