import { posix } from 'node:path'
import type { FileTree, TreeEntry } from './file-tree.ts'
import { compileGlob, type NameMatcher } from './glob.ts'

const KPTFILE = 'Kptfile'
export const IGNORE_FILE = '.krmignore'

/** A package or subpackage above the current folder, and its `.krmignore`. */
interface Scope {
  readonly folder: string
  readonly ignoreFile: IgnoreFile
}

/**
 * Returns the paths of all files of a package that may hold resources, in the order of `kpt fn source`: depth first, the entries of a
 * folder by name.
 *
 * Hidden files and folders are included. A `.krmignore` at the top or beside a Kptfile applies to the files down to the next Kptfile;
 * it can leave out a whole subpackage, but not files inside a subpackage (kpt 1.0.0-beta.56, kyaml v0.15 kio/pkgio_reader.go).
 */
export function findPackageFiles(tree: FileTree): readonly string[] {
  return findNamedFiles(tree, holdsResources)
}

/** Returns the paths of the files of a package, in the order of `findPackageFiles`, that pass a test. */
export function findNamedFiles(tree: FileTree, test: (name: string, entry: TreeEntry) => boolean): readonly string[] {
  const files: string[] = []
  const scopes: Scope[] = []
  const walk = (folder: string) => {
    const entries = tree.list(folder)
    if (folder === '' || entries.some(({ name }) => name === KPTFILE)) scopes.push(readScope(tree, folder, entries))
    for (const entry of entries) {
      const { name, type } = entry
      const path = posix.join(folder, name)
      if (isLeftOut(scopes, path, entry)) continue
      if (type === 'folder') walk(path)
      else if (test(name, entry)) files.push(path)
    }
  }
  walk('')
  return files
}

/** Folders without packages of the fleet: git's store, and installed packages of others. */
export const NOT_SEARCHED = ['.git', 'node_modules']

/** Returns the paths of files that may hold resources but that a `.krmignore` leaves out. */
export function findLeftOutFiles(tree: FileTree): readonly string[] {
  const kept = new Set(findPackageFiles(tree))
  const walk = (folder: string): readonly string[] =>
    tree.list(folder).flatMap(({ name, type }) => {
      const path = posix.join(folder, name)
      if (type === 'folder') return NOT_SEARCHED.includes(name) ? [] : walk(path)
      return holdsResources(name) && !kept.has(path) ? [path] : []
    })
  return walk('')
}

/**
 * Returns true if the innermost scope leaves out a path; scopes that the walk has left are removed first. kpt compares the beginning of
 * the text, not path parts: a folder `edge-01` beside a subpackage `edge` is still under the rules of `edge`.
 */
function isLeftOut(scopes: Scope[], path: string, { type, isHidden = false }: TreeEntry): boolean {
  const place = type === 'folder' ? path : folderOf(path)
  while (!place.startsWith(scopes.at(-1)?.folder ?? '')) scopes.pop()
  const scope = scopes.at(-1)
  // Most packages ignore nothing, and may have thousands of files.
  if (scope === undefined || scope.ignoreFile.ignored.length === 0) return false
  // The finding about a link that may stand for a folder advises to name the link.
  return isIgnored(scope.ignoreFile, posix.relative(scope.folder, path), isHidden ? 'folder' : type)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

function readScope(tree: FileTree, folder: string, entries: readonly TreeEntry[]): Scope {
  const hasIgnoreFile = entries.some(({ name, type, broken }) => name === IGNORE_FILE && type === 'file' && broken === undefined)
  const text = hasIgnoreFile ? Buffer.from(tree.read(posix.join(folder, IGNORE_FILE))).toString('utf8') : ''
  return { folder, ignoreFile: parseIgnoreFile(text) }
}

/** Returns true for a name that kpt does not read for its upper or lower case alone: `set.YAML`, `kptfile`. */
export function isInOtherCase(name: string): boolean {
  return !holdsResources(name) && (name.toLowerCase() === KPTFILE.toLowerCase() || holdsResources(name.toLowerCase()))
}

/** Returns true for the name of a file that kpt reads. */
export function holdsResources(name: string): boolean {
  return name === KPTFILE || ['.yaml', '.yml', '.json'].some((ending) => name.endsWith(ending))
}

/** The patterns of one `.krmignore`. A `!` line wins over every other line, whatever their order. */
interface IgnoreFile {
  readonly ignored: readonly IgnorePattern[]
  readonly kept: readonly IgnorePattern[]
}

interface IgnorePattern {
  readonly steps: readonly NameMatcher[]
  /**
   * True if the pattern begins with a slash and must match the whole path. Otherwise the end of the path is enough, even for a pattern
   * with slashes inside.
   */
  readonly anchored: boolean
  /** True if the pattern ends with a slash and matches folders only. */
  readonly folderOnly: boolean
}

/**
 * Parses a `.krmignore`. kpt supports less than gitignore (kyaml kio/ignorefilesmatcher.go): `**` is `*`, the order of lines has no
 * effect, `a/b` matches at any depth, and blanks around a line are removed.
 */
export function parseIgnoreFile(text: string): IgnoreFile {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^ +| +$/g, ''))
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.replace(/^\\#/, '#'))
  return {
    ignored: patterns.filter((line) => !line.startsWith('!')).flatMap(parsePattern),
    kept: patterns.filter((line) => line.startsWith('!')).flatMap((line) => parsePattern(line.slice(1))),
  }
}

function parsePattern(line: string): readonly IgnorePattern[] {
  const trimmed = line.replace(/^\/+|\/+$/g, '')
  if (trimmed === '') return []
  return [{ steps: trimmed.split('/').map(compileGlob), anchored: line.startsWith('/'), folderOnly: line.endsWith('/') }]
}

/** Returns true if a path, relative to the folder of the `.krmignore`, is left out. */
export function isIgnored(file: IgnoreFile, path: string, type: TreeEntry['type']): boolean {
  const steps = path.split('/')
  const matches = (pattern: IgnorePattern) => (type === 'folder' || !pattern.folderOnly) && matchesPattern(pattern, steps)
  return !file.kept.some(matches) && file.ignored.some(matches)
}

function matchesPattern({ steps, anchored }: IgnorePattern, path: readonly string[]): boolean {
  if (steps.length > path.length || (anchored && steps.length < path.length)) return false
  const end = path.slice(path.length - steps.length)
  return steps.every((matches, i) => matches(end[i] ?? ''))
}
