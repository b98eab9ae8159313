import { HASH, SPACE, TAB } from './character.ts'
import { foldLines, LongText } from './folded-text.ts'
import type { ScalarNode } from './node.ts'
import { joinQuotedLines, resolveDoubledQuotes, resolveEscapes } from './quoted-text.ts'
import { REFUSAL, refuse, TextCursor } from './text-cursor.ts'

/** Matches control characters except tabs, and the line breaks of YAML 1.1: left to the full parser. */
const DOUBTFUL = /[^\t\n -~\x80-\x84\x86-\u2027\u202a-\ufefe\uff00-\uffff]/
/** Match the usual quoted scalars: ASCII without escapes. */
const USUAL_SINGLE = /'[ -&(-~]*'(?!')/y
const USUAL_DOUBLE = /"[ !#-[\]-~]*"/y

/**
 * Reads a single- or double-quoted scalar, and moves the cursor after the closing quote.
 *
 * @param column  of the key or dash of the scalar: further lines must be deeper; absent: further lines are refused
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
  if (source.includes('\n') && source.includes('\t')) refuse()
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

const HEADER = /[|>]([1-9]?)([-+]?)([1-9]?)(?:[ \t]+#[^\n]*|[ \t]*)(?:\r?\n|$)/y

/**
 * Reads a literal or folded block scalar, and moves the cursor to the start of the line after it.
 *
 * @param parent  column of the key or dash of the scalar
 */
export function readBlockScalar(at: TextCursor, parent: number): ScalarNode {
  const start = at.offset
  const style = at.char() === '|' ? 'literal' : 'folded'
  HEADER.lastIndex = start
  const [header, before = '', chomping = '', behind = ''] = HEADER.exec(at.text) ?? refuse()
  if (before !== '' && behind !== '') refuse()
  const explicit = Number(before + behind)
  const joint = style === 'literal' ? literalJoint : foldedJoint
  const block = readLines(at.text, start + header.length, parent, explicit === 0 ? undefined : parent + explicit, joint)
  const text = chomp(block, chomping)
  if (DOUBTFUL.test(text)) refuse()
  at.continueAt(block.next)
  const indicators = start + 1 + before.length + chomping.length + behind.length
  const end = chomping === '+' ? block.end : Math.max(block.contentEnd, indicators)
  return { type: 'scalar', style, text, start, end }
}

/**
 * Returns the block scalar at an offset of a text if its header gives the indentation (`|2`); undefined for other headers, and for texts
 * that the fast reader leaves to the library. The library takes the indentation of the first line for that of such a scalar when it looks
 * for the end, so it loses trailing spaces, and scalars of only spaces.
 *
 * @param parent  column of the key or dash of the scalar
 */
export function explicitBlock(text: string, start: number, parent: number): ScalarNode | undefined {
  if (!/^[|>][-+]?[1-9]/.test(text.slice(start, start + 3))) return undefined
  const at = new TextCursor(text)
  at.offset = start
  try {
    return readBlockScalar(at, parent)
  } catch (error) {
    if (error === REFUSAL) return undefined
    throw error
  }
}

interface Block {
  /** The text up to the last line that is not blank, without the final line break. */
  readonly content: string
  /** The number of blank lines after the content. */
  readonly blankLines: number
  /** The end of the last line that is not blank; -1 when there is none. */
  readonly contentEnd: number
  /** The end of the last line. */
  readonly end: number
  readonly next: number
  /** True if the text ends inside the scalar, without a line break. */
  readonly isOpen: boolean
}

/** Returns the text between two lines with `blankLines` blank lines between them. A line that begins with a blank is indented. */
type Joint = (blankLines: number, isIndented: boolean, wasIndented: boolean) => string

function readLines(text: string, from: number, parent: number, explicit: number | undefined, joint: Joint): Block {
  const indent = explicit ?? firstIndent(text, from, parent)
  const content = new LongText()
  let wasIndented = true
  let [contentEnd, blankLines, end, next] = [-1, 0, from, from]
  while (next < text.length) {
    const line = lineAt(text, next)
    if (isBehind(text, line, { parent, indent, isExplicit: explicit !== undefined })) break
    if (line.isBlank && line.spaces <= indent) blankLines++
    else {
      const isIndented = isIndentedAt(text, next + indent)
      content.add(contentEnd === -1 ? '\n'.repeat(blankLines) : joint(blankLines, isIndented, wasIndented))
      content.add(text.slice(next + indent, line.end))
      contentEnd = line.end
      wasIndented = isIndented
      blankLines = 0
    }
    end = line.end
    next = line.next
  }
  return { content: content.text(), blankLines, contentEnd, end, next, isOpen: contentEnd === text.length }
}

interface Depth {
  readonly parent: number
  readonly indent: number
  /** True if the header gives the indentation. */
  readonly isExplicit: boolean
}

/**
 * Returns true if a scalar ends before a line. A comment after the scalar may be deeper than the parent if it is less deep than the scalar
 * (YAML 1.2.2, 8.1.1.2). Blanks at the end of the text are no line; without an indentation in the header they are left to the full parser.
 */
function isBehind(text: string, { start, spaces, isBlank, end }: Line, { parent, indent, isExplicit }: Depth): boolean {
  if (isBlank && spaces <= indent) return end === text.length && (isExplicit || refuse())
  if (spaces <= parent) return true
  return spaces < indent && (text.charCodeAt(start + spaces) === HASH || refuse())
}

/** Returns the indentation of the first line that is not blank. Refuses a wider blank line before it. */
function firstIndent(text: string, from: number, parent: number): number {
  let widestBlank = 0
  for (let next = from; next < text.length; ) {
    const line = lineAt(text, next)
    if (!line.isBlank && line.spaces > parent) return widestBlank > line.spaces ? refuse() : line.spaces
    if (!line.isBlank) break
    widestBlank = Math.max(widestBlank, line.spaces)
    next = line.next
  }
  return widestBlank > parent ? refuse() : parent + 1
}

interface Line {
  readonly start: number
  readonly spaces: number
  readonly isBlank: boolean
  /** The end of the line, before its line break. */
  readonly end: number
  readonly next: number
}

function lineAt(text: string, start: number): Line {
  const lineFeed = text.indexOf('\n', start)
  const stop = lineFeed === -1 ? text.length : lineFeed
  const end = text[stop - 1] === '\r' && stop > start ? stop - 1 : stop
  const spaces = countSpaces(text, start, end)
  return { start, spaces, isBlank: start + spaces === end, end, next: Math.min(stop + 1, text.length) }
}

/** Returns the value: keeps blank lines at the end only for `+`. A scalar of only blank lines is left to the full parser. */
function chomp({ content, blankLines, contentEnd, isOpen }: Block, chomping: string): string {
  if (contentEnd === -1) return chomping === '+' || blankLines > 0 ? refuse() : ''
  if (chomping === '-' || isOpen) return content
  return chomping === '+' ? `${content}${'\n'.repeat(blankLines + 1)}` : `${content}\n`
}

function literalJoint(blankLines: number): string {
  return '\n'.repeat(blankLines + 1)
}

/**
 * Returns the text between two lines of a folded scalar: a space for a line break, line feeds for blank lines. Line breaks beside an
 * indented line stay. @see YAML 1.2.2, 8.1.3
 */
function foldedJoint(blankLines: number, isIndented: boolean, wasIndented: boolean): string {
  return wasIndented || isIndented ? '\n'.repeat(blankLines + 1) : foldLines(blankLines)
}

function isIndentedAt(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset)
  return code === SPACE || code === TAB
}

function countSpaces(text: string, from: number, to: number): number {
  let at = from
  while (at < to && text.charCodeAt(at) === SPACE) at++
  return at - from
}
