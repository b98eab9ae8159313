import { readdirSync, realpathSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type FileChange, fileChanges } from './file-changes.ts'
import { NOT_SEARCHED } from './find-package-files.ts'
import { RealFiles } from './inside-folder.ts'
import type { FolderPackage } from './package.ts'
import { isLeftover } from './staged-move.ts'
import { isOutside, Staging } from './staging.ts'

/**
 * Writes the changes to the folder `dir`. Every new text is written beside its file and then renamed over it, so that an interrupted
 * run leaves each file whole: old or new. A link inside the folder stays, and its target is written.
 *
 * @throws Error when a path or a link leads out of the folder, or a file to be created exists; then nothing is changed
 * @throws StagingError when the operating system refuses a change; `isPartial` is true if other changes were made
 */
export function writeFiles(dir: string, changes: readonly FileChange[]): void {
  const staging = new Staging(dir)
  try {
    const root = realpathSync(dir)
    const files = new RealFiles()
    for (const change of changes) stage(staging, change, { root, files })
    staging.commit()
  } catch (error) {
    staging.abort()
    throw error
  }
}

function stage(
  staging: Staging,
  { path, op, text }: FileChange,
  { root, files }: { readonly root: string; readonly files: RealFiles },
): void {
  if (op === 'delete') {
    staging.removeFile(path)
    return
  }
  const bytes = new TextEncoder().encode(text)
  const there = files.at(join(root, path))
  if (there === undefined) {
    staging.file({ path, bytes, mode: NEW })
    return
  }
  if (isOutside(root, there.place)) throw new Error(`'${path}' must be inside the folder '${root}'`)
  if (op === 'create') throw new Error(`'${path}' exists already and holds no resource: it is not overwritten`)
  staging.file({ path: relative(root, there.place), bytes, mode: there.mode })
}

const NEW = 0o644

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
