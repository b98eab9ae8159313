import { tmpdir } from 'node:os'
import { isAbsolute } from 'node:path'
import { ChangedMeanwhile } from '../src/folder/as-read.ts'
import { FolderInUse, type FolderLock, lockFolder } from '../src/folder/folder-lock.ts'
import { realPlace } from '../src/folder/inside-folder.ts'
import type { NamedFolder } from '../src/folder/named-folder.ts'
import { cacheFolder } from '../src/git/git-cache.ts'
import { FunctionError, type Result } from '../src/result.ts'
import type { Host } from './host.ts'
import { nameFile, UsageError } from './usage-error.ts'

/** A command that reads folders and then writes them. */
interface Holding {
  /** The folders, as the caller named them. */
  readonly dirs: readonly string[]
  /** Locks nothing if false, as for `--dry-run`. */
  readonly isWriting: boolean
}

/**
 * Holds folders while a command reads and writes them: no other run of this program writes them meanwhile, and what a person changed
 * meanwhile is left as it is. Every command that writes files of people runs in here, or in `holdingFolder`.
 *
 * @throws UsageError while another run writes one of the folders; FunctionError with each file that was changed meanwhile
 */
export async function holdingFolders<T>({ dirs, isWriting }: Holding, host: Host, act: () => T | Promise<T>): Promise<T> {
  const [dir, ...others] = isWriting ? outermost(dirs, host) : []
  if (dir === undefined) return act()
  const inner = () => holdingFolders({ dirs: others, isWriting }, host, act)
  return holdingFolder({ disk: host.locate(dir), shown: dir }, {}, host, inner)
}

/** Returns the folders that are not inside another one, each once. */
function outermost(dirs: readonly string[], host: Host): readonly string[] {
  const places = new Map(dirs.map((dir) => [realPlace(host.locate(dir)), dir]))
  const isInside = (place: string) =>
    [...places.keys()].some((other) => place !== other && place.startsWith(`${other.replace(/\/$/, '')}/`))
  return [...places].flatMap(([place, dir]) => (isInside(place) ? [] : [dir]))
}

/** The part of a folder that a run writes, and a hint for the message of a run that is refused. */
export interface HeldPart {
  readonly part?: string | undefined
  readonly hint?: string
}

/**
 * Holds one folder, or a part of it, as `holdingFolders` does. Without a folder for caches there is no lock.
 *
 * @throws as `holdingFolders`
 */
export async function holdingFolder<T>(folder: NamedFolder, part: HeldPart, host: Host, act: () => T | Promise<T>): Promise<T> {
  const lock = lockFor(folder, part, host)
  try {
    return await act()
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? new FunctionError(changedFiles(error, (place) => nameFile(place, host))) : error
  } finally {
    lock?.release()
  }
}

function lockFor({ disk, shown }: NamedFolder, { part, hint = '' }: HeldPart, host: Host): FolderLock | undefined {
  const { XDG_CACHE_HOME, HOME } = host.environment
  if (!isAbsolute(XDG_CACHE_HOME || HOME || '')) return undefined
  try {
    const lock = lockFolder({ locks: cacheFolder(host.environment, tmpdir(), 'locks'), folder: disk, part })
    host.onInterrupt(() => lock.release())
    return lock
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    const message = `another run, process ${error.processId}, is writing '${shown}', so nothing was changed: run again when it has ended`
    throw new UsageError(`${message}${hint}`)
  }
}

/** Returns an error for each file that was changed while a command ran. */
export function changedFiles({ places, isPartial }: ChangedMeanwhile, name: (place: string) => string): readonly Result[] {
  const fate = isPartial ? 'other files are written' : 'nothing was written'
  const message = `was changed while the command ran, and is left as it is; ${fate}: run the command again`
  return places.map((place) => ({
    severity: 'error',
    message,
    file: { path: name(place), index: 0 },
    tags: { rule: 'changed-meanwhile' },
  }))
}
