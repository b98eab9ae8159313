import type { TreeEntry } from './file-tree.ts'
import { compileGlob, type NameMatcher } from './glob.ts'

/** What one `.krmignore` says. A `!` line wins over every other line, wherever it stands. */
export interface IgnoreFile {
  readonly ignored: readonly IgnorePattern[]
  readonly kept: readonly IgnorePattern[]
}

interface IgnorePattern {
  readonly steps: readonly NameMatcher[]
  /** Begins with a slash: must match the whole path; otherwise the path's end is enough, also with slashes inside the pattern. */
  readonly anchored: boolean
  /** Ends with a slash: matches folders only. */
  readonly folderOnly: boolean
}

/**
 * Reads a `.krmignore`. kpt's dialect is less than gitignore's (kyaml kio/ignorefilesmatcher.go): `**` is `*`, the order of lines does not
 * count, `a/b` matches at any depth, and blanks around a line are dropped.
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

/** Whether the path, relative to the folder of the `.krmignore`, is left out. */
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
