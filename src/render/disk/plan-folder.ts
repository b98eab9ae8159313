import { readFleet } from '../../fleet/fleet.ts'
import { ownerFinder } from '../../fleet/ownership.ts'
import { findSets } from '../../fleet/sets.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import type { GitPlaces } from '../../package/git-cache.ts'
import { locateFolder, readText } from '../../package/whole-folder.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { fleetItems } from '../list/fleet-items.ts'
import { ListFolders } from '../list/list-folders.ts'
import type { RenderOptions } from '../options.ts'
import { type SelectionTerms, selectVariants } from '../selection.ts'
import { diskPlaces } from './disk-places.ts'
import { diskShelves } from './disk-shelves.ts'
import type { FolderRequest } from './render-to-folder.ts'

/** A fleet as a caller describes it. */
export interface FleetFolder {
  /** What its folder holds, with the variants that its sets make. */
  readonly items: readonly KrmObject[]
  readonly dir: string
  readonly out: FolderRequest['out']
  readonly options: RenderOptions
  readonly git: Pick<GitPlaces, 'cache' | 'offline'>
  readonly terms: SelectionTerms
}

/** What is to be rendered of a fleet: its own objects, its upstreams in folders and git, and its packages below a folder. */
export function planFolder({ items, dir, out, options, git, terms }: FleetFolder): Omit<FolderRequest, 'isDry' | 'keep'> {
  const own = fleetItems(items, new ListFolders(items), options)
  const selection = selectVariants(terms, setFinder(own))
  return {
    items: own,
    options,
    out,
    shelves: diskShelves(dir, { ...git, base: dir }, options.clone),
    places: diskPlaces(out.disk, out.shown, (path) => readText(locateFolder(out.disk, path))),
    ...(selection !== undefined && { selection }),
  }
}

function setFinder(items: readonly KrmObject[]): (variant: PackageVariant) => string | undefined {
  const fleet = readFleet(items)
  const findOwner = ownerFinder(findSets({ items, functionConfig: undefined }, fleet.kinds).map(({ owner }) => owner))
  const sets = new Map(
    fleet.allOf('config.porch.kpt.dev', 'PackageVariant').map((variant) => {
      const owner = findOwner(variant)
      return [variant.object, owner && `${owner.namespace}/${owner.name}`]
    }),
  )
  return ({ object }) => sets.get(object)
}
