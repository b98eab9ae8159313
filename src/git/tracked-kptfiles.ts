import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readBoundedText } from '../folder/bounded-file.ts'
import { realPlace } from '../folder/inside-folder.ts'
import { below, type NamedFolder } from '../folder/named-folder.ts'
import { PathGate } from '../folder/safe-path.ts'
import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import { readGitContents } from './git.ts'
import { checkoutAround } from './git-cache.ts'
import { GitError, runGit } from './run-git.ts'

/** A Kptfile that was found on disk or in the index of git. */
export interface FoundKptfile {
  /** The real path of its folder. */
  readonly folder: string
  /** False for a Kptfile that git's index has and the disk does not. */
  readonly isOnDisk: boolean
  readonly text: string
}

/** Returns the Kptfiles in folders below a folder. A folder without one is left out. */
export function kptfilesIn(root: string, folders: readonly string[]): readonly FoundKptfile[] {
  const top = realPlace(root)
  const places = folders.map((folder) => join(top, folder))
  return places.filter(hasKptfile).map((folder) => ({ folder, isOnDisk: true, text: readBoundedText(join(folder, KPTFILE)) }))
}

function hasKptfile(folder: string): boolean {
  return existsSync(join(folder, KPTFILE))
}

/**
 * Returns the Kptfiles that git tracks in the repositories around folders, as they are on disk, else as in the index; none outside of git.
 */
export function trackedKptfiles(dirs: readonly string[]): readonly FoundKptfile[] {
  const tops = new Set(dirs.flatMap((dir) => checkoutAround(realPlace(dir)) ?? []))
  return [...tops].flatMap(kptfilesOf)
}

/** Returns the Kptfiles that git tracks in a checkout. */
function kptfilesOf(top: string): readonly FoundKptfile[] {
  try {
    const output = runGit({ dir: top }, ['ls-files', '-s', '-z', '--', `:(glob)**/${KPTFILE}`]).toString('utf8')
    const files = output.split('\0').flatMap((record) => {
      const tab = record.indexOf('\t')
      const [mode = '', id = '', stage] = record.slice(0, tab).split(' ')
      return stage === '0' ? [{ path: record.slice(tab + 1), mode, id }] : []
    })
    const there = kptfilesIn(
      top,
      files.map(({ path }) => folderOf(path)),
    )
    const onDisk = new Set(there.map(({ folder }) => folder))
    const gone = files.filter(({ path }) => !onDisk.has(join(top, folderOf(path))))
    const texts = readGitContents({ dir: top }, 'the index', { files: gone, gate: new PathGate() })
    const lost = gone.map(({ path }) => ({
      folder: join(top, folderOf(path)),
      isOnDisk: false,
      text: texts.get(path)?.toString('utf8') ?? '',
    }))
    return [...there, ...lost]
  } catch (error) {
    // A repository that git refuses has its message where the fleet needs git.
    if (error instanceof GitError) return []
    throw error
  }
}

/** Returns the name of a place on disk by its way from a folder: `../clusters/ams` from `fleet` is `clusters/ams`. */
export function shownPlace(from: NamedFolder, place: string): string {
  return below(from, relative(realPlace(from.disk), place)).shown
}
