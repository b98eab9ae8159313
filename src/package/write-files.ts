import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { FileChange } from './file-changes.ts'

/** A change whose new text stands beside its file, ready to take its place. */
interface Staged {
  readonly place: string
  readonly beside: string
}

/**
 * Makes the changes in the folder `dir`. Every new text is first written beside its file and only then renamed over it, so that an
 * interrupted run leaves each file whole: the old one or the new one.
 *
 * @throws Error when a path leads out of the folder, or a file to be created is there already; then nothing is changed
 */
export function writeFiles(dir: string, changes: readonly FileChange[]): void {
  const root = realpathSync(dir)
  const staged: Staged[] = []
  try {
    for (const change of changes) if (change.op !== 'delete') staged.push(stage(root, change))
  } catch (error) {
    for (const { beside } of staged) rmSync(beside, { force: true })
    throw error
  }
  for (const { place, beside } of staged) renameSync(beside, place)
  for (const { path, op } of changes) if (op === 'delete') deleteFile(root, path)
}

function stage(root: string, { path, op, text }: FileChange): Staged {
  const wanted = resolveInside(root, path)
  const exists = existsSync(wanted)
  if (op === 'create' && exists) throw new Error(`'${path}' is there already and holds no resource: it is not overwritten`)
  mkdirSync(dirname(wanted), { recursive: true })
  const place = exists ? realpathSync(wanted) : wanted
  const beside = `${place}.new-${process.pid}`
  writeFileSync(beside, text)
  if (exists) chmodSync(beside, statSync(place).mode)
  return { place, beside }
}

/** The place of a file to be written; the nearest folder that exists must not be a way out through a link. */
function resolveInside(root: string, path: string): string {
  const place = join(root, path)
  let folder = dirname(place)
  while (!existsSync(folder)) folder = dirname(folder)
  if (isOutside(root, place) || isOutside(root, realpathSync(folder))) throw new Error(`'${path}' must be inside the folder '${root}'`)
  return place
}

function isOutside(root: string, place: string): boolean {
  const way = relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`)
}

/** Removes the file, and the folders above it that become empty. */
function deleteFile(root: string, path: string): void {
  rmSync(join(root, path))
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder))
    } catch {
      return
    }
  }
}
