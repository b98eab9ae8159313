import { jsonString } from '../../json.ts'
import { type MapNode, type ScalarNode, sizeOfCollection } from '../read/node.ts'
import { nodeValue } from '../read/node-value.ts'
import {
  type ContentRecord,
  Copied,
  copiedEntries,
  copiedItems,
  type EmittedValue,
  emitCopiedKey,
  emitCopiedScalar,
  emitTag,
  isContentList,
  isContentRecord,
} from './content.ts'
import { emitString, requote } from './quote.ts'

/** The layout of a value: the spaces before each of its lines but the first, and whether a list below a key is indented. */
export interface Layout {
  readonly column: number
  readonly sequences: Sequences
  /** False to write no literal blocks, because comment lines that follow would become part of them. */
  readonly literals?: boolean | undefined
}

/** The indentation of lists below a key: `wide` indents the dashes, `compact` does not. */
export type Sequences = 'wide' | 'compact'

const INDENT = 2

/** The longest key in the form `key: value`. YAML 1.2.2, 7.4.2: such a key has at most 1,024 characters; longer ones need `? `. */
const MAX_IMPLICIT_KEY = 1000

/**
 * Returns a value as block-style YAML, for a place after `- ` or as a whole document. The first line is not indented, the others by
 * `column` spaces: after a dash at column 4, `column` is 6. Empty maps and lists are `{}` and `[]`. Without a final line feed.
 */
export function emitValue(value: EmittedValue, layout: Layout): string {
  const parts: string[] = []
  writeValue(parts, value, layout)
  return parts.join('')
}

/**
 * Returns one entry of a map whose keys are at `column`: `key: scalar`, `key: {}`, `key: []`, or `key:` and the nested lines. The first
 * line is not indented; without a final line feed.
 *
 * @param key  a node of another text keeps its spelling
 */
export function emitEntry(key: string | ScalarNode, value: EmittedValue, layout: Layout): string {
  const parts: string[] = []
  writeEntry(parts, typeof key === 'string' ? emitString(key, 0) : emitCopiedKey(key), value, layout)
  return parts.join('')
}

/** Returns the lines of one item of a list whose dashes are at `column`. All lines are indented; with the final line feed. */
export function emitItem(item: EmittedValue, layout: Layout): string {
  const parts: string[] = [' '.repeat(layout.column), '- ']
  writeValue(parts, item, indented(layout))
  parts.push('\n')
  return parts.join('')
}

/** Adds the text of a value to the parts, which the caller joins once: joining at each level would copy the text at each level. */
function writeValue(parts: string[], value: EmittedValue, layout: Layout): void {
  if (value instanceof Copied) writeCopied(parts, value, layout)
  else if (isContentList(value)) writeList(parts, value, layout)
  else if (isContentRecord(value)) writeMap(parts, value, layout)
  else if (typeof value === 'string') parts.push(emitString(value, layout.literals === false ? 0 : layout.column))
  else parts.push(typeof value === 'number' ? emitNumber(value) : String(value))
}

/** Writes a copied value. A map or list with a tag begins on the line below the tag. */
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
    parts.push(between, '- ')
    writeValue(parts, item, nested)
    between = lineBreak(layout)
  }
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
  const node = value instanceof Copied ? value.node : undefined
  const isCompact = layout.sequences === 'compact' && (isContentList(value) || node?.type === 'sequence')
  const nested = isCompact ? layout : indented(layout)
  parts.push(key.length <= MAX_IMPLICIT_KEY ? `${key}:` : `? ${key}${lineBreak(layout)}:`)
  parts.push(isNested(value) && node?.tag === undefined ? lineBreak(nested) : ' ')
  writeValue(parts, value, nested)
}

/** Returns the layout of a nested value, two columns deeper. `writeEntry` does not call this for a compact list below a key. */
function indented({ column, sequences, literals }: Layout): Layout {
  return { column: column + INDENT, sequences, literals }
}

/** Line breaks with indentation, by column: a cache for the usual columns. */
const LINE_BREAKS: readonly string[] = Array.from({ length: 64 }, (_, column) => `\n${' '.repeat(column)}`)

function lineBreak({ column }: Layout): string {
  return LINE_BREAKS[column] ?? `\n${' '.repeat(column)}`
}

/**
 * Returns a number as YAML. A `number` beyond 2^53 was a float, so it stays one: YAML 1.1 requires a point in every float and a sign in
 * every exponent.
 */
function emitNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf'
  if (Number.isSafeInteger(value)) return String(value)
  const text = Number.isInteger(value) ? value.toExponential() : String(value)
  return text.replace(/^(-?\d+)e/, '$1.0e')
}

/** Returns true for a list or map with entries, which needs lines of its own. */
export function isNested(value: EmittedValue): boolean {
  if (value instanceof Copied) return sizeOfCollection(value.node) > 0
  return isContentList(value) ? value.length > 0 : isContentRecord(value) && Object.keys(value).length > 0
}

/**
 * Returns a value on one line, for an addition to a text that is JSON. A copied number keeps its digits; `.inf` and `.nan` become texts.
 */
export function emitJson(value: EmittedValue): string {
  if (value instanceof Copied) return emitCopiedJson(value.node)
  if (isContentList(value)) return `[${value.map(emitJson).join(', ')}]`
  if (isContentRecord(value)) {
    const entries = Object.entries(value).map(([key, member]) => emitJsonEntry(key, member))
    return `{${entries.join(', ')}}`
  }
  if (typeof value === 'string') return jsonString(value)
  // JSON has no infinity and no NaN: a text has the word that a reader of YAML knows.
  return typeof value !== 'number' ? String(value) : Number.isFinite(value) ? emitNumber(value) : jsonString(emitNumber(value))
}

/** Returns an entry of a JSON object: `"key": value`. */
export function emitJsonEntry(key: string, value: EmittedValue): string {
  return `${jsonString(key)}: ${emitJson(value)}`
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

function emitCopiedJson(node: Copied['node']): string {
  if (node.type === 'sequence') return `[${copiedItems(node).map(emitJson).join(', ')}]`
  if (node.type === 'map')
    return `{${copiedEntries(node)
      .map(({ key, value }) => emitJsonEntry(key.text, value))
      .join(', ')}}`
  const value = nodeValue(node)
  return typeof value === 'number' && JSON_NUMBER.test(node.text) ? node.text : typeof value === 'object' ? 'null' : emitJson(value)
}

/** Matches a text that needs no quotes between brackets. */
const SAFE = /^[A-Za-z0-9_./-]+$/

/** Returns a value on one line, for an addition to an existing flow collection. */
export function emitFlow(value: EmittedValue): string {
  if (value instanceof Copied) return emitCopied(value.node)
  if (isContentList(value)) return `[${value.map(emitFlow).join(', ')}]`
  if (isContentRecord(value)) {
    const entries = Object.entries(value).map(([key, member]) => emitFlowEntry(key, member))
    return `{${entries.join(', ')}}`
  }
  return typeof value === 'string' ? emitFlowString(value) : emitValue(value, { column: 0, sequences: 'compact' })
}

/** Returns an entry of a flow map: `key: value`. */
export function emitFlowEntry(key: string | ScalarNode, value: EmittedValue): string {
  return `${typeof key === 'string' ? emitFlowString(key) : emitCopiedKey(inFlow(key))}: ${emitFlow(value)}`
}

function emitFlowString(text: string): string {
  const plain = emitValue(text, { column: 0, sequences: 'compact' })
  return plain === text && SAFE.test(text) ? text : (requote(text, 'double', 0) ?? JSON.stringify(text))
}

function emitCopied(node: Copied['node']): string {
  if (node.type === 'scalar') return emitCopiedScalar(inFlow(node), 0)
  const tag = node.tag === undefined ? '' : `${emitTag(node.tag)} `
  if (node.type === 'sequence') return `${tag}[${copiedItems(node).map(emitFlow).join(', ')}]`
  const entries = copiedEntries(node).map(({ key, value }) => emitFlowEntry(key, value))
  return `${tag}{${entries.join(', ')}}`
}

/** Returns the scalar in double quotes if it is a block scalar, or if a bracket, comma or final colon would end it. */
function inFlow(scalar: ScalarNode): ScalarNode {
  const isQuoted = scalar.style === 'single' || scalar.style === 'double'
  return isQuoted || (scalar.style === 'plain' && !/[[\]{},]|:$/.test(scalar.text)) ? scalar : { ...scalar, style: 'double' }
}
