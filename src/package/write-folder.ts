import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FileChange } from './file-changes.ts'
import { NOT_SEARCHED } from './find-package-files.ts'
import { isLeftover } from './staged-move.ts'
import { writeFiles } from './write-files.ts'

/**
 * Makes the changes in the folder `dir`, which the run has as its own: what interrupted runs left anywhere in it goes too, also where
 * there is nothing to change. What cannot be taken away is left to the next run.
 *
 * @throws Error, StagingError  as `writeFiles`
 */
export function writeFolder(dir: string, changes: readonly FileChange[]): void {
  writeFiles(dir, changes)
  clearLeftovers(dir)
}

/** A link is not followed. */
function clearLeftovers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name)
    try {
      if (isLeftover(entry.name)) rmSync(place, { recursive: true, force: true })
      else if (entry.isDirectory() && !NOT_SEARCHED.includes(entry.name)) clearLeftovers(place)
    } catch {}
  }
}
