import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { compareText } from '../field-path.ts'
import type { FileTree } from './file-tree.ts'
import { folderTree } from './folder-tree.ts'
import { PathGate } from './safe-path.ts'
import { isLeftover } from './staged-move.ts'

/** Every file of a folder, resources or not, to be carried as it is. Paths are relative to it, with slashes, in order. */
export interface WholeFolder {
  readonly files: ReadonlyMap<string, WholeFile>
  /** Symbolic links, which kpt does not carry (kpt internal/util/pkgutil). */
  readonly links: readonly string[]
  /** What git keeps in the folder, which is no part of a package. */
  readonly gitFolders: readonly string[]
  /** What interrupted runs left. */
  readonly leftovers: readonly string[]
  /** Of a tree of others, what must not be used of it: that is not among the files. A package of the fleet itself is read as it is. */
  readonly gate?: PathGate
}

export interface WholeFile {
  /** Its permissions, such as 0o755. */
  readonly mode: number
  /** In bytes. */
  readonly size: number
  read(): Uint8Array
  /** Whether it holds these bytes and no others. */
  holds(bytes: Uint8Array): boolean
}

const PERMISSIONS = 0o777
/** What git keeps about a checkout is no part of a package; of a worktree or submodule it is a file. */
const GIT_FOLDER = '.git'

/**
 * The folder `dir` on disk; empty when it is not there.
 *
 * @throws the error of node:fs when a folder cannot be read
 */
export function diskFolder(dir: string): WholeFolder {
  return readDisk(dir)
}

/**
 * The same for a folder of others, of which every path goes through the gate. Pipes, sockets and devices are refused, links are not followed.
 *
 * @throws the error of node:fs when a folder cannot be read
 */
export function gatedDiskFolder(dir: string): WholeFolder {
  const { files, links, others, ...rest } = readDisk(dir)
  const gate = new PathGate()
  for (const path of others) gate.refuse(path, 'tree-entry', 'must be a file, a folder or a symbolic link')
  const safe = [...files].filter(([path]) => gate.admits(path))
  return { ...rest, files: new Map(safe), links: links.filter((path) => gate.admits(path)), gate }
}

interface Found {
  readonly files: Map<string, WholeFile>
  readonly links: string[]
  readonly gitFolders: string[]
  readonly leftovers: string[]
  /** What is neither file nor folder nor link. */
  readonly others: string[]
}

function readDisk(dir: string): Found {
  const found: Found = { files: new Map(), links: [], gitFolders: [], leftovers: [], others: [] }
  if (lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) walk(dir, '', found)
  return found
}

function walk(dir: string, folder: string, found: Found): void {
  const entries = readdirSync(`${dir}/${folder}`, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name))
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isLeftover(entry.name)) found.leftovers.push(path)
    else if (entry.name === GIT_FOLDER) found.gitFolders.push(path)
    else if (entry.isSymbolicLink()) found.links.push(path)
    else if (entry.isFile()) found.files.set(path, new DiskFile(dir, path))
    else if (entry.isDirectory()) walk(dir, path, found)
    else found.others.push(path)
  }
}

/** A file of which nothing is asked of the disk before somebody wants it: of most files of a fleet nobody does. */
class DiskFile implements WholeFile {
  readonly #dir: string
  readonly #path: string

  constructor(dir: string, path: string) {
    this.#dir = dir
    this.#path = path
  }

  get mode(): number {
    return lstatSync(this.#place).mode & PERMISSIONS
  }

  get size(): number {
    return lstatSync(this.#place).size
  }

  read(): Uint8Array {
    return readFileSync(this.#place)
  }

  holds(bytes: Uint8Array): boolean {
    return fileHolds(this.#place, bytes)
  }

  get #place(): string {
    return `${this.#dir}/${this.#path}`
  }
}

/** What files are compared in, as large as the largest so far. */
let room = Buffer.alloc(0)

/** A fleet has many times the files of its upstreams, and most of them are theirs: they are compared without a copy of each. */
function fileHolds(place: string, bytes: Uint8Array): boolean {
  if (room.length <= bytes.length) room = Buffer.alloc(2 * bytes.length + 1)
  const file = openSync(place, 'r')
  try {
    const length = readSync(file, room, 0, bytes.length + 1, 0)
    return length === bytes.length && room.compare(bytes, 0, length, 0, length) === 0
  } finally {
    closeSync(file)
  }
}

/** The place of a folder that is named from another one. */
export function locateFolder(base: string, path: string): string {
  return resolve(base, path)
}

/** The folders in the folder above one, named as that one is. */
export function foldersBeside(base: string, path: string): readonly string[] {
  const above = posix.dirname(path)
  const place = resolve(base, above)
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  const entries = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries.map(({ name }) => posix.join(above, name)).sort(compareText)
}

/** The folder as a tree that packages are found in. */
export function treeOf({ files }: WholeFolder): FileTree {
  return folderTree(files.keys(), (path) => files.get(path)?.read() ?? new Uint8Array())
}

export function readText(place: string): string {
  return readFileSync(place, 'utf8')
}
