import type { KrmObject } from './krm-object.ts'

/** The file name that makes a folder a package. */
export const KPTFILE = 'Kptfile'

/** Returns true if the file makes its folder a package. */
export function isKptfile(path: string): boolean {
  return path === KPTFILE || path.endsWith(`/${KPTFILE}`)
}

/** Returns the path of a file among all packages of a list: below the folder of its package if the orchestrator named one. */
export function locate(path: string, packagePath: string | undefined): string {
  return packagePath === undefined ? path : `${packagePath}/${path}`
}

/** Returns the folder part of a path, '' for the top: 'a/b.yaml' → 'a'. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

/** Returns the path of a file or folder in a folder; '' is the top: 'a', 'b.yaml' → 'a/b.yaml'. */
export function joinPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

/** Returns the folders above a file, the outermost first: 'a/b/c.yaml' → 'a', 'a/b'. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Returns the folders of all packages in a list: those with a Kptfile. */
export function packageFolders(items: readonly KrmObject[]): ReadonlySet<string> {
  return new Set(kptfilesByFolder(items).keys())
}

/** Returns the Kptfiles of a list by the folders of their packages. */
export function kptfilesByFolder(items: readonly KrmObject[]): ReadonlyMap<string, KrmObject> {
  const kptfiles = items.filter((item) => item.kind === KPTFILE && item.file !== undefined)
  return new Map(kptfiles.map((item) => [folderOf(locate(item.file?.path ?? '', item.packagePath)), item]))
}

/**
 * Returns a function that returns the nearest of some folders above a file, '' when none is. A path may have thousands of folders, and to
 * look up each of them would read the path as often. In the order of their texts, the last folder that is not behind the file is the
 * nearest one above it, or below that one.
 */
export function nearestFolder(folders: ReadonlySet<string>): (location: string) => string {
  const starts = [...folders].map((folder) => `${folder}/`).sort()
  const above: number[] = []
  const nearest = (path: string, last: number): number => {
    const before = starts[last] ?? ''
    let shared = 0
    while (shared < before.length && before[shared] === path[shared]) shared++
    let at = last
    while (at >= 0 && (starts[at] ?? '').length > shared) at = above[at] ?? -1
    return at
  }
  for (const [at, start] of starts.entries()) above.push(nearest(start, at - 1))
  return (location) => {
    let [first, end] = [0, starts.length]
    while (first < end) {
      const middle = (first + end) >> 1
      if ((starts[middle] ?? '') <= location) first = middle + 1
      else end = middle
    }
    return starts[nearest(location, first - 1)]?.slice(0, -1) ?? ''
  }
}

/** Returns a function that returns the folder of the package that an item of a list belongs to, '' for one without a file or package. */
export function packageFinder(items: readonly KrmObject[]): (item: KrmObject) => string {
  const packageOf = nearestFolder(packageFolders(items))
  return ({ file, packagePath }) => (file === undefined ? '' : packageOf(locate(file.path, packagePath)))
}

/**
 * Returns a path in its shortest form; `..` stays where it leads out.
 *
 * @example  `./a//b.yaml` → `a/b.yaml`, `a/../b.yaml` → `b.yaml`
 */
export function shortestPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
