import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compareText } from '../field-path.ts'
import { readBoundedFile } from './bounded-file.ts'

/**
 * A folder that a package is read from: on disk, or at a git revision. Paths are relative to the folder, with slashes; '' is the folder
 * itself.
 */
export interface FileTree {
  /** Returns the entries of a folder, ordered by the bytes of their names, as in kpt (Go filepath.Walk). */
  list(folder: string): readonly TreeEntry[]
  /** Returns the bytes of a file. @throws WireError for a file that is too large to read */
  read(path: string): Uint8Array
}

export interface TreeEntry {
  readonly name: string
  readonly type: 'file' | 'folder'
  /** True for a symbolic link on disk. */
  readonly isLink?: boolean
}

/**
 * Returns the folder `dir` on disk as a tree. A link to a file counts as a file, as in kpt. A link to a folder is not followed, and a
 * broken link (such as an editor's lock file) is left out.
 *
 * @throws the error of node:fs when `dir` is no readable folder
 */
export function diskTree(dir: string): FileTree {
  const root = realpathSync(dir)
  return {
    list: (folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .flatMap((entry): TreeEntry[] => {
          if (entry.isDirectory()) return [{ name: entry.name, type: 'folder' }]
          const isFile = entry.isFile() || (entry.isSymbolicLink() && leadsToFile(join(root, folder, entry.name)))
          return isFile ? [{ name: entry.name, type: 'file', ...(entry.isSymbolicLink() && { isLink: true }) }] : []
        })
        .sort(compareNames),
    read: (path) => readBoundedFile(join(root, path), path),
  }
}

function leadsToFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Orders entries by the bytes of their names, as Go compares strings. */
export function compareNames({ name: a }: TreeEntry, { name: b }: TreeEntry): number {
  return BEYOND.test(a) || BEYOND.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : compareText(a, b)
}

/** Matches characters from which on UTF-16 and UTF-8 may sort differently. */
const BEYOND = /[\uD800-\uFFFF]/

/** Returns the tree of folders that hold the given files. */
export function folderTree(paths: Iterable<string>, read: FileTree['read']): FileTree {
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]])
  for (const path of paths) {
    const steps = path.split('/')
    for (const [depth, name] of steps.entries()) {
      const folder = steps.slice(0, depth).join('/')
      const entries = folders.get(folder) ?? new Map<string, TreeEntry>()
      folders.set(folder, entries.set(name, { name, type: depth === steps.length - 1 ? 'file' : 'folder' }))
    }
  }
  const sorted = new Map(Array.from(folders, ([folder, entries]) => [folder, [...entries.values()].sort(compareNames)]))
  return { list: (folder) => sorted.get(folder) ?? [], read }
}
