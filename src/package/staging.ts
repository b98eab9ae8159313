import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { StagingError } from './staging-error.ts'

/** The end of the name of what stands beside its place until everything is ready. Nothing else is called so. */
const STAGED = '.krm-variants-new'
/** The end of the name of a folder that is on its way out. */
const LEAVING = '.krm-variants-old'

/** Whether a file or folder is left over from a run that was interrupted. */
export function isLeftover(name: string): boolean {
  return name.endsWith(STAGED) || name.endsWith(LEAVING)
}

/** A file with its permissions. */
export interface StagedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode: number
}

/** A step that only moves what is there, so that each place holds the old or the new, whole. */
interface Move {
  readonly place: string
  readonly act: () => void
}

/**
 * Changes below a folder, made ready beside their places and then put there in one go: whatever ends a run before that leaves every file as
 * it was, and after that every file is whole. What an interrupted run left is taken away by the next.
 */
export class Staging {
  readonly #root: string
  /** In the names of what is made ready, so that nobody can put something else there before. */
  readonly #mark = crypto.randomUUID()
  /** What is made ready, or is to be, beside its place. */
  readonly #beside = new Set<string>()
  /** The outermost folders that were made for it. */
  readonly #made: string[] = []
  readonly #moves: Move[] = []
  /** The folder of the file that was written last. */
  #ready = ''
  /** Folders that are known to be there and inside. */
  readonly #folders = new Set<string>()
  /** By folder: what interrupted runs left in it. */
  readonly #leftovers = new Map<string, readonly string[]>()

  /** @throws StagingError when `root` is no folder and cannot be made */
  constructor(root: string) {
    this.#root = attempt(root, () => {
      mkdirSync(root, { recursive: true })
      return realpathSync(root)
    })
  }

  /** A new folder with all its files. @throws Error when its path leads out of the root; StagingError when it cannot be written */
  folder(path: string, files: readonly StagedFile[]): void {
    const place = this.#inside(path)
    const beside = this.#besideOf(place)
    for (const file of files) this.#write(join(beside, file.path), file)
    this.#then(place, () => renameSync(beside, place))
  }

  /** A new or changed file. A link is not followed: it is replaced. */
  file({ path, bytes, mode }: StagedFile): void {
    const place = this.#inside(path)
    const beside = this.#besideOf(place)
    this.#write(beside, { path, bytes, mode })
    this.#then(place, () => renameSync(beside, place))
  }

  /** Takes a file away, and the folders above it that become empty, up to one; absent: the root. */
  removeFile(path: string, upTo?: string): void {
    const [place, end] = [this.#inside(path), upTo === undefined ? this.#root : this.#inside(upTo)]
    this.#then(place, () => {
      rmSync(place, { force: true })
      removeEmpty(dirname(place), end)
    })
  }

  /** Takes a folder away with all that is in it, and the folders above it that become empty. */
  removeFolder(path: string): void {
    const place = this.#inside(path)
    this.#then(place, () => {
      renameSync(place, `${place}${LEAVING}`)
      rmSync(`${place}${LEAVING}`, { recursive: true, force: true })
      removeEmpty(dirname(place), this.#root)
    })
  }

  /** Moves a folder to a place where nothing is, with the files that were staged for it before. */
  moveFolder(from: string, to: string): void {
    const [source, target] = [this.#inside(from), this.#inside(to)]
    this.#then(target, () => {
      mkdirSync(dirname(target), { recursive: true })
      renameSync(source, target)
      removeEmpty(dirname(source), this.#root)
    })
  }

  /** Takes away what an interrupted run left. */
  removeLeftover(path: string): void {
    const place = this.#inside(path)
    this.#then(place, () => rmSync(place, { recursive: true, force: true }))
  }

  /** Puts everything to its place. From its first step on there is no way back but forward. @throws StagingError */
  commit(): void {
    for (const [done, { place, act }] of this.#moves.entries()) attempt(place, act, { isPartial: done > 0 })
  }

  /** Takes away what was made ready, unless it was put to its place. What cannot be taken away is left to the next run. */
  abort(): void {
    for (const beside of this.#beside) {
      try {
        rmSync(beside, { recursive: true, force: true })
      } catch {}
    }
    for (const made of this.#made) {
      try {
        removeEmptyFolders(made)
      } catch {}
    }
  }

  #then(place: string, act: () => void): void {
    this.#moves.push({ place, act })
  }

  /** A name for what is to take a place. What interrupted runs left for the same place goes. */
  #besideOf(place: string): string {
    const [folder, name] = [dirname(place), basename(place)]
    for (const left of this.#leftoversIn(folder)) {
      if (left === `${name}${STAGED}` || (left.startsWith(`${name}.`) && left.length === name.length + MARK_LENGTH + STAGED.length))
        attempt(place, () => rmSync(join(folder, left), { recursive: true, force: true }))
    }
    const beside = `${place}.${this.#mark}${STAGED}`
    this.#beside.add(beside)
    return beside
  }

  #leftoversIn(folder: string): readonly string[] {
    const known = this.#leftovers.get(folder)
    if (known !== undefined) return known
    const found = existsSync(folder) ? readdirSync(folder).filter(isLeftover) : []
    this.#leftovers.set(folder, found)
    return found
  }

  #write(place: string, { bytes, mode }: StagedFile): void {
    attempt(place.replace(`.${this.#mark}${STAGED}`, ''), () => {
      this.#makeFolder(dirname(place))
      writeFileSync(place, bytes, { flag: 'wx' })
      // Permissions of a new file are cut by the umask, which is what people want of the usual ones.
      if (mode !== USUAL) chmodSync(place, mode)
    })
  }

  /** Most files stand where the one before them does. */
  #makeFolder(folder: string): void {
    if (folder === this.#ready) return
    const made = mkdirSync(folder, { recursive: true })
    if (made !== undefined) this.#made.push(made)
    this.#ready = folder
  }

  /** The place of a path; the nearest folder that exists must not be a way out through a link. */
  #inside(path: string): string {
    const place = join(this.#root, path)
    const folder = dirname(place)
    if (this.#folders.has(folder)) return place
    let nearest = folder
    while (!existsSync(nearest)) nearest = dirname(nearest)
    if (isOutside(this.#root, place) || isOutside(this.#root, realpathSync(nearest)))
      throw new Error(`'${path}' must be inside the folder '${this.#root}'`)
    if (nearest === folder) this.#folders.add(folder)
    return place
  }
}

/** Does something to a place, and says which one when it is refused. */
function attempt<T>(place: string, act: () => T, { isPartial } = { isPartial: false }): T {
  try {
    return act()
  } catch (cause) {
    throw new StagingError(place, { cause, isPartial })
  }
}

/** Whether a place is not in a folder nor the folder itself; both as real paths. */
export function isOutside(root: string, place: string): boolean {
  const way = relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`)
}

const USUAL = 0o644

/** Of a point and a UUID. */
const MARK_LENGTH = 37

/** Removes folders from one up to another that hold nothing any more; the last one stays. */
function removeEmpty(folder: string, upTo: string): void {
  for (let empty = folder; empty !== upTo && isEmpty(empty); empty = dirname(empty)) rmdirSync(empty)
}

/** Removes folders that hold nothing but such. */
function removeEmptyFolders(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  for (const name of readdirSync(folder)) removeEmptyFolders(join(folder, name))
  if (isEmpty(folder)) rmdirSync(folder)
}

function isEmpty(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).length === 0
}
