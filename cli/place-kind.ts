import { statSync } from 'node:fs'

/** Returns true for a file, and for a link to one. */
export function isFile(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isFile() === true
}

/** Returns true for a folder, and for a link to one. */
export function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}
