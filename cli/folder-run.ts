import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeInKptfile } from '../src/kinds/kptfile-config-map.ts'
import { type FileChange, fileChanges } from '../src/package/file-changes.ts'
import type { FolderPackage } from '../src/package/package.ts'
import type { ResourceList } from '../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors } from '../src/result.ts'
import { type KrmFunction, resultsOf } from '../src/run.ts'
import type { Host } from './host.ts'
import { distinctResults, pathIn, placeFile } from './print/print-results.ts'
import { refuseUnwritable } from './refuse-unwritable.ts'
import { type ResolveView, viewFiles } from './resolve/resolve-view.ts'

/** The changes that a function makes to a folder, as a view and as files to write. */
export interface FolderRun extends ResolveView {
  readonly changes: readonly FileChange[]
}

/** A folder that the caller named `dir`, as `readFolder` reads it, and its list with the options of the function. */
interface Asked {
  readonly dir: string
  readonly read: FolderPackage
  readonly list: ResourceList
  /** True to add unified diffs. */
  readonly diff: boolean
}

/**
 * Runs a function on the resources of a folder as kpt would.
 *
 * @throws FunctionError with what cannot be read, with every error of the function, and with every place that cannot be written
 */
export function runOnFolder(fn: KrmFunction, { dir, read, list, diff }: Asked, host: Host): FolderRun {
  const before = new Set(list.items)
  const found = distinctResults([...read.results, ...placeInKptfile(resultsOf(fn, list), () => list)])
  if (hasErrors(found)) throw new FunctionError(found)
  const changes = fileChanges({ ...read, list }).map((change) => ({ ...change, path: pathIn(dir, change.path) }))
  const unwritable = refuseUnwritable(host.locate(dir), changes, (path) => placeFile(path, dir))
  if (unwritable.length > 0) throw new FunctionError([...read.results, ...unwritable])
  const textOf = (path: string) => readFileSync(join(host.locate(dir), path))
  return { files: viewFiles({ list, changes, before, textOf, diff, dir }), results: found, changes }
}
