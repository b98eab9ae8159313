import { chmodSync, existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { printablePath } from '../printable.ts'
import { ChangedMeanwhile, type IsAsRead } from './as-read.ts'
import { makeFolder } from './make-folder.ts'
import { pathFault } from './safe-path.ts'
import { isLeftover, leavingPlace, type Move, makeMove, removeEmptyFolders, STAGED, temporaryPlace } from './staged-move.ts'

/** A file with its permissions. */
export interface StagedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode: number
}

/** The bounds of a change, and what it relies on. */
interface StagedChange {
  /** The package folder that the file must be in, without a link between; if unset, the root. */
  readonly within?: string
  /** Asked directly before the change is made. If unset, the change is made in any case. */
  readonly isAsRead?: IsAsRead | undefined
}

/**
 * Stages changes below a folder beside their places, and commits them in one go. A run that ends before the commit leaves every file
 * unchanged; afterwards every file is whole. The next run removes temporary files of an interrupted run.
 */
export class Staging {
  readonly #root: string
  /** A random part of temporary names, so that another user cannot create the files first. */
  readonly #mark = crypto.randomUUID()
  /** The outermost folders that were created for staged files. */
  #made: string[] = []
  /** The moves in order. A move's source is staged or begun. */
  #moves: Move[] = []
  /** The folder of the last written file. */
  #ready = ''
  /** Folders that are known to exist, each with the folder that it is known to be in. */
  readonly #folders = new Map<string, string>()
  /** Temporary files of interrupted runs, by folder. */
  readonly #leftovers = new Map<string, readonly string[]>()

  /** @throws StagingError when `root` is no folder and cannot be made */
  constructor(root: string) {
    this.#root = attempt(root, () => {
      const made = makeFolder(root)
      if (made !== undefined) this.#made.push(made)
      return realpathSync.native(root)
    })
  }

  /** Sets the temporary files of a folder that the caller has listed, by name, so that the folder is not listed again. */
  listed(path: string, leftovers: readonly string[]): void {
    this.#leftovers.set(join(this.#root, path), leftovers)
  }

  /**
   * Stages a new folder with all its files, whose paths are relative to the folder.
   *
   * @throws Error when the folder's path leads out of the root, or a file's path out of the folder; StagingError when a file cannot be
   * written
   */
  folder(path: string, files: readonly StagedFile[]): void {
    for (const file of files) requireSafe(file.path)
    const beside = this.#begin(path)
    for (const file of files) this.#write(join(beside, file.path), file, join(this.#root, path, file.path))
  }

  /**
   * Stages a new or changed file. A link in its place is replaced, not followed.
   *
   * @throws Error when the path or a link leads out of the bounds; StagingError when the file cannot be written
   */
  file(file: StagedFile, change: StagedChange = {}): void {
    if (change.within !== undefined) requireSafe(file.path)
    this.#write(this.#begin(file.path, change), file, join(this.#root, file.path))
  }

  /** Stages the removal of a file, and of the folders above it that become empty, up to the bounds. */
  removeFile(path: string, { within = '', isAsRead }: StagedChange = {}): void {
    if (within !== '') this.#inside(within)
    this.#then('removeFile', path, { other: within, within, isAsRead })
  }

  /** Stages the removal of a folder with its content, and of the folders above it that become empty. */
  removeFolder(path: string, isAsRead?: IsAsRead): void {
    this.#then('removeFolder', path, { isAsRead })
  }

  /** Stages the move of a folder to an empty place, with the files that were staged for the folder before. */
  moveFolder(from: string, to: string): void {
    this.#inside(from)
    this.#then('moveFolder', to, { other: from })
  }

  /** Stages the removal of a temporary file of an interrupted run, and of the folders above it that become empty, up to the bounds. */
  removeLeftover(path: string, { within }: Pick<StagedChange, 'within'> = {}): void {
    this.#then('removeLeftover', path, { ...(within !== undefined && { other: within, within }) })
  }

  /**
   * Makes all staged changes. After the first change, an interrupted commit can only be completed, not undone. What someone else changed
   * since it was read is left as it is: before the first change all of it is looked for, and once more before each change.
   *
   * @throws ChangedMeanwhile, StagingError
   */
  commit(): void {
    const isChanged = ({ isAsRead }: Move) => isAsRead?.() === false
    const placeOf = ({ path }: Move) => join(this.#root, path)
    const changed = this.#moves.filter(isChanged).map(placeOf)
    if (changed.length > 0) throw new ChangedMeanwhile(changed, { isPartial: false })
    for (const [done, move] of this.#moves.entries()) {
      const place = placeOf(move)
      const other = move.op === 'takePlace' ? this.#besideOf(place) : join(this.#root, move.other ?? '')
      const isMade = attempt(place, () => makeMove(move, { place, other, root: this.#root }), { isPartial: done > 0 })
      if (!isMade) throw new ChangedMeanwhile([place], { isPartial: done > 0 })
    }
    this.#moves = []
    this.#made = []
  }

  /** Removes all staged files that were not committed. Files that cannot be removed stay for the next run. */
  abort(): void {
    for (const { op, path } of this.#moves) {
      if (op === 'takePlace') anyway(() => rmSync(this.#besideOf(join(this.#root, path)), { recursive: true, force: true }))
    }
    // A folder that was moved aside for removal is removed as far as possible.
    for (const { op, path } of this.#moves) {
      if (op === 'removeFolder') anyway(() => rmSync(leavingPlace(join(this.#root, path)), { recursive: true, force: true }))
    }
    for (const made of this.#made) anyway(() => removeEmptyFolders(made))
  }

  #then(op: Move['op'], path: string, { other, within = '', isAsRead }: StagedChange & { readonly other?: string } = {}): string {
    const place = this.#inside(path, within)
    this.#moves.push({ op, path, other, isAsRead })
    return place
  }

  /** Returns the temporary name for a staged file or folder, and removes temporary files that interrupted runs left for the same place. */
  #begin(path: string, change?: StagedChange): string {
    const place = this.#then('takePlace', path, change)
    const [folder, name] = [dirname(place), basename(temporaryPlace(place))]
    for (const left of this.#leftoversIn(folder)) {
      if (left === `${name}${STAGED}` || (left.startsWith(`${name}.`) && left.length === name.length + MARK_LENGTH + STAGED.length))
        attempt(place, () => rmSync(join(folder, left), { recursive: true, force: true }))
    }
    return this.#besideOf(place)
  }

  #besideOf(place: string): string {
    return `${temporaryPlace(place)}.${this.#mark}${STAGED}`
  }

  #leftoversIn(folder: string): readonly string[] {
    const known = this.#leftovers.get(folder)
    if (known !== undefined) return known
    if (!existsSync(folder)) return []
    const found = readdirSync(folder).filter((name) => isLeftover(name) && !name.includes(this.#mark))
    this.#leftovers.set(folder, found)
    return found
  }

  #write(place: string, { bytes, mode }: StagedFile, shown: string): void {
    attempt(shown, () => {
      this.#makeFolder(dirname(place))
      writeFileSync(place, bytes, { flag: 'wx' })
      // The umask limits the permissions of a new file, as users expect of common files.
      if (mode !== USUAL) chmodSync(place, mode)
    })
  }

  /** Makes a folder, unless it is there, or is that of the file before. */
  #makeFolder(folder: string): void {
    if (folder === this.#ready || this.#folders.has(folder)) return
    const made = makeFolder(folder)
    if (made !== undefined) this.#made.push(made)
    this.#ready = folder
  }

  /** Returns the place of a path in a folder below the root. The nearest existing folder must not lead out of there through a link. */
  #inside(path: string, within = ''): string {
    const place = join(this.#root, path)
    const folder = dirname(place)
    const bounds = join(this.#root, within)
    if (this.#folders.get(folder) === bounds) return place
    const nearest = nearestExisting(folder)
    const real = realpathSync.native(nearest)
    const realBounds = folder === bounds ? real : realpathSync.native(nearestExisting(bounds))
    if (isOutside(bounds, place) || isOutside(realBounds, real) || isOutside(this.#root, real))
      throw new Error(`'${path}' must be inside the folder '${bounds}'`)
    if (nearest === folder) this.#folders.set(folder, bounds)
    return place
  }
}

/** Returns the folder, or the nearest one above that exists. */
export function nearestExisting(folder: string): string {
  let nearest = folder
  while (!existsSync(nearest)) nearest = dirname(nearest)
  return nearest
}

/** Throws on an unsafe path. Paths are checked when trees are read; this is the last check before a write. */
function requireSafe(path: string): void {
  const fault = pathFault(path)
  if (fault !== undefined) throw new Error(`'${printablePath(path)}' ${fault}`)
}

/** Runs an action and ignores its error. */
function anyway(act: () => void): void {
  try {
    act()
  } catch {}
}

/** Runs an action on a place; an error becomes a StagingError with the place. */
function attempt<T>(place: string, act: () => T, { isPartial } = { isPartial: false }): T {
  try {
    return act()
  } catch (cause) {
    throw new StagingError(place, { cause, isPartial })
  }
}

/** Returns true if a place is neither the folder nor inside it; both are real paths. */
export function isOutside(root: string, place: string): boolean {
  if (place.startsWith(`${root}${sep}`) && !place.includes(`${sep}..`)) return false
  const way = relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`)
}

const USUAL = 0o644

/** The length of a suffix: a point and a UUID. */
const MARK_LENGTH = 37

/** A file change that the operating system refused; the cause is its error. */
export class StagingError extends Error {
  /** The file or folder. */
  readonly place: string
  /** True if other changes were made before: the next run makes the rest. */
  readonly isPartial: boolean

  constructor(place: string, { cause, isPartial }: { readonly cause: unknown; readonly isPartial: boolean }) {
    super(`cannot write ${place}`, { cause })
    this.name = 'StagingError'
    this.place = place
    this.isPartial = isPartial
  }
}
