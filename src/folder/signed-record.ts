import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { STAGED } from './staged-move.ts'

/** The folder of the record, at the top of the folder of all packages. */
const FOLDER = '.krm-variants'
/** Without the ending of a KRM file, so that no program takes the record for a resource. */
const FILE = 'last-render-'
const KEY_FILE = 'record-key'
const KEY_BYTES = 32
const PRIVATE = 0o600
/** A record of a million packages is smaller. */
const MOST_BYTES = 2 ** 28

/**
 * A record that a run leaves beside packages for the next run. The record is signed with a key that only this user on this machine can
 * read: a record that arrived with a clone, an archive or a pull request is not read.
 */
export class SignedRecord {
  readonly #folder: string
  readonly #file: string
  readonly #keys: string

  /**
   * @param out   the folder of all packages
   * @param name  distinguishes the records of several fleets with packages in this folder
   * @param keys  the folder of the user's cache for the key, which the first record needs
   */
  constructor(out: string, name: string, keys: string) {
    this.#folder = join(out, FOLDER)
    this.#file = `${FILE}${name}`
    this.#keys = keys
  }

  /** Returns the content of the record; undefined if there is none, or none of this user and this version of the tool. */
  read(version: string): JsonRecord | undefined {
    return quietly(() => {
      const key = readKey(this.#keys)
      if (key === undefined || !isOwn(lstatSync(this.#folder), 'isDirectory')) return undefined
      const bytes = readOwnFile(join(this.#folder, this.#file), MOST_BYTES)
      const [head = '', body = ''] = bytes === undefined ? [] : splitAtLine(bytes.toString('utf8'))
      if (!isSame(head, signature(key, version, body))) return undefined
      const record: JsonValue = JSON.parse(body)
      return isRecord(record) ? record : undefined
    })
  }

  /** Writes the record beside its place and renames it. A record that cannot be written is left out. */
  write(version: string, record: object): void {
    quietly(() => {
      mkdirSync(this.#folder, { recursive: true })
      if (!isOwn(lstatSync(this.#folder), 'isDirectory')) return
      const ignore = join(this.#folder, '.gitignore')
      if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { flag: 'wx' })
      const key = readKey(this.#keys) ?? makeKey(this.#keys)
      const body = JSON.stringify(record)
      const beside = join(this.#folder, `${this.#file}.${randomUUID()}${STAGED}`)
      try {
        writeFileSync(beside, `${signature(key, version, body)}\n${body}`, { flag: 'wx', mode: PRIVATE })
        renameSync(beside, join(this.#folder, this.#file))
      } catch (error) {
        rmSync(beside, { force: true })
        throw error
      }
    })
  }

  /**
   * Returns true if new files beside the record get the time of this machine's clock: not on a server whose clock differs, nor on a file
   * system with whole seconds.
   *
   * @param tick  the largest difference, in milliseconds
   */
  hasClockOf(tick: number): boolean {
    return (
      quietly(() => {
        mkdirSync(this.#folder, { recursive: true })
        const probe = join(this.#folder, `clock.${randomUUID()}${STAGED}`)
        try {
          const before = Date.now()
          writeFileSync(probe, '', { flag: 'wx' })
          const { mtimeMs } = lstatSync(probe)
          return mtimeMs > before - tick && mtimeMs < Date.now() + 1
        } finally {
          rmSync(probe, { force: true })
        }
      }) === true
    )
  }

  /** Returns the file system of the record; undefined if it is not there. */
  get device(): number | undefined {
    return quietly(() => lstatSync(this.#folder).dev)
  }
}

function signature(key: Uint8Array, version: string, body: string): string {
  return createHmac('sha256', key).update(`${version.length} ${version}`).update(body).digest('hex')
}

function splitAtLine(text: string): readonly [string, string] {
  const end = text.indexOf('\n')
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)]
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function readKey(folder: string): Uint8Array | undefined {
  const place = join(folder, KEY_FILE)
  if (!existsSync(place)) return undefined
  const key = readOwnFile(place, KEY_BYTES)
  if (key === undefined || key.length !== KEY_BYTES || (lstatSync(place).mode & OTHERS) !== 0) throw new Error('no key of this user')
  return key
}

const OTHERS = 0o077

function makeKey(folder: string): Uint8Array {
  const key = randomBytes(KEY_BYTES)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, KEY_FILE), key, { flag: 'wx', mode: PRIVATE })
  return key
}

/** Returns the bytes of a file of the user that is no link; undefined for anything else, and for a file that is too large. */
function readOwnFile(place: string, most: number): Buffer | undefined {
  const file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    return isOwn(stats, 'isFile') && stats.size <= most ? readFileSync(file) : undefined
  } finally {
    closeSync(file)
  }
}

function isOwn(stats: Stats, kind: 'isFile' | 'isDirectory'): boolean {
  const user = process.getuid?.()
  return stats[kind]() && (user === undefined || stats.uid === user) && (kind === 'isDirectory' || stats.nlink === 1)
}

/** Returns what an action returns; undefined if it throws: nothing depends on the record. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
