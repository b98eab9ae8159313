import { writeFileSync } from 'node:fs'

/**
 * Writes a file.
 *
 * @throws the error of node:fs, always with the path of the file: without space on the disk, node:fs opens a file and names none when it
 *   writes
 */
export function writeAt(place: string, content: string | Uint8Array): void {
  naming(place, () => writeFileSync(place, content))
}

/** Runs an action on a file. An error of node:fs that names no file gets the path of this one. */
export function naming<T>(place: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof Error && 'syscall' in error && !('path' in error) ? Object.assign(error, { path: place }) : error
  }
}
