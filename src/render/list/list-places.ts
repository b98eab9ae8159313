import type { Fleet } from '../../fleet/fleet.ts'
import type { FleetVariant } from '../../fleet/fleet-variants.ts'
import { ownerFinder } from '../../fleet/ownership.ts'
import { findSets } from '../../fleet/sets.ts'
import { readOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import type { DownstreamPlace, DownstreamPlaces } from '../../lifecycle/package-steps.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, joinPath } from '../../resource-list/package-of.ts'
import { PORCH_CONFIG_GROUP } from '../../well-known.ts'
import type { RenderOptions } from '../options.ts'
import type { ListFolders } from './list-folders.ts'

/** Returns the downstream packages of a list: below the folder that the options name, else beside the set of their variant. */
export function listPlaces(
  folders: ListFolders,
  fleet: Fleet,
  items: readonly KrmObject[],
  { out }: Pick<RenderOptions, 'out'>,
): DownstreamPlaces {
  const baseOf = out === undefined ? besideSet(folders, fleet, items) : () => nameFolder(out)
  const placeAt = (folder: string, kptfile: KrmObject | undefined): DownstreamPlace => ({
    folder,
    repo: repoOf(folder, out),
    isPackage: kptfile !== undefined,
    // A list is parsed before the function runs.
    kptfileFault: () => undefined,
    kptfile: () => kptfile,
    owner: kptfile && readOwnerAnnotation(kptfile),
  })
  return {
    at: (folder) => (folders.has(folder) ? placeAt(folder, folders.kptfile(folder)) : undefined),
    owned: folders
      .kptfiles()
      .flatMap(({ folder, kptfile }) => (readOwnerAnnotation(kptfile) === undefined ? [] : [placeAt(folder, kptfile)])),
    faults: [],
    isShared: false,
    linkOnWayTo: () => undefined,
    folderOf: (variant) => joinPath(baseOf(variant), `${variant.downstream.repo}/${variant.downstream.package}`),
  }
}

/** Returns a folder as the paths of a list name it: `./a//b/` → `a/b`. */
export function nameFolder(folder: string): string {
  return folder
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

/** Returns the repository of a package's folder: the first folder below `out`; without `out`, the parent folder. */
function repoOf(folder: string, out: string | undefined): string {
  const base = out === undefined ? undefined : nameFolder(out)
  const steps = (base !== undefined && folder.startsWith(`${base}/`) ? folder.slice(base.length + 1) : folder).split('/')
  return (base === undefined ? steps.at(-2) : steps[0]) ?? ''
}

/** Returns a function from a variant to the folder of its set; for a variant without a set, its own folder. */
function besideSet(folders: ListFolders, fleet: Fleet, items: readonly KrmObject[]): (variant: Pick<FleetVariant, 'object'>) => string {
  const sets = findSets({ items, functionConfig: undefined }, fleet.kinds).map(({ object, owner }) => ({ ...owner, object }))
  const findOwner = ownerFinder(sets)
  const owners = new Map(fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').map((variant) => [variant.object, findOwner(variant)?.object]))
  return ({ object }) => {
    const owner = owners.get(object) ?? object
    return owner.file === undefined ? '' : folderOf(folders.pathOf(owner))
  }
}
