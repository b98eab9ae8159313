import { createHash, hash } from 'node:crypto'
import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { isRecordFolder } from './signed-record.ts'

/** The times of a file in milliseconds: when its content was written, and when its content, name or permissions were changed. */
export interface FileTimes {
  readonly written: number
  readonly changed: number
  /** The file system of the file, whose clock the times are of. */
  readonly device: number
}

/** The folders of a fleet. */
export interface FleetPrint {
  /** The packages that were found, by their path below the folder of all packages. */
  readonly packages: ReadonlySet<string>
  /** A digest of the names and stats of all files outside of packages. Equal digests mean that no file was written, replaced or added since. */
  readonly others: string
  /** False if one of these files may be other than the caller knows it. */
  readonly isSettled: boolean
}

/** The folders to walk, and the packages among them. */
export interface PrintRequest {
  /** Real paths of folders, none inside another. */
  readonly roots: readonly string[]
  /** The real path of the folder of all packages. */
  readonly out: string
  /** Returns true for the folder of a package, below `out`. */
  readonly isPackage: (folder: string) => boolean
  /** Returns true if a file outside of packages is as the caller knows it. */
  readonly isKnown: (times: FileTimes) => boolean
}

/** The most files outside of packages. A folder with more is no fleet but holds one, and walking it would cost more than it saves. */
const MOST_OTHERS = 200_000

/**
 * Walks folders once, links not followed, and returns their print. A package is not walked, since packages have most of the files of a
 * fleet. The times of a file's last change are in the print, which no program can set: a file that was written again with its old length
 * and its old time of writing has another print.
 *
 * @throws the error of node:fs when a folder cannot be read; RangeError for too many files
 */
export function printFleet(request: PrintRequest): FleetPrint {
  const printer = new Printer(request)
  for (const root of request.roots) printer.addRoot(root)
  return printer.print()
}

const GIT_FOLDER = '.git'

/** Collects the stats of files outside of packages. */
class Printer {
  readonly #request: PrintRequest
  readonly #hash = createHash('sha256')
  readonly #packages = new Set<string>()
  #lines = ''
  #isSettled = true
  #files = 0

  constructor(request: PrintRequest) {
    this.#request = request
  }

  addRoot(root: string): void {
    this.#lines += `${root}\0root\n`
    if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory() === true) this.#walk(root, '')
  }

  print(): FleetPrint {
    return { packages: this.#packages, others: this.#hash.update(this.#lines).digest('hex').slice(0, DIGITS), isSettled: this.#isSettled }
  }

  /**
   * Adds the files of a folder and of those below.
   *
   * @param place  the full path of the folder
   * @param path   its path in prints
   */
  #walk(place: string, path: string): void {
    for (const entry of this.#entries(place)) {
      const own = path === '' ? entry.name : `${path}/${entry.name}`
      const below = `${place}/${entry.name}`
      if (!entry.isDirectory()) this.#add(own, below, entry)
      else if (entry.name !== GIT_FOLDER && !this.#isPackage(below)) this.#walk(below, own)
    }
  }

  /** Returns the entries of a folder by name, without the record itself. */
  #entries(place: string): readonly Dirent[] {
    const entries = readdirSync(place, { withFileTypes: true })
    const own = place === this.#request.out ? entries.filter(({ name }) => !isRecordFolder(name)) : entries
    return own.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  #isPackage(place: string): boolean {
    const { out, isPackage } = this.#request
    if (!place.startsWith(`${out}/`)) return false
    const folder = place.slice(out.length + 1)
    if (!isPackage(folder)) return false
    this.#packages.add(folder)
    return true
  }

  /** @param place  the full path of the file */
  #add(path: string, place: string, entry: Dirent): void {
    this.#files += 1
    if (this.#files > MOST_OTHERS) throw new RangeError('too many files')
    this.#addStats(path, lstatSync(place))
    // A fleet reads a link to a file as that file.
    if (!entry.isSymbolicLink()) return
    this.#lines += `${readlinkSync(place)}\0`
    const target = statSync(place, { throwIfNoEntry: false })
    if (target !== undefined) this.#addStats(path, target)
  }

  #addStats(path: string, { mode, size, mtimeMs, ctimeMs, ino, dev }: Stats): void {
    this.#lines += `${path}\0${mode} ${size} ${mtimeMs} ${ctimeMs} ${ino} ${dev}\n`
    this.#isSettled &&= this.#request.isKnown({ written: mtimeMs, changed: ctimeMs, device: dev })
    if (this.#lines.length > MOST_LINES) this.#flush()
  }

  #flush(): void {
    this.#hash.update(this.#lines)
    this.#lines = ''
  }
}

/** The length of lines that are kept until they are digested. */
const MOST_LINES = 10_000

/** The characters of a digest that are kept: 128 bits. */
const DIGITS = 32

/** Returns the beginning of the SHA-256 of texts and bytes. It distinguishes contents that were not made to have equal digests. */
export function shortDigest(...parts: readonly (string | Uint8Array)[]): string {
  if (parts.every((part) => typeof part === 'string')) return shortHash(parts.map((part) => `${part.length}\0${part}`).join(''))
  const digest = createHash('sha256')
  for (const part of parts) digest.update(`${part.length}\0`).update(part)
  return digest.digest('hex').slice(0, DIGITS)
}

/** Returns the beginning of the SHA-256 of a text or bytes. */
export function shortHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex').slice(0, DIGITS)
}
