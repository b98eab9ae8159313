import type { TreeEntry } from './file-tree.ts'
import { compileGlob, type NameMatcher } from './glob.ts'

/** The patterns of one `.krmignore`. A `!` line wins over every other line, whatever their order. */
export interface IgnoreFile {
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
