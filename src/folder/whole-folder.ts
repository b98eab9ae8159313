import { closeSync, lstatSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { compareText } from '../field-path.ts'
import { readBoundedFile } from './bounded-file.ts'
import { type FileTree, folderTree } from './file-tree.ts'
import { PathGate } from './safe-path.ts'
import { isLeftover } from './staged-move.ts'

/** All files of a folder, resources or not. Paths are relative to the folder, with slashes, in order. */
export interface WholeFolder {
  readonly files: ReadonlyMap<string, WholeFile>
  /** Symbolic links, which kpt does not carry (kpt internal/util/pkgutil). */
  readonly links: readonly string[]
  /** Paths that are neither file nor folder nor link: pipes, sockets and devices. Unset where there can be none. */
  readonly others?: readonly string[]
  /** Paths of git's own files and folders, which are no part of a package. */
  readonly gitFolders: readonly string[]
  /** Paths of temporary files that interrupted runs left. */
  readonly leftovers: readonly string[]
  /**
   * The faults of unsafe paths in a folder from others, which are not among the files; unset for the fleet's own packages, which are
   * not checked.
   */
  readonly gate?: PathGate
}

export interface WholeFile {
  /** Its permissions, such as 0o755. */
  readonly mode: number
  /** The size in bytes. */
  readonly size: number
  read(): Uint8Array
  /** Returns true if the file has exactly these bytes. */
  holds(bytes: Uint8Array): boolean
  /** Of a file on disk: returns false if it was changed since it was first read. */
  isAsRead?(): boolean
}

/** A folder without files. */
export const EMPTY_FOLDER: WholeFolder = { files: new Map(), links: [], gitFolders: [], leftovers: [] }

/** Returns a file that is in memory. */
export function fileInMemory(bytes: Uint8Array, mode: number): WholeFile {
  return { mode, size: bytes.length, read: () => bytes, holds: (other) => Buffer.compare(bytes, other) === 0 }
}

const PERMISSIONS = 0o777
/** The name of git's folder; in a worktree or submodule it is a file. */
export const GIT_FOLDER = '.git'

/**
 * Returns the folder `dir` on disk; empty if it is missing.
 *
 * @throws the error of node:fs when a folder cannot be read
 */
export function diskFolder(dir: string): WholeFolder {
  return readDisk(dir)
}

/**
 * Returns a folder from others, with every path checked by the gate. Pipes, sockets and devices are refused, links are not followed.
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
    else if (entry.isFile()) found.files.set(path, new DiskFile(`${dir}/${path}`))
    else if (entry.isDirectory()) walk(dir, path, found)
    else found.others.push(path)
  }
}

/** The numbers of a stat that change when a file is written or replaced. No program can set the time of change. */
export type FileStat = Pick<Stats, 'mode' | 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>

/** A file that is read only when needed: most files of a fleet never are. */
export class DiskFile implements WholeFile {
  readonly #place: string
  /** The stat of the file before it was first read. */
  #seen: FileStat | undefined

  /** @param seen  the stat of the file, if it was made */
  constructor(place: string, seen?: FileStat) {
    this.#place = place
    this.#seen = seen
  }

  get mode(): number {
    return this.#stat().mode & PERMISSIONS
  }

  get size(): number {
    return this.#stat().size
  }

  read(): Uint8Array {
    this.#stat()
    return readBoundedFile(this.#place)
  }

  holds(bytes: Uint8Array): boolean {
    this.#stat()
    return fileHolds(this.#place, bytes)
  }

  isAsRead(): boolean {
    const seen = this.#seen
    if (seen === undefined) return true
    const now = lstatSync(this.#place, { throwIfNoEntry: false })
    return now?.size === seen.size && now.mtimeMs === seen.mtimeMs && now.ctimeMs === seen.ctimeMs && now.ino === seen.ino
  }

  #stat(): FileStat {
    if (this.#seen !== undefined) return this.#seen
    const { mode, size, mtimeMs, ctimeMs, ino } = lstatSync(this.#place)
    this.#seen = { mode, size, mtimeMs, ctimeMs, ino }
    return this.#seen
  }
}

/** The buffer for comparing files, as large as the largest file until now. */
let room = Buffer.alloc(0)

/** Returns true if a file has exactly these bytes. Uses one buffer: a fleet has many copies of its upstreams' files to compare. */
export function fileHolds(place: string, bytes: Uint8Array): boolean {
  if (room.length <= bytes.length) room = Buffer.alloc(2 * bytes.length + 1)
  const file = openSync(place, 'r')
  try {
    const length = readSync(file, room, 0, bytes.length + 1, 0)
    return length === bytes.length && room.compare(bytes, 0, length, 0, length) === 0
  } finally {
    closeSync(file)
  }
}

/** Returns the place of a folder relative to another. */
export function locateFolder(base: string, path: string): string {
  return resolve(base, path)
}

/** Returns the folders beside a folder, named like that folder. */
export function foldersBeside(base: string, path: string): readonly string[] {
  const above = posix.dirname(path)
  const place = resolve(base, above)
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  const entries = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !isLeftover(entry.name))
  return entries.map(({ name }) => posix.join(above, name)).sort(compareText)
}

/** Returns the folder as a tree in which package files are found. */
export function treeOf({ files }: WholeFolder): FileTree {
  return folderTree(files.keys(), (path) => files.get(path)?.read() ?? new Uint8Array())
}
