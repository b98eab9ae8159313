import type { Shelves } from '../upstream/source-package.ts'
import type { ListFolders } from './list-folders.ts'

/** The upstream packages among the items of a list. There is no git to ask: a function has no network and no disk. */
export function listShelves(folders: ListFolders): Shelves {
  return {
    folder: (path) =>
      folders.has(path) ? { place: path, files: folders.package(path), layouts: new Map(), modes: new Map(), results: [] } : undefined,
    beside: (path) => folders.beside(path),
  }
}
