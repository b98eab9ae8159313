import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { KPTFILE } from '../resource-list/package-of.ts'
import { readBoundedText } from './bounded-file.ts'
import { isLeftover } from './staged-move.ts'

/** The folders that are searched. */
export interface SearchedFolders {
  /** Returns true for the name of a folder at the top that is searched. */
  readonly isSearched?: (name: string) => boolean
  /** Returns true for a folder that is known to have a Kptfile, so that its content need not be listed. */
  readonly isPackage?: (folder: string) => boolean
}

/**
 * Finds packages below a folder and calls `visit` with the folder of each and the text of its Kptfile. `.git` and symbolic links
 * below the folder are not followed; a missing folder has no packages.
 *
 * @param root   the folder, which may be a symbolic link itself
 * @param visit  returns true to search inside the package as well
 * @throws WireError for a Kptfile that is too large to read, and for a pipe, a socket or a device in its place
 * @returns the paths of temporary files that interrupted runs left
 */
export function scanPackages(
  root: string,
  visit: (folder: string, kptfile: string) => boolean,
  { isSearched = () => true, isPackage = () => false }: SearchedFolders = {},
): readonly string[] {
  const leftovers: string[] = []
  const list = (folder: string) => readdirSync(join(root, folder), { withFileTypes: true })
  const walk = (folder: string) => {
    const listed = isPackage(folder) ? undefined : list(folder)
    const hasKptfile = listed === undefined || listed.some(isKptfile)
    if (hasKptfile && !visit(folder, readBoundedText(join(root, folder, KPTFILE)))) return
    for (const entry of listed ?? list(folder)) walkEntry(posix.join(folder, entry.name), entry)
  }
  const walkEntry = (path: string, entry: Dirent) => {
    if (path === entry.name && !isSearched(path)) return
    if (isLeftover(entry.name)) leftovers.push(path)
    else if (isSearchable(entry)) walk(path)
  }
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) walk('')
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
  return entry.name === KPTFILE && !entry.isDirectory() && !entry.isSymbolicLink()
}

function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}
