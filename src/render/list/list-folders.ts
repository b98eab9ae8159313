import { groupBy } from '../../group-by.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, KPTFILE, locate } from '../../resource-list/package-of.ts'
import { joinFolders } from '../upstream/upstream-places.ts'

/** The folders that the items of a list stand in, by their paths from the folder that the list was read from. */
export class ListFolders {
  readonly #root: string
  readonly #items: ReadonlyMap<string, readonly KrmObject[]>
  readonly #folders: ReadonlyMap<string, ReadonlySet<string>>

  /** @param root  the folder that the list was read from, if its items name it */
  constructor(items: readonly KrmObject[], root = outermost(items)) {
    this.#root = root
    const located = items.filter(({ file }) => file !== undefined)
    this.#items = groupBy(located, (item) => folderOf(this.pathOf(item)))
    this.#folders = foldersAbove([...this.#items.keys()])
  }

  /** Where an item's file is. */
  pathOf({ file, packagePath }: KrmObject): string {
    const location = locate(file?.path ?? '', packagePath)
    return this.#root !== '' && location.startsWith(`${this.#root}/`) ? location.slice(this.#root.length + 1) : location
  }

  /** Whether anything stands in a folder or below it. */
  has(folder: string): boolean {
    return this.#folders.has(folder)
  }

  /** The folders in the folder above one. */
  beside(folder: string): readonly string[] {
    const above = folderOf(folder)
    return [...(this.#folders.get(above) ?? [])].map((name) => joinFolders(above, name))
  }

  /** The items in a folder and below it, with their paths from it. */
  below(folder: string): readonly { readonly path: string; readonly item: KrmObject }[] {
    const own = (this.#items.get(folder) ?? []).map((item) => ({ path: baseName(this.pathOf(item)), item }))
    const names = [...(this.#folders.get(folder) ?? [])]
    return [
      ...own,
      ...names.flatMap((name) => this.below(joinFolders(folder, name)).map(({ path, item }) => ({ path: `${name}/${path}`, item }))),
    ]
  }

  /** The package in a folder, with its subpackages. */
  package(folder: string): PackageFiles {
    const files = groupBy(this.below(folder), ({ path }) => path)
    return new Map(
      Array.from(files, ([path, documents]) => [path, documents.map(({ item }) => item).sort((a, b) => indexOf(a) - indexOf(b))]),
    )
  }

  /** The Kptfile of a folder. */
  kptfile(folder: string): KrmObject | undefined {
    return this.#items.get(folder)?.find((item) => baseName(this.pathOf(item)) === KPTFILE)
  }

  /** The Kptfiles of all packages, each with its folder. */
  kptfiles(): readonly { readonly folder: string; readonly kptfile: KrmObject }[] {
    return [...this.#items.keys()].flatMap((folder) => {
      const kptfile = this.kptfile(folder)
      return kptfile === undefined ? [] : [{ folder, kptfile }]
    })
  }
}

/** What every folder holds: the names of folders; a folder is known when anything stands below it. */
function foldersAbove(folders: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>([['', new Set()]])
  for (const folder of folders) {
    for (let below = folder; !known.has(below); below = folderOf(below)) known.set(below, new Set())
    for (let below = folder; below !== ''; below = folderOf(below)) known.get(folderOf(below))?.add(baseName(below))
  }
  return known
}

/** The folder of the package whose pipeline runs, on the orchestrator's disk; '' where paths begin at it anyway. */
function outermost(items: readonly KrmObject[]): string {
  const paths = [...new Set(items.flatMap(({ packagePath = '' }) => (packagePath === '' ? [] : [packagePath])))]
  return paths.reduce((short, path) => (short === '' || path.length < short.length ? path : short), '')
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function indexOf({ file }: KrmObject): number {
  return file?.index ?? 0
}
