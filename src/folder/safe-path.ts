import { printablePath } from '../printable.ts'
import { joinPath } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { isLeftover } from './staged-move.ts'

/** A path that must not be read or written, as printed in messages, and the reason. */
export interface PathFault {
  readonly path: string
  readonly rule: 'unsafe-path' | 'path-collision' | 'tree-entry'
  readonly message: string
}

/** Matches nearly every path: parts that begin with a letter or digit, without characters that a file system or terminal interprets. */
const PLAIN = /^[\w@+=,-][\w@+=,.-]*(?:\/[\w@+=,-][\w@+=,.-]*)*$/

/** Linux takes no longer path, and a part of 255 bytes. */
const LONGEST = 4096

/**
 * The code points that a file system ignores when it compares names: HFS+ ignores some (git utf8.c, next_hfs_char), case-folding
 * folders of ext4 and F2FS all that Unicode calls ignorable (Linux fs/unicode, utf8nfdicf).
 */
const PASSED_OVER = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Matches the git folder under the names of NTFS: its short name, with dots and blanks at the end, with a stream (git path.c,
 * is_ntfs_dotgit).
 */
const GIT_FOLDER = /^(?:\.git|git~1)[. ]*(?::|$)/

/**
 * Returns the fault of a path below a folder; undefined for a safe path. Refuses the paths that git refuses at checkout (git
 * read-cache.c, verify_path, with protectHFS and protectNTFS), control characters, and the tool's own temporary names.
 */
export function pathFault(path: string): string | undefined {
  if (PLAIN.test(path) && path.length <= SHORT && !/\.krm-variants-/i.test(path)) return undefined
  if (path === '') return 'must not be empty'
  if (path.length > LONGEST) return `must have at most ${LONGEST} characters, has ${path.length}`
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'must not be absolute'
  if (path.includes('\\')) return 'must not contain a backslash'
  if (/\p{Cc}/u.test(path)) return 'must not contain a control character'
  if (/[\p{Cs}\ufffd]/u.test(path)) return 'must be UTF-8'
  for (const part of path.split('/')) {
    const fault = partFault(part)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The length up to which no part of a path can be too long. */
const SHORT = 255

function partFault(part: string): string | undefined {
  const bare = part.replace(PASSED_OVER, '').toLowerCase()
  if (bare === '') return 'must not have an empty part'
  if (/^[. ]+$/.test(bare)) return `must not have a part of dots or blanks alone, has '${printablePath(part)}'`
  if (GIT_FOLDER.test(bare))
    return `must not have the part '.git', nor another name that a file system takes for '.git', has '${printablePath(part)}'`
  if (isLeftover(bare.replace(/[. ]+$/, '')))
    return 'must not end in the name of a file in the making, .krm-variants-new or .krm-variants-old'
  return Buffer.byteLength(part) > SHORT ? `must not have a part of more than ${SHORT} bytes` : undefined
}

/** Returns true for a name that some file system treats as the folder `.git`. */
export function isGitFolder(name: string): boolean {
  return GIT_FOLDER.test(name.replace(PASSED_OVER, '').toLowerCase())
}

/** Returns true for a path that stays below its folder and outside of `.git`, on every file system. */
export function isSafePath(path: string): boolean {
  return pathFault(path) === undefined
}

/**
 * Returns one text for all spellings of a path that some file system treats as equal: other case, another Unicode form (NFC, NFD), code
 * points that HFS+ ignores, dots and blanks at the end of a part, which NTFS removes. Example: `Docs/A.yaml.` → `docs/a.yaml`.
 */
export function foldedPath(path: string): string {
  const folded = PLAIN.test(path) ? path.toLowerCase() : path.replace(PASSED_OVER, '').normalize('NFD').toUpperCase().toLowerCase()
  return /[. ](?:\/|$)/.test(folded) ? folded.replace(/[. ]+(?=\/|$)/g, '') : folded
}

/** A path that the gate admitted. */
interface Admitted {
  readonly path: string
  readonly isFolder: boolean
}

/** The number of faults that are reported of a tree with thousands. */
const MOST = 100

/**
 * The gate for the paths of one tree, whatever the tree is read from. A path is let through when it is safe, and when no path before it is
 * the same to some file system or is a file where this path has a folder.
 *
 * @example
 * ```ts
 * const gate = new PathGate()
 * gate.admits('docs/Guide.md') // true
 * gate.admits('docs/guide.md') // false: path-collision
 * gate.admits('docs') // false: path-collision
 * gate.admits('../x') // false: unsafe-path
 * ```
 */
export class PathGate {
  /** The admitted paths by folded path. */
  readonly #admitted = new Map<string, Admitted>()
  readonly #faults: PathFault[] = []
  #untold = 0

  /** Returns true for a path that may be used; else records its fault. */
  admits(path: string): boolean {
    const unsafe = pathFault(path)
    if (unsafe !== undefined) return this.refuse(path, 'unsafe-path', unsafe)
    const folded = foldedPath(path)
    const known = this.#admitted.get(folded)
    if (known !== undefined) return this.refuse(path, 'path-collision', collision(path, known))
    const above = this.#admitFolders(path, folded)
    if (above !== undefined) return this.refuse(path, 'path-collision', collisionAbove(above))
    this.#admitted.set(folded, { path, isFolder: false })
    return true
  }

  /** Records an existing path without checking it. */
  knows(path: string): void {
    const folded = foldedPath(path)
    this.#admitted.set(folded, { path, isFolder: false })
    this.#admitFolders(path, folded)
  }

  /**
   * Records a fault that was found elsewhere, and returns false.
   *
   * @param printed  the path for messages, if it is no text
   */
  refuse(path: string, rule: PathFault['rule'], message: string, printed = printablePath(path)): false {
    if (this.#faults.length < MOST) this.#faults.push({ path: printed, rule, message })
    else this.#untold++
    return false
  }

  get faults(): readonly PathFault[] {
    return this.#faults
  }

  /**
   * Returns the faults as errors of files.
   *
   * @param place  the tree, for messages: a folder, or a repository, a commit and a folder
   */
  results(place: string): readonly Result[] {
    const results = this.#faults.map(({ path, rule, message }): Result => {
      const file = { path: joinPath(place, path), index: 0 }
      return { severity: 'error', message: `\`path\` ${message}`, file, tags: { rule } }
    })
    if (this.#untold === 0) return results
    const message = `and ${this.#untold} more paths that must not be used`
    return [...results, { severity: 'error', message, file: { path: place, index: 0 }, tags: { rule: 'unsafe-path' } }]
  }

  /** Admits the folders above a path, the nearest first, up to a known one. Returns the path that collides, if any. */
  #admitFolders(path: string, folded: string): Admitted | undefined {
    let [end, foldedEnd] = [path.lastIndexOf('/'), folded.lastIndexOf('/')]
    while (end > 0) {
      const folder = path.slice(0, end)
      const foldedFolder = folded.slice(0, foldedEnd)
      const known = this.#admitted.get(foldedFolder)
      if (known !== undefined) return known.isFolder && known.path === folder ? undefined : known
      this.#admitted.set(foldedFolder, { path: folder, isFolder: true })
      end = path.lastIndexOf('/', end - 1)
      foldedEnd = folded.lastIndexOf('/', foldedEnd - 1)
    }
    return undefined
  }
}

function collision(path: string, known: Admitted): string {
  if (known.isFolder) return `must not be a file and a folder, '${printablePath(known.path)}' is a folder`
  if (known.path === path) return 'must be in the tree once, occurs twice'
  return `must differ from '${printablePath(known.path)}' in more than case and Unicode form: some file systems treat both as one`
}

function collisionAbove({ path, isFolder }: Admitted): string {
  const shown = `'${printablePath(path)}'`
  if (!isFolder) return `must not be below ${shown}, which is a file`
  return `must have its folder differ from ${shown} in more than case and Unicode form: some file systems treat both as one`
}
