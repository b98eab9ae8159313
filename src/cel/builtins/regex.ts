import { RE2JS } from '@bufbuild/re2'
import { MAX_REGEX_SIZE, MAX_WORK, spend, spendText } from '../budget.ts'
import { EvaluationFailure } from './failure.ts'

const PARTS =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|\{(\d+)(?:(,)(\d*))?\}|\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:?))?|./gsu

/** RE2 refuses larger counts itself, in its own words. */
const MAX_REPETITIONS = 1_000

/** A compiled pattern and the number of its instructions. */
interface Pattern {
  readonly regex: RE2JS
  readonly size: number
}

/** A longer pattern is too large in any case, and need not be measured. */
const MAX_REGEX_LENGTH = 16 * MAX_REGEX_SIZE
/** Patterns are kept with the automata that matching builds: up to ten thousand states each. */
const MAX_PATTERNS = 16
const patterns = new Map<string, Pattern>()
let workSinceReset = 0

/** Returns true if the pattern matches a part of the text (RE2 syntax). Throws EvaluationFailure for an invalid or too large pattern. */
export function matchesPattern(text: string, pattern: string): boolean {
  const { regex, size } = compilePattern(pattern)
  const work = text.length * (1 + size / 2)
  spend(work)
  workSinceReset += work
  return regex.test(text)
}

/** The pattern, compiled once as long as it is one of the last used. */
export function compilePattern(pattern: string): Pattern {
  if (workSinceReset > MAX_WORK) forgetPatterns()
  const known = patterns.get(pattern)
  const compiled = known ?? newPattern(pattern)
  patterns.delete(pattern)
  patterns.set(pattern, compiled)
  const [oldest] = patterns.keys()
  if (patterns.size > MAX_PATTERNS && oldest !== undefined) patterns.delete(oldest)
  return compiled
}

function forgetPatterns(): void {
  patterns.clear()
  workSinceReset = 0
}

function newPattern(pattern: string): Pattern {
  spendText(pattern.length)
  const size = pattern.length > MAX_REGEX_LENGTH ? Number.POSITIVE_INFINITY : estimateRegexSize(pattern)
  if (size > MAX_REGEX_SIZE) throw new EvaluationFailure(`regular expression limit exceeded: ${MAX_REGEX_SIZE} instructions`)
  return { regex: compile(pattern), size }
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const escaped = escapeLiteralBraces(pattern)
    // The library takes a literal brace for a repetition and refuses `{?`, which RE2 reads as an optional brace.
    if (message.includes('invalid nested repetition operator: `{') && escaped !== pattern) return compile(escaped)
    throw new EvaluationFailure(message.replace(/(trailing backslash at end of expression)$/, '$1: ``'))
  }
}

/**
 * About how many instructions an RE2 pattern compiles to, never much less: counted repetitions multiply what they repeat.
 * Long character classes count too, since they take time to compile.
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

/** The pattern with a backslash before every brace that counts nothing. */
export function escapeLiteralBraces(pattern: string): string {
  return pattern.replace(PARTS, (part) => (part === '{' ? '\\{' : part))
}
