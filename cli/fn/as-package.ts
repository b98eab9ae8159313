import { join } from 'node:path'
import { FunctionError, type Result } from '../../src/result.ts'
import { namedFolder } from '../fleet/read-fleet.ts'
import type { FolderRun } from '../folder-run.ts'
import type { Host } from '../host.ts'
import { placeFile } from '../print/print-results.ts'

/**
 * Runs a function of the catalog on a folder as kpt does: the paths of the files are those in the folder, as `by-file-path` of
 * search-replace and the root Kptfile of list-setters mean them. Findings and changes name the files as the caller sees them.
 *
 * @param run  runs the function on the folder `.` of the places that it gets
 * @throws FunctionError with the findings of the run
 * @throws as `namedFolder`
 */
export function asPackage(dir: string, host: Pick<Host, 'locate'>, run: (inside: Pick<Host, 'locate'>) => FolderRun): FolderRun {
  const placed = (results: readonly Result[]) =>
    results.map((result) => (result.file ? { ...result, file: { ...result.file, path: placeFile(result.file.path, dir) } } : result))
  const { disk } = namedFolder(dir, host)
  try {
    const done = run({ locate: (path) => join(disk, path) })
    const files = done.files.map((file) => ({ ...file, path: placeFile(file.path, dir) }))
    return { ...done, files, results: placed(done.results) }
  } catch (error) {
    if (error instanceof FunctionError) throw new FunctionError(placed(error.results))
    throw error
  }
}
