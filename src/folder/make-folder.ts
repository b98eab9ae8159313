import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { quietly } from '../attempt.ts'
import { errorCode } from '../error-code.ts'

/**
 * Makes a folder, and the folders above it that are missing. Returns the outermost folder that was made; undefined if the folder was there.
 * Each folder is made by a call of its own, as the recursive `mkdirSync` of Node never ends where a file system answers ENOENT although
 * the folder above is there, as below /proc.
 *
 * @param folder  may be a link to a folder
 * @param mode    the permissions of every folder that is made, without those that the umask takes away
 * @throws the error of node:fs when a folder cannot be made, and when a file is in its place
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  if (isFolder(folder)) return undefined
  const above = dirname(folder)
  // A link that leads nowhere, or in a circle, is there: the error names what is wrong with the folder in it.
  const isThere = quietly(() => lstatSync(above)) !== undefined
  const made = isThere ? undefined : makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have made the folder meanwhile.
    if (errorCode(error) === 'EEXIST' && isFolder(folder)) return made
    throw error
  }
  return made ?? folder
}

function isFolder(path: string): boolean {
  return quietly(() => statSync(path).isDirectory()) ?? false
}
