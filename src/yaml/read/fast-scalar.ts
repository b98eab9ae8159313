import { SPACE } from './character.ts'
import { resolveDoubledQuotes, resolveEscapes } from './escapes.ts'
import { fold } from './fold.ts'
import type { ScalarNode } from './node.ts'
import { joinQuotedLines } from './quoted-lines.ts'
import { refuse, type TextCursor } from './text-cursor.ts'

/** Control characters but for tabs, and line breaks that only YAML 1.1 knows: left to the full parser. */
const DOUBTFUL = /[^\t\n -~\x80-\x84\x86-\u2027\u202a-\ufefe\uff00-\uffff]/
/** Quoted scalars as nearly all are: ASCII without escapes. */
const USUAL_SINGLE = /'[ -&(-~]*'(?!')/y
const USUAL_DOUBLE = /"[ !#-[\]-~]*"/y

/**
 * A single- or double-quoted scalar; the cursor stands behind the closing quote.
 *
 * @param column  of the key or dash that holds it, than which its further lines are deeper; absent: it may have none
 */
export function readQuoted(at: TextCursor, column?: number): ScalarNode {
  const start = at.offset
  const style = at.char() === '"' ? 'double' : 'single'
  const usual = at.endOf(style === 'double' ? USUAL_DOUBLE : USUAL_SINGLE)
  if (usual === -1) return readUnusualQuoted(at, style, column)
  at.offset = usual
  return { type: 'scalar', style, text: at.text.slice(start + 1, usual - 1), start, end: usual }
}

function readUnusualQuoted(at: TextCursor, style: 'double' | 'single', column: number | undefined): ScalarNode {
  const start = at.offset
  const close = style === 'double' ? doubleEnd(at) : singleEnd(at)
  if (close === -1) refuse()
  const source = at.text.slice(start + 1, close)
  const written = source.includes('\n') ? joinQuotedLines(source, style, column ?? refuse()) : source
  if (DOUBTFUL.test(written)) refuse()
  at.offset = close + 1
  const text = style === 'single' ? resolveDoubledQuotes(written) : resolveEscapes(written)
  return { type: 'scalar', style, text, start, end: close + 1 }
}

function singleEnd(at: TextCursor): number {
  let close = at.text.indexOf("'", at.offset + 1)
  while (at.text[close + 1] === "'" && close !== -1) close = at.text.indexOf("'", close + 2)
  return close
}

function doubleEnd(at: TextCursor): number {
  let close = at.offset + 1
  while (close < at.text.length && at.text[close] !== '"') close += at.text[close] === '\\' ? 2 : 1
  return close < at.text.length ? close : -1
}

const HEADER = /[|>]([1-9]?)([-+]?)([1-9]?)(?: +#[^\n]*| *)(?:\r?\n|$)/y

/**
 * A literal or folded block scalar; the cursor stands at the start of a line behind it.
 *
 * @param parent  column of the map or dash that the value belongs to
 */
export function readBlockScalar(at: TextCursor, parent: number): ScalarNode {
  const start = at.offset
  const style = at.char() === '|' ? 'literal' : 'folded'
  HEADER.lastIndex = start
  const [header, before = '', chomping = '', behind = ''] = HEADER.exec(at.text) ?? refuse()
  if (before !== '' && behind !== '') refuse()
  const explicit = Number(before + behind)
  const block = readLines(at.text, start + header.length, parent, explicit === 0 ? undefined : parent + explicit)
  const text = chomp(block, chomping, style === 'literal' ? (lines) => lines.join('\n') : foldLines)
  if (DOUBTFUL.test(text)) refuse()
  at.continueAt(block.next)
  const indicators = start + 1 + before.length + chomping.length + behind.length
  const end = chomping === '+' ? block.end : Math.max(block.contentEnd, indicators)
  return { type: 'scalar', style, text, start, end }
}

interface Block {
  readonly lines: readonly string[]
  /** How many of them stand before the blank ones at the end. */
  readonly contentLines: number
  /** Where the last line that is not blank ends; -1 when there is none. */
  readonly contentEnd: number
  /** Where the last line ends. */
  readonly end: number
  readonly next: number
  /** Whether the text ends inside it, without a line break. */
  readonly isOpen: boolean
}

function readLines(text: string, from: number, parent: number, explicit: number | undefined): Block {
  const lines: string[] = []
  let indent = explicit
  let [contentEnd, contentLines, widestBlank, end, next] = [-1, 0, 0, from, from]
  while (next < text.length) {
    const line = lineAt(text, next)
    if (line.isBlank) widestBlank = Math.max(widestBlank, line.spaces)
    else {
      if (line.spaces <= parent) break
      indent ??= line.spaces
      if (line.spaces < indent) refuse()
      contentEnd = line.end
      contentLines = lines.length + 1
    }
    lines.push(line.isBlank ? '' : text.slice(next + (indent ?? 0), line.end))
    end = line.end
    next = line.next
  }
  if (widestBlank > (indent ?? parent)) refuse()
  return { lines, contentLines, contentEnd, end, next, isOpen: contentEnd === text.length }
}

interface Line {
  readonly spaces: number
  readonly isBlank: boolean
  /** Before its line break. */
  readonly end: number
  readonly next: number
}

/** Spaces with which the text ends are left to the full parser. */
function lineAt(text: string, start: number): Line {
  const lineFeed = text.indexOf('\n', start)
  const stop = lineFeed === -1 ? text.length : lineFeed
  const end = text[stop - 1] === '\r' && stop > start ? stop - 1 : stop
  const spaces = countSpaces(text, start, end)
  const isBlank = start + spaces === end
  if (isBlank && lineFeed === -1) refuse()
  return { spaces, isBlank, end, next: Math.min(stop + 1, text.length) }
}

/** Blank lines at the end are content only with `+`; nothing but blank lines is left to the full parser. */
function chomp({ lines, contentLines, contentEnd, isOpen }: Block, chomping: string, join: (lines: readonly string[]) => string): string {
  if (contentEnd === -1) return chomping === '+' || lines.length > 0 ? refuse() : ''
  const content = join(lines.slice(0, contentLines))
  if (chomping === '-' || isOpen) return content
  return chomping === '+' ? `${content}${'\n'.repeat(lines.length - contentLines + 1)}` : `${content}\n`
}

/**
 * Lines of folded text: a break between two of them is a space, blank lines stay breaks; a line that begins with a blank keeps the
 * breaks around it. @see YAML 1.2.2, 8.1.3
 */
function foldLines(lines: readonly string[]): string {
  const parts: string[] = []
  let blankLines = 0
  let wasIndented = true
  for (const line of lines) {
    if (line === '') blankLines++
    else {
      const isIndented = line.startsWith(' ') || line.startsWith('\t')
      const breaks = parts.length === 0 ? blankLines : blankLines + 1
      parts.push(wasIndented || isIndented ? '\n'.repeat(breaks) : fold(blankLines), line)
      wasIndented = isIndented
      blankLines = 0
    }
  }
  return parts.join('')
}

function countSpaces(text: string, from: number, to: number): number {
  let at = from
  while (at < to && text.charCodeAt(at) === SPACE) at++
  return at - from
}
