import { createHash } from 'node:crypto'
import { type BigIntStats, type Dirent, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { isRecordFolder } from './signed-record.ts'

/** A digest of the names and stats of the files of a folder. Equal prints mean that no file was written, replaced or added since. */
export interface FolderPrint {
  readonly digest: string
  /** False if a file of the folder may be other than the caller knows it. */
  readonly isSettled: boolean
}

/** The prints of a fleet: one for each package, and one for all other files. */
export interface FleetPrints {
  readonly packages: ReadonlyMap<string, FolderPrint>
  readonly others: FolderPrint
}

/** The times of a file in nanoseconds: when its content was written, and when its content, name or permissions were changed. */
export interface FileTimes {
  readonly written: bigint
  readonly changed: bigint
  /** The file system of the file, whose clock the times are of. */
  readonly device: bigint
}

/** The folders to walk, and the packages among them. */
export interface PrintRequest {
  /** Real paths of folders, none inside another. */
  readonly roots: readonly string[]
  /** The real path of the folder of all packages. */
  readonly out: string
  /** Returns true for the folder of a package, below `out`. */
  readonly isPackage: (folder: string) => boolean
  /**
   * Returns true if a file is as the caller knows it.
   *
   * @param folder  the package of the file; undefined for other files
   * @param path    the path below the package
   */
  readonly isKnown: (times: FileTimes, folder: string | undefined, path: string) => boolean
}

/** The most files outside of packages. A folder with more is no fleet but holds one, and walking it would cost more than it saves. */
const MOST_OTHERS = 200_000

/**
 * Walks folders once, links not followed, and returns their prints. The times of a file's last change are in its print, which no program
 * can set: a file that was written again with its old length and its old time of writing has another print.
 *
 * @throws the error of node:fs when a folder cannot be read; RangeError for too many files
 */
export function printFleet(request: PrintRequest): FleetPrints {
  const others = new Printer(undefined, request)
  const packages = new Map<string, FolderPrint>()
  const walk = (place: string, folder: string, printer: Printer) => {
    for (const entry of entriesOf(place, place === request.out)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const below = `${place}/${entry.name}`
      if (!entry.isDirectory()) printer.add(path, below, entry)
      else if (entry.name !== GIT_FOLDER) walkFolder(below, path, printer)
    }
    printer.flush()
  }
  const walkFolder = (place: string, path: string, printer: Printer) => {
    const own = printer === others ? packageAt(place, request) : undefined
    if (own === undefined) {
      walk(place, path, printer)
      return
    }
    const ownPrinter = new Printer(own, request)
    walk(place, '', ownPrinter)
    packages.set(own, ownPrinter.print())
  }
  for (const root of request.roots) {
    others.addRoot(root)
    if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory() === true) walk(root, '', others)
  }
  return { packages, others: others.print() }
}

/** Returns the folder of a package below the folder of all packages; undefined for any other folder. */
function packageAt(place: string, { out, isPackage }: PrintRequest): string | undefined {
  if (!place.startsWith(`${out}/`)) return undefined
  const folder = place.slice(out.length + 1)
  return isPackage(folder) ? folder : undefined
}

/** Returns the entries of a folder by name, without the record itself. */
function entriesOf(place: string, isOut: boolean): readonly Dirent[] {
  const entries = readdirSync(place, { withFileTypes: true }).filter(({ name }) => !(isOut && isRecordFolder(name)))
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const GIT_FOLDER = '.git'

/** Collects the stats of the files of a folder. */
class Printer {
  readonly #folder: string | undefined
  readonly #isKnown: PrintRequest['isKnown']
  readonly #hash = createHash('sha256')
  #lines = ''
  #isSettled = true
  #files = 0

  constructor(folder: string | undefined, { isKnown }: PrintRequest) {
    this.#folder = folder
    this.#isKnown = isKnown
  }

  addRoot(root: string): void {
    this.#lines += `${root}\0root\n`
  }

  /** @param place  the full path of the file */
  add(path: string, place: string, entry: Dirent): void {
    this.#files += 1
    if (this.#folder === undefined && this.#files > MOST_OTHERS) throw new RangeError('too many files')
    const stats = lstatSync(place, { bigint: true })
    this.#addStats(path, stats)
    // A fleet reads a link to a file as that file.
    if (!entry.isSymbolicLink()) return
    this.#lines += `${readlinkSync(place)}\0`
    const target = statSync(place, { bigint: true, throwIfNoEntry: false })
    if (target !== undefined) this.#addStats(path, target)
  }

  #addStats(path: string, { mode, size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): void {
    this.#lines += `${path}\0${mode} ${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}\n`
    this.#isSettled &&= this.#isKnown({ written: mtimeNs, changed: ctimeNs, device: dev }, this.#folder, path)
  }

  flush(): void {
    this.#hash.update(this.#lines)
    this.#lines = ''
  }

  print(): FolderPrint {
    this.flush()
    return { digest: this.#hash.digest('hex').slice(0, DIGITS), isSettled: this.#isSettled }
  }
}

const DIGITS = 32

/** Returns the beginning of the SHA-256 of texts and bytes, which distinguishes what nobody made on purpose. */
export function shortDigest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}\0`).update(part)
  return hash.digest('hex').slice(0, DIGITS)
}
