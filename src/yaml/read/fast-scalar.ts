import { HASH, SPACE, TAB } from './character.ts'
import { resolveDoubledQuotes, resolveEscapes } from './escapes.ts'
import { foldLines } from './fold.ts'
import { LongText } from './long-text.ts'
import type { ScalarNode } from './node.ts'
import { joinQuotedLines } from './quoted-lines.ts'
import { REFUSAL, refuse, TextCursor } from './text-cursor.ts'

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
 * Returns the block scalar at an offset of a text, whose header says how far it is indented; undefined where its text is one that the fast
 * reader leaves to the library. The library takes the first line of such a scalar for its indentation when it looks for its end, so that
 * it loses spaces at its end and scalars of nothing but spaces.
 *
 * @param parent  column of the map or dash that the value belongs to
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
  /** Up to the last line that is not blank, without its break. */
  readonly content: string
  /** How many stand behind that. */
  readonly blankLines: number
  /** Where the last line that is not blank ends; -1 when there is none. */
  readonly contentEnd: number
  /** Where the last line ends. */
  readonly end: number
  readonly next: number
  /** Whether the text ends inside it, without a line break. */
  readonly isOpen: boolean
}

/** What stands between two lines that so many blank ones part; a line is indented that begins with a blank. */
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
  /** Whether the header names the indentation. */
  readonly isExplicit: boolean
}

/**
 * Whether a scalar ends above a line. A comment may be deeper than the parent where it is not as deep as the scalar (YAML 1.2.2, 8.1.1.2).
 * Blanks with which the text ends are no line; without a named indentation they are left to the full parser.
 */
function isBehind(text: string, { start, spaces, isBlank, end }: Line, { parent, indent, isExplicit }: Depth): boolean {
  if (isBlank && spaces <= indent) return end === text.length && (isExplicit || refuse())
  if (spaces <= parent) return true
  return spaces < indent && (text.charCodeAt(start + spaces) === HASH || refuse())
}

/** The indentation of the first line that is not blank, than which no blank line before it is wider. */
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
  /** Before its line break. */
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

/** Blank lines at the end are content only with `+`; nothing but blank lines is left to the full parser. */
function chomp({ content, blankLines, contentEnd, isOpen }: Block, chomping: string): string {
  if (contentEnd === -1) return chomping === '+' || blankLines > 0 ? refuse() : ''
  if (chomping === '-' || isOpen) return content
  return chomping === '+' ? `${content}${'\n'.repeat(blankLines + 1)}` : `${content}\n`
}

function literalJoint(blankLines: number): string {
  return '\n'.repeat(blankLines + 1)
}

/** A break between two lines is a space, blank lines stay breaks; an indented line keeps the breaks around it. @see YAML 1.2.2, 8.1.3 */
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
