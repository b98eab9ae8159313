import { CARRIAGE_RETURN, DASH, LINE_FEED, SPACE } from '../yaml/read/character.ts'
import { hasOddBreak, lineBelow } from '../yaml/read/lines.ts'
import { MAX_ITEMS } from './limits.ts'
import { WireError } from './wire-error.ts'

/** A root key of the wrapper and the text of its lines. The text before the first key has the key ''. */
export interface Piece {
  readonly key: string
  readonly text: string
}

/**
 * A ResourceList in parts: its root keys in order, and one slice of text for each of `items`.
 * All pieces and slices, joined in order, are the whole text.
 */
export interface Cut {
  readonly pieces: readonly Piece[]
  readonly slices: readonly string[]
  /** Number of spaces before the dash of an item. */
  readonly column: number
  /** True if the slices are values without a dash (JSON): a changed list must then be printed in block style. */
  readonly bareItems: boolean
  /** True if the pieces are values without their keys (JSON). */
  readonly bareRoot: boolean
}

export const ROOT_KEYS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'items', 'functionConfig', 'results'])

const ROOT_KEY = /([A-Za-z]+):(?=[ \r\n]|$)/y
/** Matches `items:` with the list on the lines below, or with `[]`. */
const ITEMS_LINE = /items: *(?:(\[\]) *)?(?:\r?\n|$)/y
/** First characters of the lines allowed before the first root key: blank lines and comments. */
const BEFORE_KEYS = new Set([...'\r\n#'].map((char) => char.charCodeAt(0)))
/**
 * First characters of lines that belong to the key or item above: indented lines, blank lines, comments, and the lines of
 * go-yaml's flow collections that begin in column 0.
 */
const CONTINUES = new Set([...' \r\n#}],{['].map((char) => char.charCodeAt(0)))

/**
 * Cuts a list in kpt's layout line by line, without parsing. Returns undefined for any other layout; `cutUnusual` parses those texts.
 * No cut can fall inside a scalar: the lines of block and flow values are indented deeper than the dash of their item (YAML 1.2
 * productions 170-182). A byte order mark belongs to the text before the first key.
 *
 * @throws WireError  if there are too many items
 */
export function cutList(text: string): Cut | undefined {
  if (text.startsWith('%') || hasOddBreak(text)) return undefined
  const starts: RootStart[] = []
  const dashes: number[] = []
  let passes = BEFORE_KEYS
  let inItems = false
  // Only the lines that begin in column 0 with a root key, or with the dash of an item, are looked at; all others belong to these.
  FIRST_LINE.lastIndex = 0
  FIRST_LINE.test(text)
  for (let line = FIRST_LINE.lastIndex; line < text.length; line = lineBelow(text, line)) {
    const code = text.charCodeAt(line)
    if (passes.has(code)) continue
    if (inItems && code === DASH && isDash(text, line)) {
      if (starts.at(-1)?.key === 'items') dashes.push(line)
      continue
    }
    const key = keyAt(text, line)
    if (key === undefined || starts.some((start) => start.key === key)) return undefined
    starts.push({ key, at: line })
    passes = CONTINUES
    inItems = key === 'items' || key === 'results'
  }
  return assemble(text, { starts, dashes })
}

/** Matches the start of every text, with a byte order mark and a `---` line if they are there. */
const FIRST_LINE = /\ufeff?(?:---\r?\n)?/y

interface RootStart {
  readonly key: string
  readonly at: number
}

/** The lines of a list that begin in column 0: its root keys, and the dashes of its items. */
interface RootLines {
  readonly starts: readonly RootStart[]
  readonly dashes: readonly number[]
}

/** Returns the root key that a line begins with; undefined for a line that begins with no known root key. */
function keyAt(text: string, line: number): string | undefined {
  ROOT_KEY.lastIndex = line
  const key = ROOT_KEY.exec(text)?.[1]
  return key !== undefined && ROOT_KEYS.has(key) ? key : undefined
}

function assemble(text: string, { starts, dashes }: RootLines): Cut | undefined {
  const pieces: Piece[] = [{ key: '', text: text.slice(0, starts[0]?.at ?? text.length) }]
  let slices: readonly string[] = []
  let column = 0
  for (const [index, { key, at }] of starts.entries()) {
    const end = starts[index + 1]?.at ?? text.length
    const items = key === 'items' ? cutItems(text, { at, end }, dashes) : undefined
    if (key === 'items' && items === undefined) return undefined
    pieces.push({ key, text: text.slice(at, items?.first ?? end) })
    slices = items?.slices ?? slices
    column = items?.column ?? column
  }
  return { pieces, slices, column, bareItems: false, bareRoot: false }
}

interface Items {
  readonly first: number
  readonly slices: readonly string[]
  readonly column: number
}

/** @param atRoot  the dashes of the items that begin in column 0 */
function cutItems(text: string, { at, end }: { readonly at: number; readonly end: number }, atRoot: readonly number[]): Items | undefined {
  ITEMS_LINE.lastIndex = at
  const header = ITEMS_LINE.exec(text)
  if (header === null) return undefined
  const first = firstContent(text, at + header[0].length, end)
  if (first === end) return header[1] === undefined ? undefined : { first: end, slices: [], column: 0 }
  const column = contentColumn(text, first)
  if (header[1] !== undefined) return undefined
  const cuts = column === 0 ? atRoot : dashes(text, { first, end, column })
  if (cuts !== undefined) refuseTooMany(cuts)
  return cuts?.[0] !== first ? undefined : { first, slices: cuts.map((cut, index) => text.slice(cut, cuts[index + 1] ?? end)), column }
}

interface ItemLines {
  readonly first: number
  readonly end: number
  readonly column: number
}

function refuseTooMany(cuts: readonly number[]): void {
  if (cuts.length > MAX_ITEMS) throw new WireError(`expected at most ${MAX_ITEMS} items, found more`)
}

/** Returns the offsets of the lines that begin an item, or undefined if a line neither begins nor continues an item. */
function dashes(text: string, { first, end, column }: ItemLines): readonly number[] | undefined {
  const cuts: number[] = []
  for (let line = first; line < end; line = lineBelow(text, line)) {
    const depth = contentColumn(text, line)
    const code = text.charCodeAt(line + depth)
    if (depth > column || line + depth >= text.length || CONTINUES.has(code)) continue
    if (depth < column || !isDash(text, line + depth)) return undefined
    cuts.push(line)
    refuseTooMany(cuts)
  }
  return cuts
}

/** Returns the start of the first line that is neither blank nor a comment; at most `end`. */
function firstContent(text: string, from: number, end: number): number {
  let line = from
  while (line < end && /[\r\n#]/.test(text[line + contentColumn(text, line)] ?? '\n')) line = lineBelow(text, line)
  return Math.min(line, end)
}

function contentColumn(text: string, line: number): number {
  let at = line
  while (text.charCodeAt(at) === SPACE) at++
  return at - line
}

function isDash(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1)
  return text.charCodeAt(at) === DASH && (next === SPACE || next === LINE_FEED || next === CARRIAGE_RETURN || Number.isNaN(next))
}
