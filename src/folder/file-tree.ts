import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { errorCode } from '../error-code.ts'
import { compareText } from '../field-path.ts'
import { folderOf } from '../resource-list/package-of.ts'
import type { Result, Severity } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { readBoundedFile } from './bounded-file.ts'
import { hidesObjects, mayLeadOut, mayStandForFolder } from './linked-folder.ts'
import type { PackageFile } from './package.ts'

/**
 * A folder that a package is read from: on disk, or at a git revision. Paths are relative to the folder, with slashes; '' is the folder
 * itself.
 */
export interface FileTree {
  /** Returns the entries of a folder, ordered by the bytes of their names, as in kpt (Go filepath.Walk). */
  list(folder: string): readonly TreeEntry[]
  /** Returns the bytes of a file. @throws WireError for a file that is too large to read; UnreadableError for a link that leads nowhere */
  read(path: string): Uint8Array
  /** Returns a file under its name in findings, where its documents were read before, without findings; undefined for any other file. */
  readonly documents?: (path: string, name: string) => PackageFile | undefined
  /** Returns the paths of the files that may hold a word, where a search costs less than reading; undefined if that is not known. */
  readonly holding?: (word: string) => ReadonlySet<string> | undefined
}

/** The error of a file that cannot be read for a reason outside of its bytes. The message says what to do. */
export class UnreadableError extends Error {
  readonly severity: Severity
  readonly rule: RuleId

  constructor(message: string, { severity, rule = 'unreadable-file' }: Pick<BrokenLink, 'severity' | 'rule'>) {
    super(message)
    this.severity = severity
    this.rule = rule
  }
}

export interface TreeEntry {
  readonly name: string
  readonly type: 'file' | 'folder'
  /** True for a symbolic link on disk. */
  readonly isLink?: boolean
  /**
   * True for a broken link that may stand for a folder with objects: to a folder outside of the tree with objects outside of packages, or
   * to nothing near the tree, by a name without an ending.
   */
  readonly isHidden?: boolean
  /** The reason why a symbolic link leads nowhere, or an entry is no file. Only trees that report broken links have such entries. */
  readonly broken?: BrokenLink
}

/** A warning for a link to what does not exist or is outside; an error for a link that leads to itself or to what must not be read. */
export interface BrokenLink {
  readonly severity: Severity
  readonly reason: string
  /** The rule of the finding, if it is not that of all files that cannot be read. */
  readonly rule?: RuleId
}

/**
 * Returns the folder `dir` on disk as a tree. A link to a file counts as a file, as in kpt. A link to a folder is not followed, and a
 * broken link (such as an editor's lock file) is left out, and so are pipes, sockets and devices.
 *
 * @param broken  `keep` to keep what is left out as entries that say why, but for the lock files of editors, and for links to folders
 *                that hold no objects outside of packages or are read under their own path
 * @param bounds  the folder that the tree belongs to: a link to nothing in there may stand for a lost folder
 * @param before  returns a path below a link at which an object was before the link was there: the objects may be behind the link now
 * @throws the error of node:fs when `dir` is no readable folder, and for a link that leads to itself unless broken links are kept
 */
export function diskTree(
  dir: string,
  broken: 'keep' | 'leave-out' = 'leave-out',
  { bounds = dir, before = () => undefined }: { readonly bounds?: string; readonly before?: LinkReading['before'] } = {},
): FileTree {
  const root = realpathSync(dir)
  const searched = { root, broken, bounds: realpathSync(bounds), before }
  return {
    list: (folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .flatMap((entry): TreeEntry[] => {
          if (entry.isDirectory()) return [{ name: entry.name, type: 'folder' }]
          if (entry.isSymbolicLink()) return linkEntry(join(root, folder, entry.name), searched)
          if (entry.isFile()) return [{ name: entry.name, type: 'file' }]
          return broken === 'keep' ? [{ name: entry.name, type: 'file', broken: NO_FILE }] : []
        })
        .sort(compareNames),
    read: (path) => readBoundedFile(join(root, path), path),
  }
}

/** The reason why a pipe, a socket or a device is not read: reading one may never end, and one in place of a file would count as absent. */
const NO_FILE: BrokenLink = { severity: 'error', reason: 'expected a file, found a pipe, a socket or a device' }

/** The first letters of the links with which Emacs locks files. */
const LOCK_FILE = '.#'

/** Returns the reason why a symbolic link leads nowhere; undefined if it leads to something. */
function brokenReason(link: string): BrokenLink | undefined {
  try {
    if (statSync(link, { throwIfNoEntry: false }) !== undefined) return undefined
    return { severity: 'warning', reason: `the symbolic link leads to '${readlinkSync(link)}', which does not exist` }
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ELOOP') return { severity: 'error', reason: 'the symbolic link leads back to itself' }
    if (code !== 'EACCES' && code !== 'EPERM') throw error
    return { severity: 'error', reason: `the symbolic link leads to '${readlinkSync(link)}', which must not be read` }
  }
}

/** The real places of a tree and of its bounds, and what becomes of broken links. */
interface LinkReading {
  readonly root: string
  readonly bounds: string
  readonly broken: 'keep' | 'leave-out'
  readonly before: (link: string) => string | undefined
}

/** Returns the entry of a symbolic link; none for a link to a folder that holds nothing unseen, and for a broken link that is not kept. */
function linkEntry(link: string, { root, bounds, broken, before }: LinkReading): TreeEntry[] {
  const name = basename(link)
  const reason = broken === 'keep' ? brokenReason(link) : undefined
  const hidden = (own: BrokenLink, isHidden: boolean): TreeEntry => {
    const object = isHidden || !mayLeadOut(link, root) ? undefined : before(link)
    const why = object === undefined ? own : { ...own, reason: `${own.reason}, and git had objects in the place of the link ('${object}')` }
    return { name, type: 'file', isLink: true, broken: why, ...((isHidden || object !== undefined) && { isHidden: true }) }
  }
  if (reason !== undefined) {
    if (name.startsWith(LOCK_FILE)) return []
    return [hidden(reason, !name.includes('.') && mayStandForFolder(link, root, bounds))]
  }
  const stats = statSync(link, { throwIfNoEntry: false })
  if (stats?.isFile() === true) return [{ name, type: 'file', isLink: true }]
  const entry = broken === 'keep' && stats?.isDirectory() === true ? hidden(FOLDER_OUTSIDE, hidesObjects(link, root)) : undefined
  return entry?.isHidden === true ? [entry] : []
}

/**
 * Returns the finding about a link that may stand for a folder with objects; undefined for any other path.
 *
 * @param name  the name of the link in the finding
 */
export function hiddenFolder(tree: FileTree, path: string, name: string): Result | undefined {
  const { broken, isHidden } = tree.list(folderOf(path)).find((entry) => entry.name === posix.basename(path)) ?? {}
  if (broken === undefined || isHidden !== true) return undefined
  const { reason, rule = 'unreadable-file' } = broken
  return { severity: 'error', message: `is passed over: ${reason}`, file: { path: name, index: 0 }, tags: { rule } }
}

const FOLDER_OUTSIDE: BrokenLink = {
  severity: 'error',
  reason: 'the symbolic link leads to another folder, and such links are not followed, as in kpt',
  rule: 'link-outside',
}

/** Orders entries by the bytes of their names, as Go compares strings. */
export function compareNames({ name: a }: TreeEntry, { name: b }: TreeEntry): number {
  return BEYOND.test(a) || BEYOND.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : compareText(a, b)
}

/** Matches characters from which on UTF-16 and UTF-8 may sort differently. */
const BEYOND = /[\uD800-\uFFFF]/

/** Returns the tree of folders that hold the given files. */
export function folderTree(paths: Iterable<string>, read: FileTree['read']): FileTree {
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]])
  for (const path of paths) {
    const steps = path.split('/')
    for (const [depth, name] of steps.entries()) {
      const folder = steps.slice(0, depth).join('/')
      const entries = folders.get(folder) ?? new Map<string, TreeEntry>()
      folders.set(folder, entries.set(name, { name, type: depth === steps.length - 1 ? 'file' : 'folder' }))
    }
  }
  const sorted = new Map(Array.from(folders, ([folder, entries]) => [folder, [...entries.values()].sort(compareNames)]))
  return { list: (folder) => sorted.get(folder) ?? [], read }
}
