import { PathGate } from '../../folder/safe-path.ts'
import { firstOfEach, groupBy } from '../../group-by.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, isKptfile, joinPath, locate } from '../../resource-list/package-of.ts'
import type { PackageSource, SourcePackage } from '../../upstream/source-package.ts'

/** The folders of a list's items, by their paths below the folder that the list was read from. */
export class ListFolders {
  readonly #root: string
  readonly #items: ReadonlyMap<string, readonly KrmObject[]>
  readonly #folders: ReadonlyMap<string, ReadonlySet<string>>
  /** The first Kptfile of each folder. */
  readonly #kptfiles: ReadonlyMap<string, KrmObject>
  /** The folder that was looked up last, as the annotations of an item name it: items mostly follow each other in one folder. */
  #last: { readonly packagePath: string | undefined; readonly inPackage: string; readonly folder: string } | undefined

  /** @param root  the folder that the list was read from, if the paths of its items begin with it */
  constructor(items: readonly KrmObject[], root = outermost(items)) {
    this.#root = root
    const located = items.filter(({ file }) => file !== undefined)
    this.#items = groupBy(located, (item) => this.#folderOf(item))
    this.#folders = foldersAbove([...this.#items.keys()])
    const kptfiles = located.filter(({ file }) => isKptfile(file?.path ?? ''))
    this.#kptfiles = firstOfEach(kptfiles, (item) => this.#folderOf(item))
  }

  #folderOf(item: KrmObject): string {
    const { file, packagePath } = item
    const inPackage = folderOf(file?.path ?? '')
    if (this.#last?.inPackage !== inPackage || this.#last.packagePath !== packagePath) {
      this.#last = { packagePath, inPackage, folder: folderOf(this.pathOf(item)) }
    }
    return this.#last.folder
  }

  /** Returns the path of an item's file below the root. */
  pathOf({ file, packagePath }: KrmObject): string {
    const location = locate(file?.path ?? '', packagePath)
    return this.#root !== '' && location.startsWith(`${this.#root}/`) ? location.slice(this.#root.length + 1) : location
  }

  /** Returns true if an item is in the folder or below it. */
  has(folder: string): boolean {
    return this.#folders.has(folder)
  }

  /** Returns the folders in the parent of a folder. */
  beside(folder: string): readonly string[] {
    const above = folderOf(folder)
    return [...(this.#folders.get(above) ?? [])].map((name) => joinPath(above, name))
  }

  /** Returns the items in a folder and below it, with their paths below the folder. */
  below(folder: string): readonly { readonly path: string; readonly item: KrmObject }[] {
    const own = (this.#items.get(folder) ?? []).map((item) => ({ path: baseName(this.pathOf(item)), item }))
    const names = [...(this.#folders.get(folder) ?? [])]
    return [
      ...own,
      ...names.flatMap((name) => this.below(joinPath(folder, name)).map(({ path, item }) => ({ path: `${name}/${path}`, item }))),
    ]
  }

  /** Returns the package in a folder, with its subpackages. */
  package(folder: string): PackageFiles {
    const files = groupBy(this.below(folder), ({ path }) => path)
    return new Map(
      Array.from(files, ([path, documents]) => [path, documents.map(({ item }) => item).sort((a, b) => indexOf(a) - indexOf(b))]),
    )
  }

  kptfile(folder: string): KrmObject | undefined {
    return this.#kptfiles.get(folder)
  }

  /** Returns the Kptfiles of all packages, each with its folder. */
  kptfiles(): readonly { readonly folder: string; readonly kptfile: KrmObject }[] {
    return [...this.#items.keys()].flatMap((folder) => {
      const kptfile = this.#kptfiles.get(folder)
      return kptfile === undefined ? [] : [{ folder, kptfile }]
    })
  }
}

/** Returns the names of the subfolders of each folder: `['a/b']` → '' has `a`, `a` has `b`, `a/b` has none. */
function foldersAbove(folders: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>([['', new Set()]])
  for (const folder of folders) {
    for (let below = folder; !known.has(below); below = folderOf(below)) known.set(below, new Set())
    for (let below = folder; below !== ''; below = folderOf(below)) known.get(folderOf(below))?.add(baseName(below))
  }
  return known
}

/**
 * Returns the folder of the package whose pipeline runs, on the orchestrator's disk: the shortest package path; '' if the items have
 * none.
 */
function outermost(items: readonly KrmObject[]): string {
  let shortest = ''
  for (const { packagePath = '' } of items)
    if (packagePath !== '' && (shortest === '' || packagePath.length < shortest.length)) shortest = packagePath
  return shortest
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function indexOf({ file }: KrmObject): number {
  return file?.index ?? 0
}

/** Returns the upstream packages among the items of a list. A function has no network and no disk, so there is no git. */
export function listPackageSource(folders: ListFolders): PackageSource {
  return {
    folder: (path) => (folders.has(path) ? packageAt(path, folders.package(path)) : undefined),
    beside: (path) => folders.beside(path),
  }
}

/**
 * Returns the items of a folder as an upstream package. Of two files whose paths differ in case alone, the second is refused, since
 * some file systems treat both as one.
 */
function packageAt(place: string, found: PackageFiles): SourcePackage {
  const gate = new PathGate()
  const files = new Map([...found].filter(([path]) => gate.admits(path)))
  return { place, files, layouts: new Map(), modes: new Map(), results: [], faults: gate.results(place) }
}
