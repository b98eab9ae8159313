import { type Stats, statSync } from 'node:fs'
import { errorCode } from '../src/error-code.ts'

/** Returns true for a file, and for a link to one. */
export function isFile(place: string): boolean {
  return statsOf(place)?.isFile() === true
}

/** Returns true for a folder, and for a link to one. */
export function isFolder(place: string): boolean {
  return statsOf(place)?.isDirectory() === true
}

/** Returns what is at a place; undefined for nothing, also if a part of the path is a file, and for a link in a circle. */
function statsOf(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false })
  } catch (error) {
    if (['ENOTDIR', 'ELOOP'].includes(String(errorCode(error)))) return undefined
    throw error
  }
}
