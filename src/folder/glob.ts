/** Returns true if a name matches; a name is one part of a path, without slashes. */
export type NameMatcher = (name: string) => boolean

/** An element of a pattern: any run of characters, or a test of one character. */
type Token = '*' | ((character: string) => boolean)

/**
 * Returns a matcher for one part of a path, by the rules of Go's path/filepath.Match: `*`, `?`, `[a-z]`, `[^a-z]`, and `\` before a
 * literal character. Without `*`, `?` and `[` the pattern is the name itself. A malformed pattern (`[a`) matches nothing.
 */
export function compileGlob(pattern: string): NameMatcher {
  if (!/[*?[]/.test(pattern)) return (name) => name === pattern
  const tokens = tokenize(Array.from(pattern))
  return tokens === undefined ? () => false : (name) => matchTokens(tokens, Array.from(name))
}

function tokenize(pattern: readonly string[]): readonly Token[] | undefined {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; ) {
    const read = readToken(pattern, at)
    if (read === undefined) return undefined
    tokens.push(read.token)
    at = read.next
  }
  return tokens
}

/** Returns the element that begins at `at`; undefined if it is malformed. */
function readToken(pattern: readonly string[], at: number): { readonly token: Token; readonly next: number } | undefined {
  const character = pattern[at]
  if (character === '*') return { token: '*', next: at + 1 }
  if (character === '?') return { token: () => true, next: at + 1 }
  if (character === '[') return readSet(pattern, at + 1)
  const literal = character === '\\' ? pattern[at + 1] : character
  return literal === undefined ? undefined : { token: (other) => other === literal, next: character === '\\' ? at + 2 : at + 1 }
}

/**
 * Returns the set that begins after `[`; undefined if it is malformed: empty, unclosed, or with a bare `-` or `]` in place of a
 * character.
 */
function readSet(pattern: readonly string[], start: number): { readonly token: Token; readonly next: number } | undefined {
  const negated = pattern[start] === '^'
  const ranges: { low: string; high: string }[] = []
  let at = negated ? start + 1 : start
  while (pattern[at] !== ']' || ranges.length === 0) {
    const low = readSetCharacter(pattern, at)
    if (low === undefined) return undefined
    const high = pattern[low.next] === '-' ? readSetCharacter(pattern, low.next + 1) : low
    if (high === undefined) return undefined
    ranges.push({ low: low.character, high: high.character })
    at = high.next
  }
  const holds = (character: string) =>
    ranges.some(({ low, high }) => codePoint(low) <= codePoint(character) && codePoint(character) <= codePoint(high))
  return { token: (character) => holds(character) !== negated, next: at + 1 }
}

function readSetCharacter(pattern: readonly string[], at: number): { character: string; next: number } | undefined {
  const character = pattern[at]
  if (character === '-' || character === ']') return undefined
  const literal = character === '\\' ? pattern[at + 1] : character
  return literal === undefined ? undefined : { character: literal, next: character === '\\' ? at + 2 : at + 1 }
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0
}

/**
 * Returns true if a name matches the elements. Backtracks to the last star only: an earlier star cannot help, so the time is bounded by
 * name × pattern.
 */
function matchTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let [token, character, star, starred] = [0, 0, -1, 0]
  while (character < name.length) {
    const wanted = tokens[token]
    if (wanted === '*') {
      star = token++
      starred = character
    } else if (wanted?.(name[character] ?? '')) {
      token++
      character++
    } else if (star >= 0) {
      token = star + 1
      character = ++starred
    } else return false
  }
  return tokens.slice(token).every((rest) => rest === '*')
}
