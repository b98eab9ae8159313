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
  // A pathspec of git may be the name itself, as of a folder `[a`; one that names a folder names its files.
  return file === pattern || whole?.test(file) === true || file.startsWith(`${pattern.replace(/\/+$/, '')}/`)
}

interface GlobDialect {
  readonly star: string
  /** A star star with the slash that follows. */
  readonly deep: string
  /** A star star that is the last part of a path. */
  readonly whole: string
  readonly any: string
  /** Matches a class, `[a-z]`; a bracket that begins none makes the pattern malformed. */
  readonly class: string
  /** The characters that begin a class of what does not match. */
  readonly negations: string
  /** True if a range stands alone in its class, and a `-` elsewhere is a character. */
  readonly hasLoneRanges: boolean
  /** True if `{a,b}` matches both. */
  readonly hasBraces: boolean
}

/** An entry of a class in Go, in which no bare `-` or `]` is a character, and in doublestar, in which a `-` may be the first of a range. */
const GO_ENTRY = String.raw`(?:\\.|[^\]\\-])(?:-(?:\\.|[^\]\\-]))?`
const DOUBLESTAR_ENTRY = String.raw`(?:\\.|[^\]\\])(?:-(?:\\.|[^\]\\])|(?!-))`

const PATH_MATCH: GlobDialect = {
  ...{ star: '[^/]*', deep: '[^/]*/', whole: '[^/]*', any: '[^/]', class: String.raw`\[(?:\^|(?!\^))(?:${GO_ENTRY})+\]` },
  ...{ negations: '^', hasLoneRanges: false, hasBraces: false },
}
const PATHSPEC: GlobDialect = {
  ...{ star: '.*', deep: '.*/', whole: '.*', any: '.', class: String.raw`\[(?:[!^]|(?![!^]))(?:\]|\\.|[^\]\\])(?:\\.|[^\]\\])*\]` },
  ...{ negations: '!^', hasLoneRanges: false, hasBraces: false },
}
const GOBWAS: GlobDialect = {
  ...{ star: '.*', deep: '.*/', whole: '.*', any: '.', class: String.raw`\[(?:!|(?!!))(?:.-.|(?!.-)(?:\\.|[^\]\\])+)\]` },
  ...{ negations: '!', hasLoneRanges: true, hasBraces: true },
}
const DOUBLESTAR: GlobDialect = {
  ...{ star: '[^/]*', deep: '(?:[^/]+/)*', whole: '.*', any: '[^/]', class: String.raw`\[(?:[!^]|(?![!^]))(?:${DOUBLESTAR_ENTRY})+\]` },
  ...{ negations: '!^', hasLoneRanges: false, hasBraces: true },
}

/** Returns the expression of a pattern; undefined for a malformed one, which matches nothing: `[a`, `a\`, in Go `[]a]`. */
function expressionOf(pattern: string, dialect: GlobDialect): RegExp | undefined {
  let depth = 0
  let isMalformed = false
  const parts = new RegExp(String.raw`(?<=^|[/{,])\*\*/|\*+|\?|${dialect.class}|\\.|[.+^$\{\}()|\\/[\],]`, 'gsu')
  const source = pattern.replaceAll(parts, (part, offset: number) => {
    isMalformed ||= part === '[' || part === '\\'
    const brace = dialect.hasBraces && (part === '{' || depth > 0) ? BRACES.get(part) : undefined
    if (brace === undefined) return isWholePart(pattern, part, offset) ? dialect.whole : expressionOfPart(part, dialect)
    depth += brace.depth
    return brace.source
  })
  if (isMalformed) return undefined
  try {
    return new RegExp(`^${source}$`, 'su')
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

/** Returns true for a star star that is the last part of a path. */
function isWholePart(pattern: string, part: string, offset: number): boolean {
  return part === '**' && /(?:^|[/{,])$/.test(pattern.slice(0, offset)) && /^(?:$|[,}])/.test(pattern.slice(offset + part.length))
}

function expressionOfPart(part: string, dialect: GlobDialect): string {
  if (part === '**/') return dialect.deep
  if (part.startsWith('*')) return dialect.star
  if (part === '?') return dialect.any
  if (part.length > 1 && part.startsWith('[')) return classOf(part.slice(1, -1), dialect)
  // A character behind a backslash is that character.
  return escaped(part.replace(/^\\(?=.)/s, ''))
}

/** Returns the class of a regular expression for what is between brackets. A range that ends before it begins holds nothing. */
function classOf(inner: string, { negations, hasLoneRanges }: GlobDialect): string {
  const isNegated = inner !== '' && negations.includes(inner.charAt(0))
  const entries = isNegated ? inner.slice(1) : inner
  const isRange = /^.-.$/su.test(entries)
  const found = hasLoneRanges && !isRange ? entries.matchAll(/(?<low>\\.|.)/gsu) : entries.matchAll(/(?<low>\\.|.)(?:-(?<high>\\.|.))?/gsu)
  const ranges = Array.from(found, ({ groups = {} }) => {
    const [low = '', high = low] = [groups.low, groups.high].map((each) => each?.replace(/^\\(?=.)/s, ''))
    return (low.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0) ? '' : `${escaped(low)}-${escaped(high)}`
  })
  return `[${isNegated ? '^' : ''}${ranges.join('')}]`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (each) => (each === '-' ? '\\x2d' : `\\${each}`))
}

/**
 * Returns true if a file matches `include` or `exclude` of a directory of Argo CD, a glob of gobwas: a star goes through folders, `{a,b}`
 * matches both, and `[!a]` alone is a class of what does not match.
 */
export function matchesFilter(pattern: string, file: string): boolean {
  return expressionOf(pattern, GOBWAS)?.test(file) === true
}
