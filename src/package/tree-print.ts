import { createHash } from 'node:crypto'
import { type BigIntStats, type Dirent, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { isRecordFolder } from './signed-record.ts'

/** A digest of the names and stats of the files of a folder. Equal prints mean that no file was written, replaced or added since. */
export interface FolderPrint {
  readonly digest: string
  /** False if a file of the folder may be other than the caller knows it. */
  readonly isSettled: boolean
}

/** The prints of a fleet. */
export interface FleetPrints {
  /** The packages that were found. The print of a package is made at the first call, which throws as `printFleet`. */
  readonly packages: ReadonlyMap<string, () => FolderPrint>
  /** The print of all files outside of packages. */
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
 * Walks folders once, links not followed, and returns their prints. A package is not walked before its print is asked for, since it has
 * most of the files of a fleet. The times of a file's last change are in its print, which no program can set: a file that was written
 * again with its old length and its old time of writing has another print.
 *
 * @throws the error of node:fs when a folder cannot be read; RangeError for too many files
 */
export function printFleet(request: PrintRequest): FleetPrints {
  const others = new Printer(undefined, request)
  const packages = new Map<string, () => FolderPrint>()
  const isPackage = (place: string): boolean => {
    const folder = packageAt(place, request)
    if (folder === undefined) return false
    packages.set(
      folder,
      once(() => printPackage(place, folder, request)),
    )
    return true
  }
  for (const root of request.roots) {
    others.addRoot(root)
    if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory() === true) others.walk(root, '', isPackage)
  }
  return { packages, others: others.print() }
}

function printPackage(place: string, folder: string, request: PrintRequest): FolderPrint {
  const printer = new Printer(folder, request)
  printer.walk(place, '', () => false)
  return printer.print()
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
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
  readonly #out: string
  readonly #hash = createHash('sha256')
  #lines = ''
  #isSettled = true
  #files = 0

  constructor(folder: string | undefined, { isKnown, out }: PrintRequest) {
    this.#folder = folder
    this.#isKnown = isKnown
    this.#out = out
  }

  addRoot(root: string): void {
    this.#lines += `${root}\0root\n`
  }

  /**
   * Adds the files of a folder and of those below.
   *
   * @param place    the full path of the folder
   * @param path     its path in prints
   * @param isApart  returns true for the full path of a folder that is left out
   */
  walk(place: string, path: string, isApart: (place: string) => boolean): void {
    for (const entry of entriesOf(place, place === this.#out)) {
      const own = path === '' ? entry.name : `${path}/${entry.name}`
      const below = `${place}/${entry.name}`
      if (!entry.isDirectory()) this.#add(own, below, entry)
      else if (entry.name !== GIT_FOLDER && !isApart(below)) this.walk(below, own, isApart)
    }
    this.#flush()
  }

  /** @param place  the full path of the file */
  #add(path: string, place: string, entry: Dirent): void {
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

  #flush(): void {
    this.#hash.update(this.#lines)
    this.#lines = ''
  }

  print(): FolderPrint {
    this.#flush()
    return { digest: this.#hash.digest('hex').slice(0, DIGITS), isSettled: this.#isSettled }
  }
}

const DIGITS = 32

/** Returns the beginning of the SHA-256 of texts and bytes. It distinguishes contents that were not made to have equal digests. */
export function shortDigest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}\0`).update(part)
  return hash.digest('hex').slice(0, DIGITS)
}
