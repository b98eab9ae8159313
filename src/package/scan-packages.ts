import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { KPTFILE } from '../resource-list/package-of.ts'
import { readBoundedText } from './bounded-file.ts'
import { isLeftover } from './staged-move.ts'

/**
 * Finds packages below a folder and calls `visit` with the folder of each and the text of its Kptfile. `.git` and symbolic links are
 * not followed; a missing folder has no packages.
 *
 * @param visit       returns true to search inside the package as well
 * @param isSearched  returns true for the name of a folder at the top that is searched
 * @throws WireError for a Kptfile that is too large to read
 * @returns the paths of temporary files that interrupted runs left
 */
export function scanPackages(
  root: string,
  visit: (folder: string, kptfile: string) => boolean,
  isSearched: (name: string) => boolean = () => true,
): readonly string[] {
  const leftovers: string[] = []
  const walk = (folder: string) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true })
    if (entries.some(isKptfile) && !visit(folder, readBoundedText(join(root, folder, KPTFILE)))) return
    for (const entry of entries) {
      const path = posix.join(folder, entry.name)
      if (path === entry.name && !isSearched(path)) continue
      if (isLeftover(entry.name)) leftovers.push(path)
      else if (isSearchable(entry)) walk(path)
    }
  }
  if (isFolder(root)) walk('')
  return leftovers
}

/** Returns true if a folder has any content but temporary files. */
export function holdsAnything(root: string, folder: string): boolean {
  const place = join(root, folder)
  return isFolder(place) ? readdirSync(place).some((name) => !isLeftover(name)) : lstatSync(place, { throwIfNoEntry: false }) !== undefined
}

function isSearchable(entry: Dirent): boolean {
  return entry.isDirectory() && entry.name !== '.git'
}

function isKptfile(entry: Dirent): boolean {
  return entry.name === KPTFILE && entry.isFile()
}

function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}
