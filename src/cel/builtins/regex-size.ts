import { RE2JS } from '@bufbuild/re2'

const PARTS =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|\{(\d+)(?:(,)(\d*))?\}|\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:?))?|./gsu

/** RE2 refuses larger counts itself, in its own words. */
const MAX_REPETITIONS = 1_000

/**
 * Returns about how many instructions an RE2 pattern compiles to, never much less: counted repetitions multiply what they repeat. Long
 * character classes count too, since they take time to compile.
 */
export function estimateRegexSize(pattern: string): number {
  const groups = [0]
  let last = 0
  for (const [part, least, comma, most] of pattern.matchAll(PARTS)) {
    if (part.startsWith('(')) {
      groups.push(0)
      continue
    }
    if (part === ')') last = (groups.length > 1 ? (groups.pop() ?? 0) : 0) + 2
    else if (least !== undefined) last *= repetitions(Number(least), comma, Number(most)) - 1
    else last = 1 + part.length / 16
    groups.push((groups.pop() ?? 0) + last)
  }
  return Math.ceil(groups.reduce((sum, size) => sum + size + 2, 0))
}

function repetitions(least: number, comma: string | undefined, most: number): number {
  const count = comma === undefined ? least : Math.max(least, most || least + 1)
  return count > MAX_REPETITIONS ? 1 : count
}

/**
 * Compiles a pattern as Go does. The library takes a literal brace for a repetition and refuses `{?`, which RE2 reads as an optional brace.
 *
 * @param refuse  throws for an invalid pattern, with the message of the library
 */
export function compileRe2(pattern: string, refuse: (message: string) => never): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const escaped = escapeLiteralBraces(pattern)
    if (message.includes('invalid nested repetition operator: `{') && escaped !== pattern) return compileRe2(escaped, refuse)
    return refuse(message)
  }
}

/** Returns the pattern with a backslash before every brace that counts nothing. */
export function escapeLiteralBraces(pattern: string): string {
  return pattern.replace(PARTS, (part) => (part === '{' ? '\\{' : part))
}
