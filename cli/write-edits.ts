import { ChangedMeanwhile } from '../src/folder/as-read.ts'
import { type FileChange, fileChanges } from '../src/folder/file-changes.ts'
import type { FolderPackage } from '../src/folder/package.ts'
import { StagingError } from '../src/folder/staging.ts'
import { writeFolder } from '../src/folder/write-files.ts'
import { printable, printableText } from '../src/printable.ts'
import { FunctionError } from '../src/result.ts'
import type { Host } from './host.ts'
import { diffFiles } from './print/file-diff.ts'
import { pathIn, placeFile } from './print/print-results.ts'
import { refuseUnwritable } from './refuse-unwritable.ts'

/** The printer of edits, and `isDryRun` to print without writing. */
interface Showing {
  readonly say: (text: string) => void
  readonly isDryRun: boolean
  /** True if the command has written other files before, which an error says. */
  readonly isSecond?: boolean
}

/**
 * Writes the edits of the objects of a folder, then shows them as a unified diff. Returns the changed files.
 *
 * @throws FunctionError with each file that must not be written, before anything is; ChangedMeanwhile as `writeFolder`
 */
export function writeEdits(
  read: FolderPackage,
  dir: string,
  { say, isDryRun, isSecond = false }: Showing,
  host: Host,
): readonly FileChange[] {
  const changes = fileChanges(read)
  const inFolder = changes.map((change) => ({ ...change, path: pathIn(dir, change.path) }))
  const unwritable = refuseUnwritable(host.locate(dir), inFolder, (path) => placeFile(path, dir))
  if (unwritable.length > 0) throw new FunctionError(unwritable)
  try {
    if (!isDryRun) writeFolder(host.locate(dir), inFolder)
  } catch (error) {
    throw isSecond ? afterOthers(error) : error
  }
  for (const { path, text, before = '' } of changes) {
    const hunks = diffFiles(Buffer.from(before), Buffer.from(text))?.hunks ?? ''
    say(`--- a/${printable(path)}\n+++ b/${printable(path)}\n${printableText(hunks)}`)
  }
  return changes
}

/** Returns an error of writing as one of a command that has written other files. */
function afterOthers(error: unknown): unknown {
  if (error instanceof StagingError) return new StagingError(error.place, { cause: error.cause, isPartial: true })
  return error instanceof ChangedMeanwhile ? new ChangedMeanwhile(error.places, { isPartial: true }) : error
}
