import { existsSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FileChange } from './file-changes.ts'
import { Staging } from './staging.ts'

/**
 * Makes the changes in the folder `dir`. Every new text is first written beside its file and only then renamed over it, so that an
 * interrupted run leaves each file whole: the old one or the new one. What a link inside the folder leads to is written, the link stays.
 *
 * @throws Error when a path or a link leads out of the folder, or a file to be created is there already; then nothing is changed
 * @throws StagingError when the operating system refuses something; it says whether other changes are made
 */
export function writeFiles(dir: string, changes: readonly FileChange[]): void {
  const staging = new Staging(dir)
  try {
    for (const change of changes) stage(staging, realpathSync(dir), change)
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
  const wanted = join(root, path)
  const exists = existsSync(wanted)
  if (op === 'create' && exists && isInside(root, wanted))
    throw new Error(`'${path}' is there already and holds no resource: it is not overwritten`)
  if (exists && !isInside(root, wanted)) throw new Error(`'${path}' must be inside the folder '${root}'`)
  const place = exists ? relative(root, realpathSync(wanted)) : path
  staging.file({ path: place, bytes: new TextEncoder().encode(text), mode: exists ? statSync(wanted).mode & 0o777 : NEW })
}

/** By its real path: a link may lead elsewhere. */
function isInside(root: string, place: string): boolean {
  const way = relative(root, realpathSync(place))
  return way !== '..' && !way.startsWith(`..${sep}`)
}

const NEW = 0o644
