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
import { dirname, join, relative, sep } from 'node:path'
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
  /** What was made, with folders that were made for it. */
  readonly #made: string[] = []
  readonly #moves: Move[] = []
  /** Folders that are known to be there and inside. */
  readonly #folders = new Set<string>()

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
    const beside = `${place}${STAGED}`
    this.#clear(beside)
    for (const file of files) this.#write(join(beside, file.path), file)
    this.#then(place, () => renameSync(beside, place))
  }

  /** A new or changed file. A link is not followed: it is replaced. */
  file({ path, bytes, mode }: StagedFile): void {
    const place = this.#inside(path)
    const beside = `${place}${STAGED}`
    this.#clear(beside)
    this.#write(beside, { path, bytes, mode })
    this.#then(place, () => renameSync(beside, place))
  }

  /** Takes a file away, and the folders above it that become empty, up to one. */
  removeFile(path: string, upTo: string): void {
    const [place, end] = [this.#inside(path), this.#inside(upTo)]
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
    this.#made.length = 0
    for (const [done, { place, act }] of this.#moves.entries()) attempt(place, act, { isPartial: done > 0 })
  }

  /** Takes away what was made ready, unless it was put to its place. What cannot be taken away is left to the next run. */
  abort(): void {
    for (const made of this.#made) {
      try {
        rmSync(made, { recursive: true, force: true })
      } catch {}
    }
  }

  #then(place: string, act: () => void): void {
    this.#moves.push({ place, act })
  }

  /** What stands there was left by an interrupted run. */
  #clear(beside: string): void {
    if (existsSync(beside)) attempt(beside, () => rmSync(beside, { recursive: true }))
  }

  #write(place: string, { bytes, mode }: StagedFile): void {
    attempt(place, () => {
      this.#made.push(mkdirSync(dirname(place), { recursive: true }) ?? place)
      writeFileSync(place, bytes)
      // Permissions of a new file are cut by the umask, which is what people want of the usual ones.
      if (mode !== USUAL) chmodSync(place, mode)
    })
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
    throw new StagingError(place.replace(STAGED, ''), { cause, isPartial })
  }
}

function isOutside(root: string, place: string): boolean {
  const way = relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`)
}

const USUAL = 0o644

/** Removes folders from one up to another that hold nothing any more; the last one stays. */
function removeEmpty(folder: string, upTo: string): void {
  for (let empty = folder; empty !== upTo && isEmpty(empty); empty = dirname(empty)) rmdirSync(empty)
}

function isEmpty(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).length === 0
}
