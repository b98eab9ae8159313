import { CARRIAGE_RETURN, DASH, DOUBLE_QUOTE, HASH, LINE_FEED, QUESTION_MARK, SINGLE_QUOTE, SPACE } from './character.ts'
import { foldLines, LongText } from './folded-text.ts'
import type { ScalarNode, ScalarStyle } from './node.ts'
import { isBlank, refuse, type TextCursor } from './text-cursor.ts'

const DOT = 46
const COLON = 58

/** The longest key in the form `key: value`. YAML 1.2.2, 7.4.2: such a key has at most 1,024 characters. */
export const MAX_KEY = 1000

/** The styles of quoted keys by their opening quote. */
const STYLES: ReadonlyMap<number, ScalarStyle> = new Map([
  [DOUBLE_QUOTE, 'double'],
  [SINGLE_QUOTE, 'single'],
])

/** Characters that cannot begin a plain scalar, or begin something that the fast reader leaves to the full parser. */
const INDICATORS = new Uint8Array(65536)
for (const char of '-?:,[]{}#&*!|>\'"%@`') INDICATORS[char.charCodeAt(0)] = 1
/** Matches characters that some reader does not take literally: control characters, also tabs, and the line breaks of YAML 1.1. */
const DOUBTFUL = /[^\n -~\x80-\x84\x86-\u2027\u202a-\ufefe\uff00-\uffff]/

/**
 * Match the usual keys and values, in which no character is an indicator. A native pattern is several times faster than a loop over the
 * characters; the loop reads only what the patterns do not match. The repetitions of a group are bounded, because each takes space on
 * the engine's stack.
 */
const USUAL_KEY = /[A-Za-z][A-Za-z0-9._/-]*(?=:[ \r\n])/y
const USUAL_PLAIN = /[A-Za-z0-9/][A-Za-z0-9._/+=@~-]*(?:(?::| (?=[A-Za-z0-9]))[A-Za-z0-9._/+=@~-]+){0,100}(?=\r?\n)/y

/** Returns true if a key begins at the cursor: a plain or quoted scalar and a colon with a blank after it. */
export function isKey(at: TextCursor): boolean {
  return at.endOf(USUAL_KEY) !== -1 || unusualKeyEnd(at) !== -1
}

/** Reads a key and its colon, and moves the cursor after the colon. Throws REFUSAL when there is no key. */
export function readKey(at: TextCursor): ScalarNode {
  return findPlainKey(at) ?? refuse()
}

/** Reads a key like `readKey`; returns undefined and leaves the cursor when there is no key. */
export function findPlainKey(at: TextCursor): ScalarNode | undefined {
  const usual = at.endOf(USUAL_KEY)
  const end = usual === -1 ? unusualKeyEnd(at) : usual
  if (end === -1) return undefined
  if (end - at.offset > MAX_KEY) refuse()
  const key = usual === -1 ? unusualKey(at, end) : at.plainTo(end)
  at.offset = end + 1
  return key
}

function unusualKey({ text: all, offset: start }: TextCursor, end: number): ScalarNode {
  const style = STYLES.get(all.charCodeAt(start)) ?? 'plain'
  const text = style === 'plain' ? all.slice(start, end) : all.slice(start + 1, end - 1)
  if (DOUBTFUL.test(text) || text === '<<') refuse()
  return { type: 'scalar', style, text, start, end }
}

/** Returns the offset of the colon after the key at the cursor, -1 when there is no key. */
function unusualKeyEnd(at: TextCursor): number {
  const end = STYLES.has(at.code()) ? quotedKeyEnd(at) : plainKeyEnd(at)
  return end !== -1 && at.text.charCodeAt(end) === COLON && isBlank(codeAt(at.text, end + 1)) ? end : -1
}

function plainKeyEnd(at: TextCursor): number {
  if (!canBeginPlain(at)) return -1
  let before = 0
  for (let end = at.offset; end < at.text.length; end++) {
    const code = at.text.charCodeAt(end)
    if (code === LINE_FEED || (code === HASH && before === SPACE)) return -1
    if (code === COLON && isBlank(codeAt(at.text, end + 1))) return before === SPACE ? -1 : end
    before = code
  }
  return -1
}

/** Returns the offset after a quoted key on one line without escapes, -1 for other keys. */
function quotedKeyEnd(at: TextCursor): number {
  const quote = at.char()
  const close = at.text.indexOf(quote, at.offset + 1)
  const inner = at.text.slice(at.offset + 1, close)
  return close === -1 || inner.includes('\n') || inner.includes('\\') || at.text[close + 1] === quote ? -1 : close + 1
}

/** Reads a plain scalar up to the end of the line or a comment. */
export function readPlain(at: TextCursor): ScalarNode {
  const usual = at.endOf(USUAL_PLAIN)
  if (usual !== -1) return at.plainTo(usual)
  if (!canBeginPlain(at)) refuse()
  const scalar = at.plainTo(plainEnd(at))
  if (DOUBTFUL.test(scalar.text)) refuse()
  return scalar
}

/**
 * Returns the scalar with its further lines, folded: those deeper than its key or dash, as in the descriptions of CRDs. The cursor is at
 * the first of these lines.
 *
 * @param column  of the key or dash of the scalar
 */
export function readFurtherLines(at: TextCursor, scalar: ScalarNode, column: number): ScalarNode {
  const content = new LongText()
  content.add(scalar.text)
  let { end } = scalar
  do {
    const line = at.offset
    const between = at.text.slice(end, line)
    // A comment would have ended the scalar.
    if (between.includes('#')) refuse()
    end = plainEnd(at)
    content.add(foldLines(between.split('\n').length - 2))
    content.add(at.text.slice(line, end))
    at.offset = end
    at.endLine()
  } while (at.nextContent() > column)
  const text = content.text()
  if (DOUBTFUL.test(text)) refuse()
  return { ...scalar, text, end }
}

/**
 * Returns the end of a plain scalar on this line: before a comment and the blanks at the end. Throws REFUSAL at a colon that would make
 * the text a key.
 */
function plainEnd(at: TextCursor): number {
  let end = at.offset
  let before = 0
  for (let next = at.offset; next < at.text.length; next++) {
    const code = at.text.charCodeAt(next)
    if (code === LINE_FEED || (code === HASH && before === SPACE)) break
    if (before === COLON && code === SPACE) refuse()
    if (code !== SPACE && code !== CARRIAGE_RETURN) end = next + 1
    before = code
  }
  if (at.text.charCodeAt(end - 1) === COLON) refuse()
  return end
}

function canBeginPlain(at: TextCursor): boolean {
  const code = at.code()
  if (code === -1 || INDICATORS[code] === 0) return code !== -1 && code !== LINE_FEED && !(code === DOT && isMarker(at))
  return (code === DASH || code === COLON || code === QUESTION_MARK) && !isBlank(at.code(1)) && !isMarker(at)
}

/** Returns true for `---` and `...` at the start of a line, which some readers take for document markers. */
function isMarker(at: TextCursor): boolean {
  return at.isLineStart() && (at.text.startsWith('---', at.offset) || at.text.startsWith('...', at.offset))
}

function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : -1
}
