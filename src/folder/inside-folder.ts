import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { remember } from '../remember.ts'

/** Thrown for a folder outside of the one that it must be in, by its path or through a symbolic link. */
export class OutsideError extends Error {
  constructor(path: string, link: string | undefined) {
    super(link === undefined ? `'${path}' is outside` : `'${path}' leads to '${link}' through a symbolic link`)
    this.name = 'OutsideError'
  }
}

/**
 * Returns the place of a path relative to a folder.
 *
 * @throws OutsideError when the place is outside of the folder after following every symbolic link
 */
export function placeInside(folder: string, path: string): string {
  const place = resolve(folder, path)
  if (!isPlaceWithin(resolve(folder), place)) throw new OutsideError(path, undefined)
  const [root, real] = [realPlace(resolve(folder)), realPlace(place)]
  if (!isPlaceWithin(root, real)) throw new OutsideError(path, relative(root, real))
  return place
}

/** Returns true for a folder itself and for a place below it. Both are absolute. */
export function isPlaceWithin(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder === sep ? sep : `${folder}${sep}`)
}

/** Returns the place of a folder with all symbolic links resolved; undefined if nothing is there. The steps are as for `resolve`. */
export function realFolder(...steps: readonly string[]): string | undefined {
  const place = resolve(...steps)
  return existsSync(place) ? realPlace(place) : undefined
}

/**
 * Returns the path in a folder that a link in the folder leads to, through other links; undefined for a link to nothing or out of the
 * folder.
 */
export function targetWithin(folder: string, link: string): string | undefined {
  const [root, target] = [realFolder(folder), realFolder(folder, link)]
  return root !== undefined && target !== undefined && isPlaceWithin(root, target) ? relative(root, target) : undefined
}

/** Returns a place with all symbolic links resolved; of a missing place, those of the nearest existing folder. */
export function realPlace(place: string): string {
  try {
    return realpathSync(place)
  } catch {
    return dirname(place) === place ? place : join(realPlace(dirname(place)), place.slice(dirname(place).length))
  }
}

/** Returns true if no link leads to an absolute place. @throws the error of node:fs if nothing is there */
export function isRealPlace(place: string): boolean {
  return realpathSync.native(place) === place
}

/** A file on disk: its place with all symbolic links resolved, and its permissions. */
interface RealFile {
  readonly place: string
  readonly mode: number
}

/** Finds the files that places lead to. The folder of a place is resolved once: a package may have thousands of files in one folder. */
export class RealFiles {
  readonly #folders = new Map<string, string>()

  /** Returns the file at an absolute place; undefined if nothing is there, or a link leads nowhere. */
  at(place: string): RealFile | undefined {
    try {
      const entry = lstatSync(place)
      if (entry.isSymbolicLink()) return { place: realpathSync(place), mode: statSync(place).mode & PERMISSIONS }
      return { place: join(this.#folder(dirname(place)), basename(place)), mode: entry.mode & PERMISSIONS }
    } catch {
      return undefined
    }
  }

  #folder(folder: string): string {
    return remember(this.#folders, folder, () => realpathSync(folder))
  }
}

const PERMISSIONS = 0o777

/** Returns true if a symbolic link is at a place. */
export function isLink(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** Finds symbolic links among the folders above others. Each folder is checked once. */
export class Links {
  readonly #root: string
  readonly #known = new Map<string, boolean>()

  constructor(root: string) {
    this.#root = root
  }

  /** Returns the outermost link on the way to a folder, or the folder itself if it is a link; undefined if there is none. */
  onWayTo(folder: string): string | undefined {
    for (let end = folder.indexOf('/'); end !== -1; end = folder.indexOf('/', end + 1)) {
      const above = folder.slice(0, end)
      if (this.#isLink(above)) return above
    }
    return this.#isLink(folder) ? folder : undefined
  }

  #isLink(folder: string): boolean {
    return remember(this.#known, folder, () => isLink(join(this.#root, folder)))
  }
}
