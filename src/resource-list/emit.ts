import { isRecord, type JsonValue } from '../json.ts'
import { emitString } from './quote.ts'

/** Where a value stands: spaces before each of its lines but the first, and whether a list below a key is indented. */
export interface Layout {
  readonly column: number
  readonly sequences: 'wide' | 'compact'
  /** false: no literal blocks, which would take in the comment lines that follow. */
  readonly literals?: boolean
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
  if (isList(value)) return isNested(value) ? emitLines(value, layout, emitItem) : '[]'
  if (isRecord(value)) return isNested(value) ? emitLines(Object.entries(value), layout, emitPair) : '{}'
  return emitScalar(value, layout.literals === false ? 0 : layout.column)
}

/**
 * One entry of a map whose keys stand at `column`: `key: scalar`, `key: {}`, `key: []`, or `key:` and the nested lines.
 * The first line is not indented; no final line feed.
 */
export function emitEntry(key: string, value: JsonValue, layout: Layout): string {
  const nested = { ...layout, column: nestedColumn(value, layout) }
  return `${emitKey(key, layout)}${isNested(value) ? lineBreak(nested) : ' '}${emitValue(value, nested)}`
}

function emitPair([key, value]: readonly [string, JsonValue], layout: Layout): string {
  return emitEntry(key, value, layout)
}

function emitItem(item: JsonValue, layout: Layout): string {
  return `- ${emitValue(item, { ...layout, column: layout.column + INDENT })}`
}

function emitLines<T>(parts: readonly T[], layout: Layout, emit: (part: T, layout: Layout) => string): string {
  return parts.map((part) => emit(part, layout)).join(lineBreak(layout))
}

function emitKey(key: string, layout: Layout): string {
  const text = emitString(key, 0)
  return text.length <= MAX_IMPLICIT_KEY ? `${text}:` : `? ${text}${lineBreak(layout)}:`
}

/** A compact list stands at the column of its key, everything else two further. */
function nestedColumn(value: JsonValue, { column, sequences }: Layout): number {
  return isList(value) && sequences === 'compact' ? column : column + INDENT
}

function lineBreak(layout: Layout): string {
  return `\n${' '.repeat(layout.column)}`
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
