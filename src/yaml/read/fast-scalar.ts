import type { ScalarNode } from './node.ts'
import { refuse, type TextCursor } from './text-cursor.ts'

/** Control characters but for tabs, and line breaks that only YAML 1.1 knows: left to the full parser. */
const DOUBTFUL = /[^\t\n -~\x80-\x84\x86-\u2027\u202a-\ufefe\uff00-\uffff]/
const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['f', '\f'],
  ['v', '\v'],
  [' ', ' '],
  ['_', '\u00a0'],
  ['N', '\u0085'],
  ['L', '\u2028'],
  ['P', '\u2029'],
])
const ESCAPE = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/g

/** Quoted scalars as nearly all are: ASCII without escapes. */
const USUAL_SINGLE = /'[ -&(-~]*'(?!')/y
const USUAL_DOUBLE = /"[ !#-[\]-~]*"/y

/** A single- or double-quoted scalar on one line; the cursor stands behind the closing quote. */
export function readQuoted(at: TextCursor): ScalarNode {
  const start = at.offset
  const style = at.char() === '"' ? 'double' : 'single'
  const usual = at.endOf(style === 'double' ? USUAL_DOUBLE : USUAL_SINGLE)
  if (usual === -1) return readUnusualQuoted(at)
  at.offset = usual
  return { type: 'scalar', style, text: at.text.slice(start + 1, usual - 1), start, end: usual }
}

function readUnusualQuoted(at: TextCursor): ScalarNode {
  const start = at.offset
  const end = at.char() === '"' ? doubleEnd(at) : singleEnd(at)
  const source = at.text.slice(start + 1, end - 1)
  if (DOUBTFUL.test(source)) refuse()
  at.offset = end
  if (at.text[start] === "'") return { type: 'scalar', style: 'single', text: source.replaceAll("''", "'"), start, end }
  return { type: 'scalar', style: 'double', text: source.includes('\\') ? source.replace(ESCAPE, resolveEscape) : source, start, end }
}

function singleEnd(at: TextCursor): number {
  let close = at.text.indexOf("'", at.offset + 1)
  while (at.text[close + 1] === "'" && close !== -1) close = at.text.indexOf("'", close + 2)
  return onOneLine(at, close)
}

function doubleEnd(at: TextCursor): number {
  let close = at.offset + 1
  while (close < at.text.length && at.text[close] !== '"') close += at.text[close] === '\\' ? 2 : 1
  return onOneLine(at, close < at.text.length ? close : -1)
}

function onOneLine(at: TextCursor, close: number): number {
  if (close === -1) refuse()
  const lineFeed = at.text.indexOf('\n', at.offset)
  if (lineFeed !== -1 && lineFeed < close) refuse()
  return close + 1
}

function resolveEscape(_: string, code: string): string {
  if (code.length === 1) return ESCAPES.get(code) ?? refuse()
  const point = Number.parseInt(code.slice(1), 16)
  return point <= 0x10ffff ? String.fromCodePoint(point) : refuse()
}

const HEADER = /\|([1-9]?)([-+]?)([1-9]?)(?: +#[^\n]*| *)(?:\n|$)/y

/**
 * A literal block scalar; the cursor stands at the start of a line behind it.
 *
 * @param parent  column of the map or dash that the value belongs to
 */
export function readBlockScalar(at: TextCursor, parent: number): ScalarNode {
  const start = at.offset
  HEADER.lastIndex = start
  const [header, before = '', chomping = '', behind = ''] = HEADER.exec(at.text) ?? refuse()
  if (before !== '' && behind !== '') refuse()
  const explicit = Number(before + behind)
  const block = readLines(at.text, start + header.length, parent, explicit === 0 ? undefined : parent + explicit)
  const text = chomp(block, chomping)
  if (DOUBTFUL.test(text)) refuse()
  at.continueAt(block.next)
  const indicators = start + 1 + before.length + chomping.length + behind.length
  const end = chomping === '+' ? block.next - 1 : Math.max(block.contentEnd, indicators)
  return { type: 'scalar', style: 'literal', text, start, end }
}

interface Block {
  readonly lines: readonly string[]
  /** How many of them stand before the blank ones at the end. */
  readonly contentLines: number
  /** Where the last line that is not blank ends; -1 when there is none. */
  readonly contentEnd: number
  readonly next: number
}

function readLines(text: string, from: number, parent: number, explicit: number | undefined): Block {
  const lines: string[] = []
  let indent = explicit
  let contentEnd = -1
  let contentLines = 0
  let widestBlank = 0
  let line = from
  for (; line < text.length; ) {
    const lineEnd = endOfLine(text, line)
    const spaces = countSpaces(text, line, lineEnd)
    if (line + spaces === lineEnd) {
      widestBlank = Math.max(widestBlank, spaces)
      lines.push('')
    } else {
      if (spaces <= parent) break
      indent ??= spaces
      if (spaces < indent) refuse()
      lines.push(text.slice(line + indent, lineEnd))
      contentEnd = lineEnd
      contentLines = lines.length
    }
    line = lineEnd + 1
  }
  if (widestBlank > (indent ?? parent)) refuse()
  return { lines, contentLines, contentEnd, next: line }
}

/** Blank lines at the end are content only with `+`; a text that ends inside the scalar is left to the full parser. */
function chomp({ lines, contentLines, contentEnd }: Block, chomping: string): string {
  if (contentEnd === -1 && (chomping === '+' || lines.length > 0)) refuse()
  if (contentEnd === -1) return ''
  if (chomping === '+') return `${lines.join('\n')}\n`
  const content = lines.slice(0, contentLines).join('\n')
  return chomping === '-' ? content : `${content}\n`
}

function endOfLine(text: string, from: number): number {
  const lineFeed = text.indexOf('\n', from)
  return lineFeed === -1 ? refuse() : lineFeed
}

function countSpaces(text: string, from: number, to: number): number {
  let at = from
  while (at < to && text.charCodeAt(at) === 32) at++
  return at - from
}
