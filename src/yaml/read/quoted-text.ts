import { SINGLE_QUOTE } from './character.ts'
import { foldLines, LongText } from './folded-text.ts'
import { refuse } from './text-cursor.ts'

const BACKSLASH = 92

/** The characters of one-letter escapes, by the code of the letter after the backslash. @see YAML 1.2.2, 5.7 */
const LETTERS = new Map<number, number>()
const [ESCAPES, ESCAPED] = ['0abtnvfre \t"/\\N_LP', '\0\x07\b\t\n\v\f\r\x1b \t"/\\\x85\xa0\u2028\u2029']
for (let at = 0; at < ESCAPES.length; at++) LETTERS.set(ESCAPES.charCodeAt(at), ESCAPED.charCodeAt(at))

/** The number of hexadecimal digits after `\x`, `\u` and `\U`, by the code of the letter. */
const DIGITS = new Map([
  ['x'.charCodeAt(0), 2],
  ['u'.charCodeAt(0), 4],
  ['U'.charCodeAt(0), 8],
])

/** The number of code units per call of String.fromCharCode. */
const PART = 8192

/**
 * Returns the value of the text between double quotes: `a\tb` becomes a, a tab, b. Works in one pass without a string for each escape,
 * because a value may have fifty megabytes of escapes. Throws REFUSAL for an unknown escape.
 */
export function resolveEscapes(source: string): string {
  if (!source.includes('\\')) return source
  const units = new Uint16Array(source.length)
  let count = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code !== BACKSLASH) units[count++] = code
    else {
      at++
      const letter = source.charCodeAt(at)
      const digits = DIGITS.get(letter)
      if (digits === undefined) units[count++] = LETTERS.get(letter) ?? refuse()
      else {
        count = putPoint(units, count, pointAt(source, at + 1, digits))
        at += digits
      }
    }
  }
  return textOf(units.subarray(0, count))
}

/** Returns the value of the text between single quotes: `it''s` → `it's`. */
export function resolveDoubledQuotes(source: string): string {
  if (!source.includes("''")) return source
  const units = new Uint16Array(source.length)
  let count = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    units[count++] = code
    if (code === SINGLE_QUOTE && source.charCodeAt(at + 1) === SINGLE_QUOTE) at++
  }
  return textOf(units.subarray(0, count))
}

function pointAt(source: string, at: number, digits: number): number {
  const hex = source.slice(at, at + digits)
  const point = hex.length === digits && /^[\da-f]+$/i.test(hex) ? Number.parseInt(hex, 16) : refuse()
  return point <= 0x10ffff ? point : refuse()
}

function putPoint(units: Uint16Array, count: number, point: number): number {
  if (point <= 0xffff) {
    units[count] = point
    return count + 1
  }
  units[count] = 0xd7c0 + (point >> 10)
  units[count + 1] = 0xdc00 | (point & 0x3ff)
  return count + 2
}

function textOf(units: Uint16Array): string {
  const parts: string[] = []
  for (let at = 0; at < units.length; at += PART) parts.push(String.fromCharCode(...units.subarray(at, at + PART)))
  return parts.join('')
}

/**
 * Returns a quoted text of several lines as one line: folds the line breaks, and leaves other escapes unresolved.
 *
 * @param column  of the key or dash of the scalar: further lines must be deeper
 * @see YAML 1.2.2, 7.3.1 and 6.5
 */
export function joinQuotedLines(source: string, style: 'double' | 'single', column: number): string {
  const firstEnd = source.indexOf('\n')
  const content = new LongText()
  let line = endOf(lineTo(source, 0, firstEnd), style)
  let blankLines = 0
  content.add(line.text)
  for (const { written, isLast } of linesBehind(source, firstEnd)) {
    const text = withoutBlanksBefore(written)
    if (text === '' && !isLast) blankLines++
    else {
      if (written.length - text.length <= column) refuse()
      content.add(line.isBreakEscaped ? '\n'.repeat(blankLines) : foldLines(blankLines))
      line = isLast ? { text, isBreakEscaped: false } : endOf(text, style)
      content.add(line.text)
      blankLines = 0
    }
  }
  return content.text()
}

function* linesBehind(source: string, lineFeed: number): Generator<{ readonly written: string; readonly isLast: boolean }> {
  let start = lineFeed + 1
  for (let end = source.indexOf('\n', start); end !== -1; end = source.indexOf('\n', start)) {
    yield { written: lineTo(source, start, end), isLast: false }
    start = end + 1
  }
  yield { written: source.slice(start), isLast: true }
}

/** Returns a line without its line break, `\n` or `\r\n`. */
function lineTo(source: string, start: number, lineFeed: number): string {
  return source.slice(start, source[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed)
}

/** Returns a line without the blanks at its end, except an escaped one, and reports an escaped line break. */
function endOf(line: string, style: 'double' | 'single'): { readonly text: string; readonly isBreakEscaped: boolean } {
  const text = withoutBlanksBehind(line)
  const backslashes = style === 'double' ? (/\\*$/.exec(text)?.[0].length ?? 0) : 0
  if (backslashes % 2 === 0) return { text, isBreakEscaped: false }
  if (text.length < line.length) return { text: line.slice(0, text.length + 1), isBreakEscaped: false }
  const joined = text.slice(0, -1)
  return CUT_ESCAPE.test(joined) ? refuse() : { text: joined, isBreakEscaped: true }
}

/** Matches an escape that lacks digits at the end of a line: those of the next line do not count. */
const CUT_ESCAPE = /(?<!\\)(?:\\\\)*\\(?:x[\da-fA-F]?|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7})$/

// Not `trim`: other white space is content.
function withoutBlanksBefore(line: string): string {
  let at = 0
  while (line[at] === ' ' || line[at] === '\t') at++
  return line.slice(at)
}

function withoutBlanksBehind(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--
  return line.slice(0, end)
}
