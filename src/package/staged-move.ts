import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { removeEmpty } from './empty-folders.ts'

/** The end of the name of a file or folder beside its place until everything is ready. */
export const STAGED = '.krm-variants-new'
/** The end of the name of a folder that is on its way out. */
export const LEAVING = '.krm-variants-old'

/** Returns true for the name of a file or folder that an interrupted run left. Nothing else is called so. */
export function isLeftover(name: string): boolean {
  return name.endsWith(STAGED) || name.endsWith(LEAVING)
}

/** A step that only moves what is there, so that each place holds the old or the new, whole. As small as can be: a fleet has ten thousands. */
export interface Move {
  readonly op: keyof typeof ACTS
  /** From the root, as the other one. */
  readonly path: string
  /** Where a folder is moved from; up to where empty folders are taken away. */
  readonly other?: string | undefined
}

/** Where a step is made, as real paths. */
interface Places {
  readonly place: string
  /** What takes the place, or as that of a Move. */
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

/** Makes a step. Throws what the file system says. */
export function makeMove(op: Move['op'], places: Places): void {
  ACTS[op](places)
}
