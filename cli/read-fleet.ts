import { statSync } from 'node:fs'
import { readPackage } from '../src/package/read-package.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import type { Result } from '../src/result.ts'
import type { Host } from './host.ts'
import { placingResults } from './print-results.ts'
import { UsageError } from './usage-error.ts'

/** The resources that a command works on, and warnings about files that were left out. */
export interface FleetInput {
  readonly list: ResourceList
  readonly results: readonly Result[]
}

/**
 * Reads the folder `dir`, or a ResourceList on stdin when it is `-`.
 *
 * @throws UsageError when there is no such folder; WireError for what is no ResourceList; FunctionError with every file that cannot be read
 */
export async function readFleet(dir: string, host: Host): Promise<FleetInput> {
  if (dir === '-') return { list: ResourceList.parse(await host.read()), results: [] }
  const folder = host.locate(dir)
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) throw new UsageError(`no folder '${dir}' to read`)
  return placingResults(dir, () => readPackage(folder))
}
