import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { realPlace } from '../folder/inside-folder.ts'
import { remember } from '../remember.ts'
import { checkoutAround } from './git-cache.ts'
import { GitError, runGit } from './run-git.ts'

/** A file that git tracks and the checkout does not have, although no person deleted it. */
export interface CheckoutGap {
  /** The path from the folder that was asked for; for a submodule, that of its folder. */
  readonly path: string
  /**
   * `sparse`: git leaves the file out by its configuration. `submodule`: a folder whose files are in another repository, which was not
   * cloned.
   */
  readonly reason: 'sparse' | 'submodule'
  /** The id of the file's content in git. */
  readonly id: string
}

/** The number of the first format of git's index that can mark a file as left out. */
const MARKS_FILES = 3

/** Finds the files that checkouts leave out. Git is asked once for each checkout, and only if the index can hold such a file. */
export class CheckoutGaps {
  readonly #known = new Map<string, readonly CheckoutGap[]>()

  /**
   * Returns the files below a folder that the checkout around it leaves out, by their paths from the folder. The folder may be missing.
   *
   * @param hasEmptyFolder  true if there is an empty folder, as in the place of a submodule
   * @throws GitError when git refuses a repository whose index marks files as left out
   */
  below(folder: string, hasEmptyFolder = false): readonly CheckoutGap[] {
    const place = realPlace(resolve(folder))
    const top = checkoutAround(place)
    if (top === undefined) return []
    const prefix = relative(top, place)
    return this.#of(top, hasEmptyFolder).flatMap((gap) => {
      if (prefix === '') return [gap]
      if (gap.path === prefix) return [{ ...gap, path: '' }]
      return gap.path.startsWith(`${prefix}/`) ? [{ ...gap, path: gap.path.slice(prefix.length + 1) }] : []
    })
  }

  #of(top: string, hasEmptyFolder: boolean): readonly CheckoutGap[] {
    return remember(this.#known, `${hasEmptyFolder} ${top}`, () => gapsOf(top, hasEmptyFolder))
  }
}

function gapsOf(top: string, hasEmptyFolder: boolean): readonly CheckoutGap[] {
  const version = indexVersion(top)
  const marksFiles = version >= MARKS_FILES
  if (version === 0 || (!marksFiles && !hasEmptyFolder && !existsSync(join(top, '.gitmodules')))) return []
  try {
    const output = runGit({ dir: top }, ['ls-files', '-s', '-t', '-z']).toString('utf8')
    return output.split('\0').flatMap((record) => gapOf(record, top))
  } catch (error) {
    // Git names the reason where the fleet needs git. Without a mark, every file that is missing was deleted.
    if (error instanceof GitError && !marksFiles) return []
    throw error
  }
}

const SUBMODULE_MODE = '160000'

/** Returns the gap of a record `TAG MODE ID STAGE<tab>PATH`; none for a file that is there. */
function gapOf(record: string, top: string): readonly CheckoutGap[] {
  const tab = record.indexOf('\t')
  const [tag, mode, id = ''] = record.slice(0, tab).split(' ')
  const path = record.slice(tab + 1)
  if (mode === SUBMODULE_MODE) return isEmptyFolder(join(top, path)) ? [{ path, reason: 'submodule', id }] : []
  return tag === 'S' && lstatSync(join(top, path), { throwIfNoEntry: false }) === undefined ? [{ path, reason: 'sparse', id }] : []
}

function isEmptyFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true || readdirSync(place).length === 0
}

/** Returns the number of the format of a checkout's index, 0 if there is none. */
function indexVersion(top: string): number {
  const index = join(gitFolderOf(top), 'index')
  if (!existsSync(index)) return 0
  const head = Buffer.alloc(8)
  const file = openSync(index, 'r')
  try {
    return readSync(file, head, 0, head.length, 0) === head.length ? head.readUInt32BE(4) : 0
  } finally {
    closeSync(file)
  }
}

/** Returns git's own folder of a checkout. In a worktree or submodule, the file `.git` names it. */
function gitFolderOf(top: string): string {
  const place = join(top, '.git')
  if (statSync(place).isDirectory()) return place
  const named = /^gitdir: (.*)$/m.exec(readFileSync(place, 'utf8'))?.[1]
  return named === undefined ? place : resolve(top, named)
}
