/** Returns true if a folder matches a pattern of Go's path.Match, in which a star stays in its folder. */
export function matchesDirectory(pattern: string, folder: string): boolean {
  return expressionOf(pattern, PATH_MATCH)?.test(folder) === true
}

/**
 * Returns true if a pattern of `files` matches a file. Argo CD has two globs: that of git (`old`, the default), in which a star goes
 * through folders, and doublestar (`new`), in which only `**` does.
 */
export function isReachedBy(pattern: string, file: string, glob: 'old' | 'new'): boolean {
  if (glob === 'new') return expressionOf(pattern, DOUBLESTAR)?.test(file) === true
  const whole = expressionOf(pattern, PATHSPEC)
  // A pathspec of git that names a folder names its files.
  return whole?.test(file) === true || file.startsWith(`${pattern.replace(/\/+$/, '')}/`)
}

interface GlobDialect {
  readonly star: string
  /** A star star with the slash that follows. */
  readonly deep: string
  readonly any: string
  /** The characters that begin a class of what does not match. */
  readonly negations: readonly string[]
  /** True if `{a,b}` matches both. */
  readonly hasBraces: boolean
}

const PATH_MATCH: GlobDialect = { star: '[^/]*', deep: '[^/]*', any: '[^/]', negations: ['^'], hasBraces: false }
const PATHSPEC: GlobDialect = { star: '.*', deep: '.*/', any: '.', negations: ['^', '!'], hasBraces: false }
const GOBWAS: GlobDialect = { star: '.*', deep: '.*/', any: '.', negations: ['!'], hasBraces: true }
const DOUBLESTAR: GlobDialect = { star: '[^/]*', deep: '(?:[^/]+/)*', any: '[^/]', negations: ['^', '!'], hasBraces: true }

function expressionOf(pattern: string, dialect: GlobDialect): RegExp | undefined {
  let depth = 0
  const source = pattern.replaceAll(/\*\*\/|\*+|\?|\[[^\]]+\]|\\.|[.+^${}()|\\/[\],]/g, (part) => {
    const brace = dialect.hasBraces && (part === '{' || depth > 0) ? BRACES.get(part) : undefined
    if (brace === undefined) return expressionOfPart(part, dialect)
    depth += brace.depth
    return brace.source
  })
  try {
    return new RegExp(`^${source}$`)
  } catch {
    return undefined
  }
}

/** Maps a part of `{a,b}` to its source in a regular expression, and to the number that the part adds to the depth of braces. */
const BRACES: ReadonlyMap<string, { readonly source: string; readonly depth: number }> = new Map([
  ['{', { source: '(?:', depth: 1 }],
  [',', { source: '|', depth: 0 }],
  ['}', { source: ')', depth: -1 }],
])

function expressionOfPart(part: string, dialect: GlobDialect): string {
  if (part === '**/') return dialect.deep
  if (part.startsWith('*')) return part === '**' && dialect.deep.includes('+') ? '.*' : dialect.star
  if (part === '?') return dialect.any
  if (part.length > 1 && part.startsWith('[')) return classOf(part.slice(1, -1), dialect)
  // A character behind a backslash is that character.
  return part.slice(-1).replace(/\W/, '\\$&')
}

/** Returns the class of a regular expression for what is between brackets. */
function classOf(inner: string, { negations }: GlobDialect): string {
  const isNegated = negations.includes(inner.charAt(0))
  return `[${isNegated ? '^' : ''}${inner.slice(isNegated ? 1 : 0).replaceAll(/[\\^]/g, '\\$&')}]`
}

/**
 * Returns true if a file matches `include` or `exclude` of a directory of Argo CD, a glob of gobwas: a star goes through folders, `{a,b}`
 * matches both, and `[!a]` alone is a class of what does not match.
 */
export function matchesFilter(pattern: string, file: string): boolean {
  return expressionOf(pattern, GOBWAS)?.test(file) === true
}
