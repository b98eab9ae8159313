import { spendText } from '../budget.ts'
import type { CelValue } from '../value.ts'
import { noOperation, noOverload } from './failure.ts'
import { matchesPattern } from './regex.ts'

type TextTest = (text: string, part: string) => boolean

/** The tests of a string by another (cel-spec, String functions). Positions in them do not show, so UTF-16 units will do. */
export const TEXT_TESTS: ReadonlyMap<string, (text: CelValue, part: CelValue) => boolean> = new Map([
  ['contains', onTexts(contains)],
  ['endsWith', onTexts((text, part) => text.endsWith(part))],
  ['startsWith', onTexts((text, part) => text.startsWith(part))],
])

function onTexts(test: TextTest): (text: CelValue, part: CelValue) => boolean {
  return (text, part) => {
    if (typeof text !== 'string' || typeof part !== 'string') throw noOverload()
    spendText(text.length + part.length)
    return test(text, part)
  }
}

/**
 * Returns true if a text contains a part. JavaScript's search looks at the last 250 characters of a long part at a time, so it can take
 * text times part / 250.
 */
function contains(text: string, part: string): boolean {
  if (part.length > 250) spendText((text.length * part.length) / 250)
  return text.includes(part)
}

/** Returns `text.matches(pattern)`. */
export function matches(text: CelValue, pattern: CelValue): boolean {
  if (typeof text !== 'string') throw noOperation('matches', text)
  if (typeof pattern !== 'string') throw noOverload()
  return matchesPattern(text, pattern)
}

/** Returns `text.matches('constant')`, which cel-go prepares, and which refuses with fewer words. */
export function matchesConstant(text: CelValue, pattern: CelValue): boolean {
  if (typeof text !== 'string') throw noOverload()
  return matches(text, pattern)
}
