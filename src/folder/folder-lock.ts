import { readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, sep } from 'node:path'
import { quietly } from '../attempt.ts'
import { errorCode } from '../error-code.ts'
import { shortDigest } from './folder-print.ts'
import { realPlace } from './inside-folder.ts'
import { makeFolder } from './make-folder.ts'

/** The folder that a run is about to write, and the place of the locks. */
interface LockedPlace {
  /** The user's own folder for locks, which need not exist. */
  readonly locks: string
  /** The folder that the run writes, which need not exist. */
  readonly folder: string
  /** Names the part of the folder that the run writes. If unset, the run writes the whole folder. */
  readonly part?: string | undefined
}

/** The lock of a run. */
export interface FolderLock {
  /** Removes the lock. A second call does nothing. */
  release(): void
}

/** A process of this machine is writing the folder. */
export class FolderInUse extends Error {
  readonly processId: number

  constructor(processId: number) {
    super(`process ${processId} is writing the folder`)
    this.name = 'FolderInUse'
    this.processId = processId
  }
}

/**
 * Takes the lock of a folder, so that no other run of the user on this machine writes the folder meanwhile, nor a folder inside of it or
 * around it. Runs on different parts may write at the same time; a run on the whole folder excludes all others. The lock of a process that
 * is gone counts as none. Where no lock can be made, the run goes on without one.
 *
 * A lock is a symbolic link whose target names the process and the folder: a link is made with its content in one step, and never replaces
 * another.
 *
 * @throws FolderInUse
 */
export function lockFolder({ locks, folder, part }: LockedPlace): FolderLock {
  const real = realPlace(folder)
  const machine = shortDigest(hostname())
  const own = `${machine}.${shortDigest(real)}.${part === undefined ? WHOLE : shortDigest(part)}`
  const place = join(locks, own)
  const mark = `${process.pid}.${startOf(process.pid)}.${crypto.randomUUID()}:${real}`
  const release = (): void => {
    if (quietly(() => readlinkSync(place)) === mark) quietly(() => rmSync(place))
  }
  quietly(() => makeFolder(locks, 0o700))
  const holder = quietly(() => takeLink(place, mark))
  if (holder !== undefined) throw new FolderInUse(holder)
  // Both runs take their own lock before they look for the lock of the other, so that at least one of them finds the other.
  const others = (quietly(() => readdirSync(locks)) ?? []).filter((name) => name !== own && name.startsWith(`${machine}.`))
  for (const other of others) {
    const mark = quietly(() => readlinkSync(join(locks, other))) ?? ''
    const folder = mark.slice(mark.indexOf(':') + 1)
    const excludes = folder === real ? part === undefined || other.endsWith(`.${WHOLE}`) : isWithin(folder, real) || isWithin(real, folder)
    const holder = excludes ? processOf(mark) : undefined
    if (holder === undefined) continue
    release()
    throw new FolderInUse(holder)
  }
  return { release }
}

/** The end of the name of a lock of a whole folder. */
const WHOLE = 'whole'

function isWithin(folder: string, outer: string): boolean {
  return folder.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`)
}

/** Makes the link, in place of a link of a process that is gone. Returns the id of the living process that has the link, if any. */
function takeLink(place: string, mark: string): number | undefined {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (madeLink(place, mark)) return undefined
    const found = quietly(() => readlinkSync(place))
    if (found === undefined) continue
    const holder = processOf(found)
    if (holder !== undefined) return holder
    removeLink(place, found)
  }
  return undefined
}

const MOST_TRIES = 10

/** Returns false if there is a link. Throws if no link can be made. */
function madeLink(place: string, mark: string): boolean {
  try {
    symlinkSync(mark, place)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes the link with a mark. A link that another run has made in its place meanwhile is put back. */
function removeLink(place: string, mark: string): void {
  const aside = `${place}.${crypto.randomUUID()}`
  quietly(() => {
    renameSync(place, aside)
    const moved = readlinkSync(aside)
    if (moved !== mark) madeLink(place, moved)
    rmSync(aside)
  })
}

/** Returns the id of the process that a mark names; undefined if the process is gone, or another process has its id now. */
function processOf(mark: string): number | undefined {
  const [, id, start] = /^(\d+)\.(\d*)\./.exec(mark) ?? []
  if (id === undefined || !isRunning(Number(id)) || startOf(Number(id)) !== start) return undefined
  return Number(id)
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    // EPERM: the process belongs to another user.
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Returns the time at which a process began, in ticks since the start of Linux; an empty text elsewhere, and for a process that was killed
 * and whose parent has not asked for its end.
 */
function startOf(id: number): string {
  const stat = quietly(() => readFileSync(`/proc/${id}/stat`, 'latin1')) ?? ''
  // The name of the program, in brackets, may hold spaces and brackets. The state is field 3 (proc(5)), the time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? '' : (fields[START_FIELD] ?? '')
}

const START_FIELD = 22 - 3
