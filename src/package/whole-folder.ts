import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareText } from '../field-path.ts'
import type { FileTree } from './file-tree.ts'
import { folderTree } from './folder-tree.ts'

/** Every file of a folder, resources or not, to be carried as it is. Paths are relative to it, with slashes, in order. */
export interface WholeFolder {
  readonly files: ReadonlyMap<string, WholeFile>
  /** Symbolic links, which kpt does not carry (kpt internal/util/pkgutil). */
  readonly links: readonly string[]
}

export interface WholeFile {
  /** Its permissions, such as 0o755. */
  readonly mode: number
  read(): Uint8Array
}

const PERMISSIONS = 0o777
/** What git keeps about a checkout is no part of a package. */
const GIT_FOLDER = '.git'

/**
 * The folder `dir` on disk; empty when it is not there.
 *
 * @param isLeftOut  folders, by path, that are not looked into
 * @throws the error of node:fs when a folder cannot be read
 */
export function diskFolder(dir: string, isLeftOut: (folder: string) => boolean = () => false): WholeFolder {
  const files = new Map<string, WholeFile>()
  const links: string[] = []
  const walk = (folder: string) => {
    const entries = readdirSync(join(dir, folder), { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name))
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isSymbolicLink()) links.push(path)
      else if (entry.isFile()) files.set(path, diskFile(join(dir, path)))
      else if (entry.isDirectory() && entry.name !== GIT_FOLDER && !isLeftOut(path)) walk(path)
    }
  }
  if (lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) walk('')
  return { files, links }
}

function diskFile(place: string): WholeFile {
  return {
    get mode() {
      return lstatSync(place).mode & PERMISSIONS
    },
    read: () => readFileSync(place),
  }
}

/** The folder as a tree that packages are found in. */
export function treeOf({ files }: WholeFolder): FileTree {
  return folderTree(files.keys(), (path) => files.get(path)?.read() ?? new Uint8Array())
}
