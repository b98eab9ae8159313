import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FileChange } from './file-changes.ts'
import { NOT_SEARCHED } from './find-package-files.ts'
import { isLeftover } from './staged-move.ts'
import { writeFiles } from './write-files.ts'

/**
 * Writes the changes to the folder `dir`, which no other run uses. Temporary files of interrupted runs anywhere in the folder are
 * removed, even without changes; those that cannot be removed stay for the next run.
 *
 * @throws Error, StagingError  as `writeFiles`
 */
export function writeFolder(dir: string, changes: readonly FileChange[]): void {
  writeFiles(dir, changes)
  clearLeftovers(dir)
}

/** Removes temporary files below a folder. Links are not followed. */
function clearLeftovers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name)
    try {
      if (isLeftover(entry.name)) rmSync(place, { recursive: true, force: true })
      else if (entry.isDirectory() && !NOT_SEARCHED.includes(entry.name)) clearLeftovers(place)
    } catch {}
  }
}
