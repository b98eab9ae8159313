import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
/** The suffix of a staged file or folder. */
export const STAGED = '.krm-variants-new'
/** The suffix of a folder that is being removed. */
export const LEAVING = '.krm-variants-old'

/** Returns true for the name of a temporary file or folder of an interrupted run. No other file has such a name. */
export function isLeftover(name: string): boolean {
  return name.endsWith(STAGED) || name.endsWith(LEAVING)
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
}

/** The real paths of a step. */
interface Places {
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
  removeFolder: ({ place, other: upTo }) => {
    renameSync(place, `${place}${LEAVING}`)
    rmSync(`${place}${LEAVING}`, { recursive: true, force: true })
    removeEmpty(dirname(place), upTo)
  },
  moveFolder: ({ place, other: from, root }) => {
    mkdirSync(dirname(place), { recursive: true })
    renameSync(from, place)
    removeEmpty(dirname(from), root)
  },
  removeLeftover: ({ place }) => rmSync(place, { recursive: true, force: true }),
} satisfies Record<string, (places: Places) => void>

/** Makes a step. Throws the error of the file system. */
export function makeMove(op: Move['op'], places: Places): void {
  ACTS[op](places)
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
