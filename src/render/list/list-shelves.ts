import type { PackageFiles } from '../../merge/package-files.ts'
import { PathGate } from '../../package/safe-path.ts'
import type { Shelves, SourcePackage } from '../upstream/source-package.ts'
import type { ListFolders } from './list-folders.ts'

/** The upstream packages among the items of a list. There is no git to ask: a function has no network and no disk. */
export function listShelves(folders: ListFolders): Shelves {
  return {
    folder: (path) => (folders.has(path) ? packageAt(path, folders.package(path)) : undefined),
    beside: (path) => folders.beside(path),
  }
}

/** Two files of one package may have paths that only some file systems tell apart. */
function packageAt(place: string, found: PackageFiles): SourcePackage {
  const gate = new PathGate()
  const files = new Map([...found].filter(([path]) => gate.admits(path)))
  return { place, files, layouts: new Map(), modes: new Map(), results: [], faults: gate.results(place) }
}
