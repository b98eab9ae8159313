import { groupBy } from '../group-by.ts'
import { remember } from '../remember.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, packageFinder } from '../resource-list/package-of.ts'
import { itemPath } from '../resource-list/revision-folders.ts'

/** The items of a folder by package, and by the path of their file from the folder of the package. */
export class PackageItems {
  readonly #byFolder: ReadonlyMap<string, readonly KrmObject[]>
  readonly #byPath = new Map<string, ReadonlyMap<string, readonly KrmObject[]>>()

  constructor(items: readonly KrmObject[]) {
    const packageOf = packageFinder(items)
    const inFiles = items.filter(({ file }) => file !== undefined)
    this.#byFolder = groupBy(inFiles, (item) => packageOf(item))
  }

  /** Returns the items of the package of a Kptfile, without those of its subpackages. */
  of(kptfile: KrmObject): ReadonlyMap<string, readonly KrmObject[]> {
    const folder = packageFolder(kptfile)
    const start = folder === '' ? 0 : folder.length + 1
    return remember(this.#byPath, folder, () => groupBy(this.#byFolder.get(folder) ?? [], (item) => itemPath(item).slice(start)))
  }
}

/** Returns the folder of the package whose Kptfile is given. */
export function packageFolder(kptfile: KrmObject): string {
  return folderOf(itemPath(kptfile))
}
