import type { RE2JS } from '@bufbuild/re2'
import { MAX_REGEX_SIZE, MAX_WORK, spend, spendText } from '../budget.ts'
import { EvaluationFailure } from './failure.ts'
import { compileRe2, estimateRegexSize } from './regex-size.ts'

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

/** Returns the pattern, compiled once as long as it is one of the last used. */
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
  const regex = compileRe2(pattern, (message) => {
    throw new EvaluationFailure(message.replace(/(trailing backslash at end of expression)$/, '$1: ``'))
  })
  return { regex, size }
}
