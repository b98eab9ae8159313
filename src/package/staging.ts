import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { printablePath } from '../printable.ts'
import { removeEmptyFolders } from './empty-folders.ts'
import { pathFault } from './safe-path.ts'
import { isLeftover, LEAVING, type Move, makeMove, STAGED } from './staged-move.ts'
import { StagingError } from './staging-error.ts'

/** A file with its permissions. */
export interface StagedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode: number
}

/**
 * Changes below a folder, made ready beside their places and then put there in one go: whatever ends a run before that leaves every file as
 * it was, and after that every file is whole. What an interrupted run left is taken away by the next.
 */
export class Staging {
  readonly #root: string
  /** In the names of what is made ready, so that nobody can put something else there before. */
  readonly #mark = crypto.randomUUID()
  /** The outermost folders that were made for what is made ready. */
  #made: string[] = []
  /** In their order. What takes a place is made ready, or was begun. */
  #moves: Move[] = []
  /** The folder of the file that was written last. */
  #ready = ''
  /** Folders that are known to be there, each with the folder that it is known to be in. */
  readonly #folders = new Map<string, string>()
  /** By folder: what interrupted runs left in it. */
  readonly #leftovers = new Map<string, readonly string[]>()

  /** @throws StagingError when `root` is no folder and cannot be made */
  constructor(root: string) {
    this.#root = attempt(root, () => {
      const made = mkdirSync(root, { recursive: true })
      if (made !== undefined) this.#made.push(made)
      return realpathSync.native(root)
    })
  }

  /** What interrupted runs left in a folder, by name, told by a caller who has listed it: it is not listed again. */
  listed(path: string, leftovers: readonly string[]): void {
    this.#leftovers.set(join(this.#root, path), leftovers)
  }

  /**
   * A new folder with all its files, whose paths are from the folder.
   *
   * @throws Error when the path of the folder leads out of the root, or that of a file out of the folder; StagingError when one cannot be written
   */
  folder(path: string, files: readonly StagedFile[]): void {
    for (const file of files) requireSafe(file.path)
    const beside = this.#begin(path)
    for (const file of files) this.#write(join(beside, file.path), file)
  }

  /**
   * A new or changed file. A link in its place is not followed: it is replaced.
   *
   * @param within  the folder of the package that the file must be in, through no link; absent: the root
   * @throws Error when its path or a link leads out of there; StagingError when it cannot be written
   */
  file(file: StagedFile, within = ''): void {
    if (within !== '') requireSafe(file.path)
    this.#write(this.#begin(file.path, within), file)
  }

  /** Takes a file away, and the folders above it that become empty, up to the folder that it must be in; absent: the root. */
  removeFile(path: string, within = ''): void {
    if (within !== '') this.#inside(within)
    this.#then('removeFile', path, { other: within, within })
  }

  /** Takes a folder away with all that is in it, and the folders above it that become empty. */
  removeFolder(path: string): void {
    this.#then('removeFolder', path)
  }

  /** Moves a folder to a place where nothing is, with the files that were staged for it before. */
  moveFolder(from: string, to: string): void {
    this.#inside(from)
    this.#then('moveFolder', to, { other: from })
  }

  /** Takes away what an interrupted run left. */
  removeLeftover(path: string, within = ''): void {
    this.#then('removeLeftover', path, { within })
  }

  /** Puts everything to its place. From its first step on there is no way back but forward. @throws StagingError */
  commit(): void {
    for (const [done, move] of this.#moves.entries()) {
      const place = join(this.#root, move.path)
      const other = move.op === 'takePlace' ? this.#besideOf(place) : join(this.#root, move.other ?? '')
      attempt(place, () => makeMove(move.op, { place, other, root: this.#root }), { isPartial: done > 0 })
    }
    this.#moves = []
    this.#made = []
  }

  /** Takes away what was made ready, unless it was put to its place. What cannot be taken away is left to the next run. */
  abort(): void {
    for (const { op, path } of this.#moves) {
      if (op === 'takePlace') anyway(() => rmSync(this.#besideOf(join(this.#root, path)), { recursive: true, force: true }))
    }
    // What was moved aside to be removed is removed as far as it can be.
    for (const { op, path } of this.#moves) {
      if (op === 'removeFolder') anyway(() => rmSync(`${join(this.#root, path)}${LEAVING}`, { recursive: true, force: true }))
    }
    for (const made of this.#made) anyway(() => removeEmptyFolders(made))
  }

  #then(op: Move['op'], path: string, { other, within = '' }: { other?: string; within?: string | undefined } = {}): string {
    const place = this.#inside(path, within)
    this.#moves.push({ op, path, other })
    return place
  }

  /** Begins what is to take a place, and gives its name until then. What interrupted runs left for the same place goes. */
  #begin(path: string, within?: string): string {
    const place = this.#then('takePlace', path, { within })
    const [folder, name] = [dirname(place), basename(place)]
    for (const left of this.#leftoversIn(folder)) {
      if (left === `${name}${STAGED}` || (left.startsWith(`${name}.`) && left.length === name.length + MARK_LENGTH + STAGED.length))
        attempt(place, () => rmSync(join(folder, left), { recursive: true, force: true }))
    }
    return this.#besideOf(place)
  }

  #besideOf(place: string): string {
    return `${place}.${this.#mark}${STAGED}`
  }

  #leftoversIn(folder: string): readonly string[] {
    const known = this.#leftovers.get(folder)
    if (known !== undefined) return known
    if (!existsSync(folder)) return []
    const found = readdirSync(folder).filter((name) => isLeftover(name) && !name.includes(this.#mark))
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

  /** The place of a path in a folder below the root; the nearest folder that exists must not be a way out of there through a link. */
  #inside(path: string, within = ''): string {
    const place = join(this.#root, path)
    const folder = dirname(place)
    const bounds = join(this.#root, within)
    if (this.#folders.get(folder) === bounds) return place
    const nearest = nearestExisting(folder)
    const realBounds = realpathSync.native(nearestExisting(bounds))
    const real = realpathSync.native(nearest)
    if (isOutside(bounds, place) || isOutside(realBounds, real) || isOutside(this.#root, real))
      throw new Error(`'${path}' must be inside the folder '${bounds}'`)
    if (nearest === folder) this.#folders.set(folder, bounds)
    return place
  }
}

function nearestExisting(folder: string): string {
  let nearest = folder
  while (!existsSync(nearest)) nearest = dirname(nearest)
  return nearest
}

/** Paths are checked where trees are read; this is the last time before one is written. */
function requireSafe(path: string): void {
  const fault = pathFault(path)
  if (fault !== undefined) throw new Error(`'${printablePath(path)}' ${fault}`)
}

/** Does something as far as it can be done. */
function anyway(act: () => void): void {
  try {
    act()
  } catch {}
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
