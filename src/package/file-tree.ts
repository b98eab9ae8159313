import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compareText } from '../field-path.ts'

/** A folder to read a package from: on disk, or at a git revision. Paths are relative to it, with slashes; '' is the folder itself. */
export interface FileTree {
  /** What stands in a folder, ordered by the bytes of the names as kpt walks it (Go filepath.Walk). */
  list(folder: string): readonly TreeEntry[]
  /** The bytes of a file. */
  read(path: string): Uint8Array
}

export interface TreeEntry {
  readonly name: string
  readonly type: 'file' | 'folder'
}

/**
 * The folder `dir` on disk. A link to a file is a file, as for kpt; a link to a folder is not followed, and one that leads nowhere
 * (editors leave such lock files) is nothing.
 *
 * @throws the error of node:fs when `dir` is no folder that can be read
 */
export function diskTree(dir: string): FileTree {
  const root = realpathSync(dir)
  return {
    list: (folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .flatMap((entry): TreeEntry[] => {
          if (entry.isDirectory()) return [{ name: entry.name, type: 'folder' }]
          const isFile = entry.isFile() || (entry.isSymbolicLink() && leadsToFile(join(root, folder, entry.name)))
          return isFile ? [{ name: entry.name, type: 'file' }] : []
        })
        .sort(compareNames),
    read: (path) => readFileSync(join(root, path)),
  }
}

function leadsToFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Orders entries by the bytes of their names: Go compares strings so. */
export function compareNames({ name: a }: TreeEntry, { name: b }: TreeEntry): number {
  return BEYOND.test(a) || BEYOND.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : compareText(a, b)
}

/** From here on UTF-16 and UTF-8 may order otherwise. */
const BEYOND = /[\uD800-\uFFFF]/
