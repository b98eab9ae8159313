import { createHash, hash, randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, readlinkSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { quietly } from '../attempt.ts'
import { joinPath } from '../resource-list/package-of.ts'
import { isLeftover, STAGED } from './staged-move.ts'
import { GIT_FOLDER } from './whole-folder.ts'

/** The times of a file in milliseconds: when its content was written, and when its content, name or permissions were changed. */
export interface FileTimes {
  readonly written: number
  readonly changed: number
  /** The file system of the file, whose clock the times are of. */
  readonly device: number
}

/**
 * Returns a digest of the names and stats in a folder; that of an empty folder if the folder is missing or a link. Equal digests mean that
 * no file was written, replaced, added or removed in between: the time of a file's last change is in the digest, which no program can set,
 * so that a file that was written again with its old length and its old time of writing is found. Links are not followed, but a file behind
 * a link counts. Git's own files do not.
 *
 * @param place  the full path of the folder
 * @param look   is shown the times of each file by its path, and of what links lead to
 * @throws the error of node:fs when the folder, a folder below or a file cannot be read
 */
export function folderPrint(place: string, look: (path: string, times: FileTimes) => void = () => {}): string {
  const paths: string[] = []
  const numbers: number[] = []
  const add = (path: string, { mode, size, mtimeMs, ctimeMs, ino, dev }: Stats): void => {
    paths.push(path)
    numbers.push(mode, size, mtimeMs, ctimeMs, ino, dev)
    look(path, { written: mtimeMs, changed: ctimeMs, device: dev })
  }
  const addLink = (path: string): void => {
    paths.push(readlinkSync(`${place}/${path}`))
    const target = statSync(`${place}/${path}`, { throwIfNoEntry: false })
    if (target !== undefined) add('', target)
  }
  const walk = (folder: string): void => {
    for (const name of readdirSync(`${place}/${folder}`).sort()) {
      const path = joinPath(folder, name)
      if (isLeftover(name) || name === GIT_FOLDER) {
        paths.push(path)
        continue
      }
      const stats = lstatSync(`${place}/${path}`)
      if (stats.isDirectory()) {
        walk(path)
        continue
      }
      add(path, stats)
      if (stats.isSymbolicLink()) addLink(path)
    }
  }
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true) walk('')
  return shortDigest(paths.join('\0'), new Uint8Array(Float64Array.from(numbers).buffer))
}

/** The characters of a digest that are kept: 128 bits. */
const DIGITS = 32

/** Returns the beginning of the SHA-256 of texts and bytes. It distinguishes contents that were not made to have equal digests. */
export function shortDigest(...parts: readonly (string | Uint8Array)[]): string {
  if (parts.every((part) => typeof part === 'string'))
    return hash('sha256', parts.map((part) => `${part.length}\0${part}`).join(''), 'hex').slice(0, DIGITS)
  const digest = createHash('sha256')
  for (const part of parts) digest.update(`${part.length}\0`).update(part)
  return digest.digest('hex').slice(0, DIGITS)
}

/**
 * Returns the file system of a folder; undefined if its new files do not get the time of this machine's clock, as on a server whose clock
 * differs, or on a file system with whole seconds.
 *
 * @param tick  the milliseconds by which the time of a file may be behind the clock
 */
export function deviceWithOwnClock(folder: string, tick: number): number | undefined {
  const probe = `${folder}/clock.${randomUUID()}${STAGED}`
  return quietly(() => {
    try {
      const before = Date.now()
      writeFileSync(probe, '', { flag: 'wx' })
      const { mtimeMs, dev } = lstatSync(probe)
      return mtimeMs > before - tick && mtimeMs < Date.now() + 1 ? dev : undefined
    } finally {
      rmSync(probe, { force: true })
    }
  })
}
