import { readdirSync, realpathSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ChangedMeanwhile, holdsText, isFree } from './as-read.ts'
import type { FileChange } from './file-changes.ts'
import { NOT_SEARCHED } from './find-package-files.ts'
import { RealFiles } from './inside-folder.ts'
import { isLeftover } from './staged-move.ts'
import { isOutside, Staging } from './staging.ts'

/**
 * Writes the changes to the folder `dir`. Every new text is written beside its file and then renamed over it, so that an interrupted
 * run leaves each file whole: old or new. A link inside the folder stays, and its target is written.
 *
 * @throws Error when a path or a link leads out of the folder, or a file to be created exists; then nothing is changed
 * @throws ChangedMeanwhile for files that no longer have the text `before` of their change, or that someone else created; StagingError when
 * the operating system refuses a change. `isPartial` is true if other changes were made
 */
export function writeFiles(dir: string, changes: readonly FileChange[]): void {
  const staging = new Staging(dir)
  try {
    const root = realpathSync(dir)
    const written: Written = { root, files: new RealFiles(), texts: new Map() }
    for (const change of changes) stage(staging, change, written)
    staging.commit()
  } catch (error) {
    staging.abort()
    throw error
  }
}

interface Written {
  /** The real path of the folder. */
  readonly root: string
  readonly files: RealFiles
  /** The new texts by the real paths of their files: two paths may lead to one file. */
  readonly texts: Map<string, string>
}

function stage(staging: Staging, { path, op, text, before }: FileChange, { root, files, texts }: Written): void {
  const named = join(root, path)
  if (op === 'delete') {
    staging.removeFile(path, { isAsRead: before === undefined ? undefined : holdsText(named, before) })
    return
  }
  const bytes = new TextEncoder().encode(text)
  const there = files.at(named)
  if (there === undefined && before !== undefined) throw new ChangedMeanwhile([named], { isPartial: false })
  if (there === undefined) {
    staging.file({ path, bytes, mode: NEW }, { isAsRead: isFree(named) })
    return
  }
  const { place, mode } = there
  if (isOutside(root, place)) throw new Error(`'${path}' must be inside the folder '${root}'`)
  if (op === 'create') throw new Error(`'${path}' exists already and holds no resource: it is not overwritten`)
  const other = texts.get(place)
  if (other === text) return
  if (other !== undefined) throw new Error(`'${path}' leads to a file that gets another text by its own name`)
  texts.set(place, text)
  staging.file({ path: relative(root, place), bytes, mode }, { isAsRead: before === undefined ? undefined : holdsText(place, before) })
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

/** Removes temporary files of interrupted runs below a folder that no other run uses. Links are not followed. */
export function clearLeftovers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name)
    try {
      if (isLeftover(entry.name)) rmSync(place, { recursive: true, force: true })
      else if (entry.isDirectory() && !NOT_SEARCHED.includes(entry.name)) clearLeftovers(place)
    } catch {}
  }
}
