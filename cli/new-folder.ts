import { posix } from 'node:path'
import { NOT_SEARCHED } from '../src/folder/find-package-files.ts'
import { pathFault } from '../src/folder/safe-path.ts'

/**
 * Returns why a command must not make a folder for a fleet or a catalog; undefined for one that git, every file system and `render` read
 * as it is. The way up to another folder, `/` or `../`, has no fault.
 */
export function newFolderFault(path: string): string | undefined {
  const own = posix.normalize(path).replace(/^(?:\/+|(?:\.\.\/)+)/, '')
  if (['', '.', '..', './'].includes(own)) return undefined
  const fault = pathFault(own.replace(/\/$/, ''))
  if (fault !== undefined) return fault
  const part = own.split('/').find((each) => NOT_SEARCHED.includes(each))
  return part === undefined ? undefined : `must not have the part '${part}', a folder in which no package is looked for`
}
