import { type FileChange, fileChanges } from './file-changes.ts'
import type { FolderPackage } from './package.ts'
import { writeFiles } from './write-files.ts'

/**
 * Writes the changed, added and removed resources of a package's list to the folder `dir`, and nothing else.
 *
 * @returns the files that were written or deleted
 * @throws Error, StagingError  as `writeFiles`
 */
export function writePackage(changed: FolderPackage, dir: string): readonly FileChange[] {
  const changes = fileChanges(changed)
  writeFiles(dir, changes)
  return changes
}
