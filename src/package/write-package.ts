import { type FileChange, fileChanges } from './file-changes.ts'
import type { FolderPackage } from './package.ts'
import { writeFiles } from './write-files.ts'

/**
 * Writes to the folder `dir` what was changed, added or removed in the package's list, and nothing else.
 *
 * @returns the files that were written or deleted
 * @throws Error as `writeFiles`
 */
export function writePackage(changed: FolderPackage, dir: string): readonly FileChange[] {
  const changes = fileChanges(changed)
  writeFiles(dir, changes)
  return changes
}
