import { scalarText } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf } from '../../resource-list/package-of.ts'
import { isPackageVariant } from '../../variant/find-variant.ts'
import type { RenderOptions } from '../options.ts'
import { bareFolder } from '../origin.ts'
import { readOwnerAnnotation } from '../owner-annotation.ts'
import type { ListFolders } from './list-folders.ts'

/**
 * Returns the items that describe the fleet: sets, variants, targets, context objects. An item in an upstream package or in a package
 * that was made for a variant belongs to that package and is left out.
 */
export function fleetItems(
  items: readonly KrmObject[],
  folders: ListFolders,
  { repositories }: Pick<RenderOptions, 'repositories'>,
): readonly KrmObject[] {
  const kptfiles = folders.kptfiles()
  const made = new Set(kptfiles.filter(({ kptfile }) => readOwnerAnnotation(kptfile) !== undefined).map(({ folder }) => folder))
  const outside = items.filter((item) => !isInside(folders.pathOf(item), made))
  const shelves = shelfFolders(outside, repositories)
  const upstream = new Set(kptfiles.filter(({ folder }) => isInside(folder, shelves)).map(({ folder }) => folder))
  return outside.filter((item) => !isInside(folders.pathOf(item), upstream))
}

/** Returns the folders of the repositories that hold upstream packages. */
function shelfFolders(items: readonly KrmObject[], repositories: RenderOptions['repositories']): ReadonlySet<string> {
  const named = new Set(items.filter(isPackageVariant).map((variant) => scalarText(variant.get(['spec', 'upstream', 'repo']))))
  const options = [...repositories].flatMap(([name, { path, revisions }]) => [
    path ?? name,
    ...[...revisions.values()].flatMap((revision) => (revision.path === undefined ? [] : [folderOf(bareFolder(revision.path))])),
  ])
  return new Set([...named, ...options].map(bareFolder))
}

/** Returns true if a path is below one of the folders. */
function isInside(path: string, folders: ReadonlySet<string>): boolean {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) if (folders.has(folder)) return true
  return false
}
