import { hash } from 'node:crypto'
import { lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { IsAsRead } from './as-read.ts'
import { makeFolder } from './make-folder.ts'

/** The suffix of a staged file or folder. */
export const STAGED = '.krm-variants-new'
/** The suffix of a folder that is being removed. */
export const LEAVING = '.krm-variants-old'

/** Returns true for the name of a temporary file or folder of an interrupted run. No other file has such a name. */
export function isLeftover(name: string): boolean {
  return name.endsWith(STAGED) || name.endsWith(LEAVING)
}

/** The most bytes of a name on the file systems of Linux, macOS and Windows. */
const LONGEST_NAME = 255

/** The most bytes that follow a name in that of its temporary file: a point, a UUID and a suffix. */
const LONGEST_END = 1 + 36 + STAGED.length

/**
 * Returns the beginning of temporary names beside a place: the place, or its folder and a digest of a name that leaves no room for an end.
 */
export function temporaryPlace(place: string): string {
  const name = basename(place)
  const isLong = Buffer.byteLength(name) + LONGEST_END > LONGEST_NAME
  return isLong ? join(dirname(place), hash('sha256', name, 'hex')) : place
}

/** Returns the place of a folder while it is removed. */
export function leavingPlace(place: string): string {
  return `${temporaryPlace(place)}${LEAVING}`
}

/**
 * A step of a commit that only renames or removes, so that each place holds the old or the new file, whole. Kept small, since a fleet
 * has tens of thousands.
 */
export interface Move {
  readonly op: keyof typeof ACTS
  /** The path relative to the root, as `other`. */
  readonly path: string
  /** The source of a moved folder; for a removal, the folder up to which empty folders are removed. */
  readonly other?: string | undefined
  readonly isAsRead?: IsAsRead | undefined
}

/** The real paths of a step. */
interface Places extends Pick<Move, 'isAsRead'> {
  readonly place: string
  /** The real path of `other` of the Move: the file or folder that takes the place, or the folder up to which empty folders are removed. */
  readonly other: string
  readonly root: string
}

const ACTS = {
  takePlace: ({ place, other: beside }) => renameSync(beside, place),
  removeFile: ({ place, other: upTo }) => {
    rmSync(place, { force: true })
    removeEmpty(dirname(place), upTo)
  },
  removeFolder: ({ place, other: upTo, isAsRead }) => {
    const aside = leavingPlace(place)
    renameSync(place, aside)
    if (isAsRead?.(aside) === false) {
      renameSync(aside, place)
      return false
    }
    rmSync(aside, { recursive: true, force: true })
    removeEmpty(dirname(place), upTo)
    return true
  },
  moveFolder: ({ place, other: from, root }) => {
    makeFolder(dirname(place))
    renameSync(from, place)
    removeEmpty(dirname(from), root)
  },
  removeLeftover: ({ place, other: upTo }) => {
    rmSync(place, { recursive: true, force: true })
    removeEmpty(dirname(place), upTo)
  },
} satisfies Record<string, (places: Places) => unknown>

/** Makes a step. Returns false, with nothing done, if the place is not as it was read. Throws the error of the file system. */
export function makeMove({ op, isAsRead }: Move, places: Places): boolean {
  if (isAsRead?.() === false) return false
  return ACTS[op]({ ...places, isAsRead }) !== false
}

/** Removes empty folders from one up to another; the last one stays. */
function removeEmpty(folder: string, upTo: string): void {
  for (let empty = folder; empty !== upTo && isEmpty(empty); empty = dirname(empty)) rmdirSync(empty)
}

/** Removes folders that hold nothing but empty folders. */
export function removeEmptyFolders(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  for (const name of readdirSync(folder)) removeEmptyFolders(join(folder, name))
  if (isEmpty(folder)) rmdirSync(folder)
}

function isEmpty(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).length === 0
}
