import { lstatSync, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { isLeftover } from './staged-move.ts'
import { type FileTimes, shortHash } from './tree-print.ts'
import { DiskFile, GIT_FOLDER, type WholeFile, type WholeFolder } from './whole-folder.ts'

/** The paths in a folder, in order. Folders with the same paths share them: a fleet has thousands of copies of one package. */
interface Paths extends Pick<WholeFolder, 'links' | 'gitFolders' | 'leftovers'> {
  readonly files: readonly string[]
  /** All paths, those that are neither file nor folder nor link too, and what the links lead to. */
  readonly text: string
}

/** The places of the numbers of a stat that are kept, and their count. */
const [MODE, SIZE, WRITTEN, CHANGED, INODE, DEVICE, COUNT] = [0, 1, 2, 3, 4, 5, 6]

/**
 * The content of a folder as one walk found it, links not followed: each folder is listed once and each file has one stat. A file that was
 * written again with its old length and its old time of writing has another time of change, which no program can set.
 */
export class FolderStats {
  readonly #place: string
  readonly #paths: Paths
  /** The stats of the files, then those of the links and of what these lead to, and of the other paths. */
  readonly #stats: Float64Array

  private constructor(place: string, paths: Paths, stats: Float64Array) {
    this.#place = place
    this.#paths = paths
    this.#stats = stats
  }

  /**
   * Walks a folder. A folder that is missing, or a link, has no content.
   *
   * @param place  the full path of the folder
   * @param like   a folder that may have the same paths
   * @throws the error of node:fs when the folder, a folder below or a file cannot be read
   */
  static at(place: string, like?: FolderStats): FolderStats {
    const walk = new Walk(place)
    if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true) walk.add('')
    const paths = walk.paths()
    const own = like !== undefined && like.#paths.text === paths.text ? like.#paths : paths
    return new FolderStats(place, own, kept(walk.stats()))
  }

  /**
   * Returns the folder after some of its files were written, whose stats alone are made again; the whole folder is walked again if files were
   * added or removed.
   *
   * @throws as `at`
   */
  after(written: ReadonlySet<string>): FolderStats {
    const numbers = kept(this.#stats)
    let left = written.size
    for (const [index, path] of this.#paths.files.entries()) {
      if (!written.has(path)) continue
      const stats = lstatSync(`${this.#place}/${path}`, { throwIfNoEntry: false })
      if (stats?.isFile() !== true) break
      putStats(numbers, index * COUNT, stats)
      left -= 1
    }
    return left === 0 ? new FolderStats(this.#place, this.#paths, numbers) : FolderStats.at(this.#place, this)
  }

  /** Returns a digest of all paths and stats. Equal digests mean that no file was written, replaced, added or removed in between. */
  digest(): string {
    const { buffer, byteOffset, byteLength } = this.#stats
    return shortHash(Buffer.concat([Buffer.from(this.#paths.text), new Uint8Array(buffer, byteOffset, byteLength)]))
  }

  /** Returns true if a test holds for the times of each path, and of what the links lead to. */
  everyTime(test: (times: FileTimes, path: string | undefined) => boolean): boolean {
    const { files } = this.#paths
    for (let at = 0; at < this.#stats.length; at += COUNT) {
      const times = { written: this.#number(at + WRITTEN), changed: this.#number(at + CHANGED), device: this.#number(at + DEVICE) }
      if (!test(times, files[at / COUNT])) return false
    }
    return true
  }

  /** Returns the folder. Its files are made at the call, since those of all packages of a fleet together would be many. */
  whole(): WholeFolder {
    const { files, links, gitFolders, leftovers } = this.#paths
    const fileAt = (path: string, at: number): WholeFile =>
      new DiskFile(`${this.#place}/${path}`, {
        mode: this.#number(at + MODE),
        size: this.#number(at + SIZE),
        mtimeMs: this.#number(at + WRITTEN),
        ctimeMs: this.#number(at + CHANGED),
        ino: this.#number(at + INODE),
      })
    return { files: new Map(files.map((path, index) => [path, fileAt(path, index * COUNT)])), links, gitFolders, leftovers }
  }

  #number(at: number): number {
    return this.#stats[at] ?? 0
  }
}

/** Collects the content of a folder. */
class Walk {
  readonly #files: string[] = []
  readonly #links: string[] = []
  /** The paths that the links lead to. */
  readonly #targets: string[] = []
  readonly #gitFolders: string[] = []
  readonly #leftovers: string[] = []
  /** Paths that are neither file nor folder nor link. */
  readonly #others: string[] = []
  readonly #place: string
  readonly #fileStats: number[] = []
  readonly #otherStats: number[] = []

  constructor(place: string) {
    this.#place = place
  }

  paths(): Paths {
    const [files, links, gitFolders, leftovers] = [this.#files, this.#links, this.#gitFolders, this.#leftovers]
    const all = [files, links, this.#targets, gitFolders, leftovers, this.#others]
    return { files, links, gitFolders, leftovers, text: all.map((paths) => `${paths.length}\0${paths.join('\0')}`).join('\0') }
  }

  stats(): readonly number[] {
    return this.#otherStats.length === 0 ? this.#fileStats : [...this.#fileStats, ...this.#otherStats]
  }

  /** @param folder  the path of the folder, '' for the folder itself */
  add(folder: string): void {
    for (const name of readdirSync(`${this.#place}/${folder}`).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (isLeftover(name)) this.#leftovers.push(path)
      else if (name === GIT_FOLDER) this.#gitFolders.push(path)
      else this.#addPath(path, lstatSync(`${this.#place}/${path}`))
    }
  }

  #addPath(path: string, stats: Stats): void {
    if (stats.isFile()) {
      this.#files.push(path)
      putStats(this.#fileStats, this.#fileStats.length, stats)
    } else if (stats.isDirectory()) this.add(path)
    else {
      putStats(this.#otherStats, this.#otherStats.length, stats)
      if (stats.isSymbolicLink()) this.#addLink(path)
      else this.#others.push(path)
    }
  }

  #addLink(path: string): void {
    const place = `${this.#place}/${path}`
    this.#links.push(path)
    this.#targets.push(readlinkSync(place))
    const target = statSync(place, { throwIfNoEntry: false })
    if (target !== undefined) putStats(this.#otherStats, this.#otherStats.length, target)
  }
}

function putStats(numbers: { [at: number]: number }, at: number, { mode, size, mtimeMs, ctimeMs, ino, dev }: Stats): void {
  numbers[at + MODE] = mode
  numbers[at + SIZE] = size
  numbers[at + WRITTEN] = mtimeMs
  numbers[at + CHANGED] = ctimeMs
  numbers[at + INODE] = ino
  numbers[at + DEVICE] = dev
}

/** Room for the numbers of many folders: V8 looks after each array for itself. */
let room = new Float64Array(0)
const ROOM = 8192

/** Returns a copy of numbers. */
function kept(numbers: ArrayLike<number>): Float64Array {
  const { length } = numbers
  if (room.length < length) room = new Float64Array(Math.max(length, ROOM))
  const own = room.subarray(0, length)
  own.set(numbers)
  room = room.subarray(length)
  return own
}
