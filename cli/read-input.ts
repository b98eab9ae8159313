import { readPackage } from '../src/package/read-package.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import type { Result } from '../src/result.ts'
import type { Host } from './host.ts'
import { placingResults } from './print-results.ts'
import { requireFolder } from './require-folder.ts'

/** The resources that a command works on, and warnings about files that were left out. */
export interface Input {
  readonly list: ResourceList
  readonly results: readonly Result[]
}

/**
 * Reads the folder `dir`, or a ResourceList on stdin when it is `-`.
 *
 * @throws UsageError when there is no such folder; WireError for what is no ResourceList; FunctionError with every file that cannot be read
 */
export async function readInput(dir: string, host: Host): Promise<Input> {
  if (dir === '-') return { list: ResourceList.parse(await host.read()), results: [] }
  const folder = requireFolder(dir, host)
  return placingResults(dir, () => readPackage(folder))
}
