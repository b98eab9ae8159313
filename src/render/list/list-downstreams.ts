import type { WholeFile, WholeFolder } from '../../folder/whole-folder.ts'
import { scalarText } from '../../json.ts'
import type { DownstreamPlaces } from '../../lifecycle/package-steps.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import { once } from '../../remember.ts'
import { itemDocument } from '../../resource-list/item-document.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { DownstreamFolders } from '../../upstream/chain.ts'
import { idOfValues } from '../../upstream/values-id.ts'
import { isPackageVariant } from '../../variant/find-variant.ts'
import type { ListFolders } from './list-folders.ts'

/**
 * Returns the packages of a list, as the chains of the list need them. A list has no history: only the present state of a package is
 * known. Its id is a digest of the values of its objects, since orchestrators write their texts anew.
 */
export function listDownstreams(
  folders: ListFolders,
  items: readonly KrmObject[],
  places: () => DownstreamPlaces | undefined,
): DownstreamFolders {
  const known = once(() => placesByDownstream(items, places()))
  const placeOf = (folder: string): string => known().get(folder) ?? folder
  return {
    folder: (folder) => folderOfItems(folders.package(placeOf(folder))),
    shown: placeOf,
    id: idOfValues,
  }
}

/** Returns the folder of each variant's package by REPOSITORY/PACKAGE. */
function placesByDownstream(items: readonly KrmObject[], places: DownstreamPlaces | undefined): ReadonlyMap<string, string> {
  if (places === undefined) return new Map()
  return new Map(
    items.filter(isPackageVariant).map((object) => {
      const text = (key: string): string => scalarText(object.get(['spec', 'downstream', key]))
      const downstream = { repo: text('repo'), package: text('package') }
      return [`${downstream.repo}/${downstream.package}`, places.folderOf({ object, downstream })]
    }),
  )
}

/** Returns the objects of a package as the files that an orchestrator would write. */
export function folderOfItems(files: PackageFiles): WholeFolder {
  return {
    files: new Map([...files].map(([path, content]) => [path, fileOf(isBytes(content) ? content : textOf(content))])),
    links: [],
    gitFolders: [],
    leftovers: [],
  }
}

function textOf(objects: readonly KrmObject[]): Uint8Array {
  return Buffer.from(objects.map((object) => itemDocument(object).toText()).join('---\n'))
}

function fileOf(bytes: Uint8Array): WholeFile {
  return { mode: 0o644, size: bytes.length, read: () => bytes, holds: (other) => Buffer.compare(bytes, other) === 0 }
}
