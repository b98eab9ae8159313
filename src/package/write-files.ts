import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type FileChange, fileChanges } from './file-changes.ts'
import { NOT_SEARCHED } from './find-package-files.ts'
import type { FolderPackage } from './package.ts'
import { isLeftover } from './staged-move.ts'
import { isOutside, Staging } from './staging.ts'

/**
 * Writes the changes to the folder `dir`. Every new text is written beside its file and then renamed over it, so that an interrupted
 * run leaves each file whole: old or new. A link inside the folder stays, and its target is written.
 *
 * @throws Error when a path or a link leads out of the folder, or a file to be created exists; then nothing is changed
 * @throws StagingError when the operating system refuses a change; it tells if other changes were made
 */
export function writeFiles(dir: string, changes: readonly FileChange[]): void {
  const staging = new Staging(dir)
  try {
    const root = realpathSync(dir)
    for (const change of changes) stage(staging, root, change)
    staging.commit()
  } catch (error) {
    staging.abort()
    throw error
  }
}

function stage(staging: Staging, root: string, { path, op, text }: FileChange): void {
  if (op === 'delete') {
    staging.removeFile(path)
    return
  }
  const bytes = new TextEncoder().encode(text)
  const wanted = join(root, path)
  if (!existsSync(wanted)) {
    staging.file({ path, bytes, mode: NEW })
    return
  }
  // A link may lead elsewhere.
  const real = realpathSync(wanted)
  if (isOutside(root, real)) throw new Error(`'${path}' must be inside the folder '${root}'`)
  if (op === 'create') throw new Error(`'${path}' exists already and holds no resource: it is not overwritten`)
  staging.file({ path: relative(root, real), bytes, mode: statSync(real).mode & 0o777 })
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
