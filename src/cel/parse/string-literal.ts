import { joinBytes } from '../value.ts'

const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y
const ESCAPES = new RegExp(ESCAPE.source, 'g')

const CONTROLS: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/**
 * Returns the end of the string literal whose opening quote is at `start`; undefined if the literal has no end or contains an unknown
 * escape.
 *
 * @param raw  backslashes are ordinary characters
 */
export function endOfString(text: string, { start, raw }: { readonly start: number; readonly raw: boolean }): number | undefined {
  const quote = text.charAt(start)
  const triple = quote.repeat(3)
  const long = text.startsWith(triple, start) ? scan(text, start + 3, raw, triple) : undefined
  return long ?? scan(text, start + 1, raw, quote)
}

function scan(text: string, from: number, raw: boolean, close: string): number | undefined {
  for (let i = from; i < text.length; ) {
    if (text.startsWith(close, i)) return i + close.length
    const width = raw || text[i] !== '\\' ? 1 : escapeWidth(text, i)
    if (width === 0 || (close.length === 1 && (text[i] === '\n' || text[i] === '\r'))) return undefined
    i += width
  }
  return undefined
}

/** Returns the reason why the string literal whose opening quote is at `start` has no end. */
export function faultOfString(text: string, start: number): string {
  for (let i = start + 1; i < text.length && text[i] !== '\n' && text[i] !== '\r'; ) {
    const width = text[i] === '\\' ? escapeWidth(text, i) : 1
    if (width === 0) return `${text.slice(i, i + 2)} is no escape in a text, a backslash is written \\\\`
    i += width
  }
  return `the text that begins with ${text.charAt(start)} is not closed`
}

function escapeWidth(text: string, offset: number): number {
  ESCAPE.lastIndex = offset
  return ESCAPE.exec(text)?.[0].length ?? 0
}

/** Returns the text of a string literal; undefined if an escape is no Unicode code point. Example: `'a\u0062'` is `ab`. */
export function unquoteString(literal: string): string | undefined {
  const { raw, body } = stripQuotes(literal)
  if (raw) return body
  const points = [...body.matchAll(ESCAPES)].map((match) => codePointOf(match[0].slice(1)))
  if (points.some((point) => typeof point === 'number' && !isCodePoint(point))) return undefined
  return body.replace(ESCAPES, (sequence) => toText(codePointOf(sequence.slice(1))))
}

/** Returns the bytes of a bytes literal that begins with `b`; undefined if it contains a Unicode escape. */
export function unquoteBytes(literal: string): Uint8Array | undefined {
  const { raw, body } = stripQuotes(literal.slice(1))
  if (raw) return new TextEncoder().encode(body)
  const chunks: Uint8Array[] = []
  let from = 0
  for (const match of body.matchAll(ESCAPES)) {
    if (/^\\[uU]/.test(match[0])) return undefined
    chunks.push(new TextEncoder().encode(body.slice(from, match.index)), bytesOf(codePointOf(match[0].slice(1))))
    from = match.index + match[0].length
  }
  return joinBytes([...chunks, new TextEncoder().encode(body.slice(from))])
}

function stripQuotes(literal: string): { raw: boolean; body: string } {
  const raw = /^[rR]/.test(literal)
  const quoted = (raw ? literal.slice(1) : literal).replace(/\r\n?/g, '\n')
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1
  return { raw, body: quoted.slice(width, -width) }
}

/** Returns a number for a numeric escape, the character itself for others. */
function codePointOf(sequence: string): number | string {
  if (/^[xXuU]/.test(sequence)) return Number.parseInt(sequence.slice(1), 16)
  if (/^[0-3]/.test(sequence)) return Number.parseInt(sequence, 8)
  return CONTROLS[sequence] ?? sequence
}

function isCodePoint(value: number): boolean {
  return value <= 0x10ffff && !(value >= 0xd800 && value < 0xe000)
}

function toText(point: number | string): string {
  return typeof point === 'string' ? point : String.fromCodePoint(point)
}

function bytesOf(point: number | string): Uint8Array {
  return typeof point === 'string' ? new TextEncoder().encode(point) : Uint8Array.of(point)
}
