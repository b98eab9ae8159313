import { statSync } from 'node:fs'
import type { Host } from './host.ts'
import { UsageError } from './usage-error.ts'

/**
 * The place of the folder that the caller named `dir`.
 *
 * @throws UsageError when nothing is there, or a file; the error of node:fs when the folder above cannot be searched
 */
export function requireFolder(dir: string, host: Host): string {
  const folder = host.locate(dir)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`no folder '${dir}' to read`)
  if (!found.isDirectory()) throw new UsageError(`'${dir}' must be a folder, got a file`)
  return folder
}
