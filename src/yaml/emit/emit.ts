import { type MapNode, type ScalarNode, sizeOfCollection } from '../read/node.ts'
import { type ContentRecord, Copied, type EmittedValue, isContentList, isContentRecord } from './content.ts'
import { copiedEntries, copiedItems, emitCopiedKey, emitCopiedScalar, emitTag } from './copied.ts'
import { emitString } from './quote.ts'

/** Where a value stands: spaces before each of its lines but the first, and whether a list below a key is indented. */
export interface Layout {
  readonly column: number
  readonly sequences: Sequences
  /** false: no literal blocks, which would take in the comment lines that follow. */
  readonly literals?: boolean | undefined
}

/** How lists below a key are indented. */
export type Sequences = 'wide' | 'compact'

const INDENT = 2

/** YAML 1.2.2, 7.4.2: a key and its colon stand on one line within 1,024 characters; longer ones need the explicit form. */
const MAX_IMPLICIT_KEY = 1000

/**
 * Block-style YAML of a value as it stands behind `- `, or as a whole document: the first line is not indented, the others
 * by `column` spaces. So behind a dash at column 4, `column` is 6. Maps and lists without entries are `{}` and `[]`. No final
 * line feed.
 */
export function emitValue(value: EmittedValue, layout: Layout): string {
  return joined((parts) => writeValue(parts, value, layout))
}

/**
 * One entry of a map whose keys stand at `column`: `key: scalar`, `key: {}`, `key: []`, or `key:` and the nested lines.
 * The first line is not indented; no final line feed.
 *
 * @param key  one of another text is spelled as it is there
 */
export function emitEntry(key: string | ScalarNode, value: EmittedValue, layout: Layout): string {
  return joined((parts) => writeEntry(parts, typeof key === 'string' ? emitString(key, 0) : emitCopiedKey(key), value, layout))
}

/** The lines of one item of a list whose dashes stand at `column`, all of them indented, with the final line feed. */
export function emitItem(item: EmittedValue, layout: Layout): string {
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

function writeValue(parts: string[], value: EmittedValue, layout: Layout): void {
  if (value instanceof Copied) writeCopied(parts, value, layout)
  else if (isContentList(value)) writeList(parts, value, layout)
  else if (isContentRecord(value)) writeMap(parts, value, layout)
  else parts.push(emitScalar(value, layout.literals === false ? 0 : layout.column))
}

/** A map or list with a tag begins on the line below it. */
function writeCopied(parts: string[], copied: Copied, layout: Layout): void {
  const { node } = copied
  if (node.type === 'scalar') {
    parts.push(emitCopiedScalar(node, layout.literals === false ? 0 : layout.column))
    return
  }
  if (node.tag !== undefined) parts.push(emitTag(node.tag), isNested(copied) ? lineBreak(layout) : ' ')
  if (node.type === 'sequence') writeList(parts, copiedItems(node), layout)
  else writeCopiedMap(parts, node, layout)
}

function writeList(parts: string[], items: readonly EmittedValue[], layout: Layout): void {
  if (items.length === 0) parts.push('[]')
  const nested = indented(layout)
  let between = ''
  for (const item of items) {
    parts.push(between)
    writeItem(parts, item, nested)
    between = lineBreak(layout)
  }
}

function writeItem(parts: string[], item: EmittedValue, nested: Layout): void {
  parts.push('- ')
  writeValue(parts, item, nested)
}

function writeMap(parts: string[], record: ContentRecord, layout: Layout): void {
  const keys = Object.keys(record)
  if (keys.length === 0) parts.push('{}')
  let between = ''
  for (const key of keys) {
    parts.push(between)
    writeEntry(parts, emitString(key, 0), record[key] ?? null, layout)
    between = lineBreak(layout)
  }
}

function writeCopiedMap(parts: string[], map: MapNode, layout: Layout): void {
  const entries = copiedEntries(map)
  if (entries.length === 0) parts.push('{}')
  let between = ''
  for (const { key, value } of entries) {
    parts.push(between)
    writeEntry(parts, emitCopiedKey(key), value, layout)
    between = lineBreak(layout)
  }
}

function writeEntry(parts: string[], key: string, value: EmittedValue, layout: Layout): void {
  const nested = isCompact(value, layout) ? layout : indented(layout)
  parts.push(key.length <= MAX_IMPLICIT_KEY ? `${key}:` : `? ${key}${lineBreak(layout)}:`)
  parts.push(isNested(value) && tagOf(value) === undefined ? lineBreak(nested) : ' ')
  writeValue(parts, value, nested)
}

function isCompact(value: EmittedValue, { sequences }: Layout): boolean {
  return sequences === 'compact' && (isContentList(value) || (value instanceof Copied && value.node.type === 'sequence'))
}

/** Where a value stands that is nested in this one; a compact list below a key stands at the column of the key. */
function indented({ column, sequences, literals }: Layout): Layout {
  return { column: column + INDENT, sequences, literals }
}

/** By column: the same few are needed again and again. */
const LINE_BREAKS: readonly string[] = Array.from({ length: 64 }, (_, column) => `\n${' '.repeat(column)}`)

function lineBreak({ column }: Layout): string {
  return LINE_BREAKS[column] ?? `\n${' '.repeat(column)}`
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

function tagOf(value: EmittedValue): string | undefined {
  return value instanceof Copied ? value.node.tag : undefined
}

/** Whether a value is a list or map with entries, which needs lines of its own. */
export function isNested(value: EmittedValue): boolean {
  if (value instanceof Copied) return sizeOfCollection(value.node) > 0
  return isContentList(value) ? value.length > 0 : isContentRecord(value) && Object.keys(value).length > 0
}
