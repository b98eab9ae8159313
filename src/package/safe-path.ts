import { printablePath } from '../printable.ts'
import type { Result } from '../result.ts'
import { isLeftover } from './staged-move.ts'

/** A path that nothing is read from or written to, as it is printed, and the reason. */
export interface PathFault {
  readonly path: string
  readonly rule: 'unsafe-path' | 'path-collision' | 'tree-entry'
  readonly message: string
}

/** Nearly every path: parts that begin with a letter or digit, and hold nothing that a file system or terminal reads in its own way. */
const PLAIN = /^[\w@+=,-][\w@+=,.-]*(?:\/[\w@+=,-][\w@+=,.-]*)*$/

/** Linux takes no longer path, and a part of 255 bytes. */
const LONGEST = 4096

/**
 * The code points that a file system passes over when it compares names: HFS+ some of them (git utf8.c, next_hfs_char), folders of ext4 and F2FS
 * that fold case all that Unicode has as ignorable (Linux fs/unicode, utf8nfdicf).
 */
const PASSED_OVER = /\p{Default_Ignorable_Code_Point}/gu

/** The folder of git as NTFS may call it: its short name, dots and blanks behind, a stream (git path.c, is_ntfs_dotgit). */
const GIT_FOLDER = /^(?:\.git|git~1)[. ]*(?::|$)/

/**
 * Returns what is wrong with a path that is to be read or written below a folder, undefined for a path that may be. git refuses at checkout
 * what is refused here (git read-cache.c, verify_path, with protectHFS and protectNTFS); control characters and names of the tool's own files
 * in the making are refused as well.
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

/** No part of a path of this length can be too long. */
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

/** Returns true for a name that some file system takes for the folder `.git`. */
export function isGitFolder(name: string): boolean {
  return GIT_FOLDER.test(name.replace(PASSED_OVER, '').toLowerCase())
}

/** Returns true for a path that stays below its folder, outside of what git keeps there, on every file system. */
export function isSafePath(path: string): boolean {
  return pathFault(path) === undefined
}

/**
 * Returns the one text that all spellings of a path have which some file system takes for one: other case, another Unicode form (NFC, NFD),
 * code points that HFS+ passes over, dots and blanks behind a part that NTFS drops.
 */
export function foldedPath(path: string): string {
  const folded = PLAIN.test(path) ? path.toLowerCase() : path.replace(PASSED_OVER, '').normalize('NFD').toUpperCase().toLowerCase()
  return /[. ](?:\/|$)/.test(folded) ? folded.replace(/[. ]+(?=\/|$)/g, '') : folded
}

/** A file or folder that was let through. */
interface Admitted {
  readonly path: string
  readonly isFolder: boolean
}

/** Of a tree with thousands of faults the first are reported. */
const MOST = 100

/**
 * The gate for the paths of one tree, whatever the tree is read from. A path is let through when it is safe, and when no path before it is the
 * same to some file system or is a file where this path has a folder.
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
  /** By folded path. */
  readonly #admitted = new Map<string, Admitted>()
  readonly #faults: PathFault[] = []
  #untold = 0

  /** Returns true for a path that may be used; for another one the fault is kept. */
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

  /** Takes a path as one that is there, whatever is wrong with it. */
  knows(path: string): void {
    const folded = foldedPath(path)
    this.#admitted.set(folded, { path, isFolder: false })
    this.#admitFolders(path, folded)
  }

  /** Keeps a fault of a path that was found elsewhere, and returns false. @param printed  the path, where it is no text */
  refuse(path: string, rule: PathFault['rule'], message: string, printed = printablePath(path)): false {
    if (this.#faults.length < MOST) this.#faults.push({ path: printed, rule, message })
    else this.#untold++
    return false
  }

  get faults(): readonly PathFault[] {
    return this.#faults
  }

  /** Returns the faults as errors of files. @param place  the tree, for people: a folder, or a repository, a commit and a folder */
  results(place: string): readonly Result[] {
    const results = this.#faults.map(({ path, rule, message }): Result => {
      const file = { path: place === '' ? path : `${place}/${path}`, index: 0 }
      return { severity: 'error', message: `\`path\` ${message}`, file, tags: { rule } }
    })
    if (this.#untold === 0) return results
    const message = `and ${this.#untold} more paths that must not be used`
    return [...results, { severity: 'error', message, file: { path: place, index: 0 }, tags: { rule: 'unsafe-path' } }]
  }

  /** Admits the folders above a path, the nearest first, up to one that is known; returns what is in the way. */
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
  if (known.path === path) return 'must be in the tree once, is there twice'
  return `must differ from '${printablePath(known.path)}' in more than case and Unicode form: some file systems take both for one`
}

function collisionAbove({ path, isFolder }: Admitted): string {
  const shown = `'${printablePath(path)}'`
  if (!isFolder) return `must not be below ${shown}, which is a file`
  return `must have its folder differ from ${shown} in more than case and Unicode form: some file systems take both for one`
}
