import { realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

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
  if (!isInside(resolve(folder), place)) throw new OutsideError(path, undefined)
  const [root, real] = [realPlace(resolve(folder)), realPlace(place)]
  if (!isInside(root, real)) throw new OutsideError(path, relative(root, real))
  return place
}

function isInside(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder === sep ? sep : `${folder}${sep}`)
}

/** Returns a place with all symbolic links resolved; of a missing place, those of the nearest existing folder. */
export function realPlace(place: string): string {
  try {
    return realpathSync(place)
  } catch {
    return dirname(place) === place ? place : join(realPlace(dirname(place)), place.slice(dirname(place).length))
  }
}
