import { isRecord, type JsonRecord, type JsonValue } from '../../json.ts'
import { emitString } from './quote.ts'

/** Where a value stands: spaces before each of its lines but the first, and whether a list below a key is indented. */
export interface Layout {
  readonly column: number
  readonly sequences: 'wide' | 'compact'
  /** false: no literal blocks, which would take in the comment lines that follow. */
  readonly literals?: boolean | undefined
}

const INDENT = 2

/** YAML 1.2.2, 7.4.2: a key and its colon stand on one line within 1,024 characters; longer ones need the explicit form. */
const MAX_IMPLICIT_KEY = 1000

/**
 * Block-style YAML of a value as it stands behind `- `, or as a whole document: the first line is not indented, the others
 * by `column` spaces. So behind a dash at column 4, `column` is 6. Maps and lists without entries are `{}` and `[]`. No final
 * line feed.
 */
export function emitValue(value: JsonValue, layout: Layout): string {
  return joined((parts) => writeValue(parts, value, layout))
}

/**
 * One entry of a map whose keys stand at `column`: `key: scalar`, `key: {}`, `key: []`, or `key:` and the nested lines.
 * The first line is not indented; no final line feed.
 */
export function emitEntry(key: string, value: JsonValue, layout: Layout): string {
  return joined((parts) => writeEntry(parts, key, value, layout))
}

/** The lines of one item of a list whose dashes stand at `column`, all of them indented, with the final line feed. */
export function emitItem(item: JsonValue, layout: Layout): string {
  return joined((parts) => {
    parts.push(' '.repeat(layout.column))
    writeItem(parts, item, indented(layout))
    parts.push('\n')
  })
}

/** The parts that `write` adds, joined once: a text that is joined level by level is copied at every level. */
function joined(write: (parts: string[]) => void): string {
  const parts: string[] = []
  write(parts)
  return parts.join('')
}

function writeValue(parts: string[], value: JsonValue, layout: Layout): void {
  if (isList(value)) writeList(parts, value, layout)
  else if (isRecord(value)) writeMap(parts, value, layout)
  else parts.push(emitScalar(value, layout.literals === false ? 0 : layout.column))
}

function writeList(parts: string[], items: readonly JsonValue[], layout: Layout): void {
  if (items.length === 0) parts.push('[]')
  const nested = indented(layout)
  let between = ''
  for (const item of items) {
    parts.push(between)
    writeItem(parts, item, nested)
    between = lineBreak(layout)
  }
}

function writeItem(parts: string[], item: JsonValue, nested: Layout): void {
  parts.push('- ')
  writeValue(parts, item, nested)
}

function writeMap(parts: string[], record: JsonRecord, layout: Layout): void {
  const keys = Object.keys(record)
  if (keys.length === 0) parts.push('{}')
  let between = ''
  for (const key of keys) {
    parts.push(between)
    writeEntry(parts, key, record[key] ?? null, layout)
    between = lineBreak(layout)
  }
}

function writeEntry(parts: string[], key: string, value: JsonValue, layout: Layout): void {
  const nested = isList(value) && layout.sequences === 'compact' ? layout : indented(layout)
  parts.push(emitKey(key, layout), isNested(value) ? lineBreak(nested) : ' ')
  writeValue(parts, value, nested)
}

/** Keys as they are written, with their colons: most objects have the keys of others, and each is looked at for quotes once. */
const writtenKeys = new Map<string, string>()
const MAX_WRITTEN_KEYS = 1000

function emitKey(key: string, layout: Layout): string {
  const known = writtenKeys.get(key)
  if (known !== undefined) return known
  const text = emitString(key, 0)
  return text.length <= MAX_IMPLICIT_KEY ? remember(key, `${text}:`) : `? ${text}${lineBreak(layout)}:`
}

function remember(key: string, written: string): string {
  if (writtenKeys.size === MAX_WRITTEN_KEYS) writtenKeys.clear()
  writtenKeys.set(key, written)
  return written
}

/** Where a value stands that is nested in this one; a compact list below a key stands at the column of the key. */
function indented({ column, sequences, literals }: Layout): Layout {
  return { column: column + INDENT, sequences, literals }
}

/** By column: the same few are needed again and again. */
const lineBreaks: string[] = []

function lineBreak({ column }: Layout): string {
  lineBreaks[column] ??= `\n${' '.repeat(column)}`
  return lineBreaks[column]
}

function emitScalar(value: string | number | bigint | boolean | null, column: number): string {
  if (typeof value === 'string') return emitString(value, column)
  return typeof value === 'number' ? emitNumber(value) : String(value)
}

/** Integers beyond 2^53 that are `number` were floats. YAML 1.1 wants a point in every float and a sign in every exponent. */
function emitNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf'
  if (Number.isSafeInteger(value)) return String(value)
  const text = Number.isInteger(value) ? value.toExponential() : String(value)
  return text.replace(/^(-?\d+)e/, '$1.0e')
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** A list or map with entries, which needs lines of its own. */
function isNested(value: JsonValue): boolean {
  return isList(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0
}
