import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeInKptfile } from '../../src/kinds/kptfile-config-map.ts'
import { type FileChange, fileChanges } from '../../src/package/file-changes.ts'
import { diskTree } from '../../src/package/file-tree.ts'
import { readTree } from '../../src/package/read-package.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import type { KrmFunction } from '../../src/run.ts'
import { withFunctionConfig } from '../function-config.ts'
import type { Host } from '../host.ts'
import { pathIn, placeFile } from '../print/print-results.ts'
import { requireFolder } from '../read-input.ts'
import { type ResolveView, viewFiles } from '../resolve/resolve-view.ts'

/** What a function does to a folder: to look at, and to write. */
export interface FolderRun extends ResolveView {
  readonly changes: readonly FileChange[]
}

/**
 * Runs a function on the resources of a folder as kpt would, with the functionConfig that the folder's Kptfile names for it.
 *
 * @throws FunctionError with what cannot be read, and with every error of the function
 */
export function runOnFolder(name: string, fn: KrmFunction, dir: string, host: Host): FolderRun {
  const folder = requireFolder(dir, host)
  // Findings name files as the caller sees them, in their texts too.
  const { files, list: read, results } = readTree(diskTree(folder), (path) => placeFile(path, dir))
  const list = withFunctionConfig(read, name, dir)
  const before = new Set(list.items)
  const found = [...results, ...resultsOf(fn, list)]
  if (hasErrors(found)) throw new FunctionError(found)
  const changes = fileChanges({ files, list, results }).map((change) => ({ ...change, path: pathIn(dir, change.path) }))
  const textOf = (path: string) => readFileSync(join(folder, path))
  return { files: viewFiles({ list, changes, before, textOf, diff: false, dir }), results: found, changes }
}

function resultsOf(fn: KrmFunction, list: ResourceList): readonly Result[] {
  try {
    fn(list)
    list.settle()
    return list.results
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    return placeInKptfile([...list.results, ...error.results], () => list)
  }
}
