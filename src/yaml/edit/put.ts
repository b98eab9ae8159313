import type { FieldPath } from '../../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../../json.ts'
import { emitEntry, emitValue, type Layout } from '../emit/emit.ts'
import { emitFlow, emitFlowEntry } from '../emit/emit-flow.ts'
import { requote } from '../emit/quote.ts'
import { type MapNode, type Node, nodesAlong, type SequenceNode } from '../read/node.ts'
import { blockEnd, columnOf, isFirstOnLine, lineEnd, lineStart, ownCommentStart, type Place, placeOf } from './place.ts'
import { applySplices, type Splice } from './splice.ts'

/** How lists below a key are indented where the text around says nothing. */
export type Sequences = Layout['sequences']

/**
 * The text with the value at a path replaced, or added at the end of its map or list; what is missing on the way is made.
 * Comments of the line stay.
 *
 * @param root  what a reader made of `text`
 */
export function put(text: string, root: Node, path: FieldPath, value: JsonValue, sequences: Sequences): string {
  const nodes = nodesAlong(root, path)
  const known = path.slice(0, nodes.length - 1)
  const parent = nodes.at(-1) ?? root
  const missing = path.slice(known.length)
  const [step] = missing
  if (step === undefined) return replace(text, placeOf(text, root, path), value, sequences)
  if (parent.type === 'map' && parent.entries.length > 0) {
    return addEntry(text, parent, isInFlow(text, root, known), String(step), nest(missing.slice(1), value), sequences)
  }
  if (parent.type === 'sequence' && parent.items.length > 0) return insert(text, root, path, nest(missing.slice(1), value), sequences)
  return replace(text, placeOf(text, root, known), nest(missing, value), sequences)
}

/** A value with the maps and lists around it that a path names. */
function nest(path: FieldPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, step) => (typeof step === 'number' ? [inner] : Object.fromEntries([[step, inner]])), value)
}

function isInFlow(text: string, root: Node, path: FieldPath): boolean {
  return placeOf(text, root, path).inFlow
}

function addEntry(text: string, map: MapNode, inFlow: boolean, key: string, value: JsonValue, sequences: Sequences): string {
  const end = map.entries.at(-1)?.value.end ?? map.end
  if (map.flow || inFlow) return applySplices(text, [{ start: end, end, text: `, ${emitFlowEntry(key, value)}` }])
  const column = columnOf(text, map.start)
  const at = blockEnd(text, end, column)
  return applySplices(text, [{ start: at, end: at, text: lineBelow(text, at, column, emitEntry(key, value, { column, sequences })) }])
}

/** The text with an entry put into a list, before the position that ends the path, or at its end. */
export function insert(text: string, root: Node, path: FieldPath, value: JsonValue, sequences: Sequences): string {
  const known = path.slice(0, -1)
  const list = nodesAlong(root, known).at(-1)
  const index = Number(path.at(-1))
  if (list?.type !== 'sequence' || list.items.length === 0) return put(text, root, known, [value], sequences)
  if (list.flow || isInFlow(text, root, known)) return insertFlow(text, list, index, value)
  const column = columnOf(text, list.items[0]?.dash ?? list.start)
  const entry = `- ${emitValue(value, { column: column + 2, sequences })}`
  const before = list.items[index - 1]
  if (before === undefined) return insertFirst(text, list.start, column, entry)
  const at = blockEnd(text, before.value.end, column)
  return applySplices(text, [{ start: at, end: at, text: lineBelow(text, at, column, entry) }])
}

/** Before the comments that belong to the entry that was the first. */
function insertFirst(text: string, dash: number, column: number, entry: string): string {
  const indent = ' '.repeat(column)
  if (!isFirstOnLine(text, dash)) return applySplices(text, [{ start: dash, end: dash, text: `${entry}\n${indent}` }])
  const at = ownCommentStart(text, dash)
  return applySplices(text, [{ start: at, end: at, text: `${indent}${entry}\n`.replaceAll('\n', newline(text, lineEnd(text, dash))) }])
}

/** What is put below the line that ends at an offset, in the line ends of that line. */
function lineBelow(text: string, at: number, column: number, written: string): string {
  return `\n${' '.repeat(column)}${written}`.replaceAll('\n', newline(text, at))
}

function insertFlow(text: string, list: SequenceNode, index: number, value: JsonValue): string {
  const next = list.items[index]
  const at = next?.dash ?? list.items.at(-1)?.value.end ?? list.start + 1
  const entry = next === undefined ? `, ${emitFlow(value)}` : `${emitFlow(value)}, `
  return applySplices(text, [{ start: at, end: at, text: entry }])
}

/** The text with one value in the place of another. */
export function replace(text: string, place: Place, value: JsonValue, sequences: Sequences): string {
  if (place.inFlow) return replaceInline(text, place, flowText(place, value))
  const old = extent(text, place)
  const literals = blockEnd(text, old.body.end, place.column) === old.body.end
  const [head, ...body] = render(text, place, value, { sequences, literals }).split('\n')
  if (head === '' && isOnLineBelow(text, place))
    return applySplices(text, [{ ...lineOf(text, old.head), text: lines(text, old.head.end, body) }])
  const start = head === '' || standsBehindTab(text, place) ? place.lead : old.head.start
  const splices: Splice[] = [
    { start, end: old.head.end, text: head === '' || start <= 0 || /[ \n]/.test(text[start - 1] ?? ' ') ? (head ?? '') : ` ${head}` },
    { ...old.body, text: lines(text, old.body.start, body) },
  ]
  return applySplices(text, splices)
}

/** Whether a value stands on a line of its own, with room for comments between it and its key. */
function isOnLineBelow(text: string, { node, lead }: Place): boolean {
  return !isBlockCollection(node) && node.start > lead && lineStart(text, node.start) > lead
}

/** Whether nothing but blanks, a tab among them, is between a value and its key or dash: a map or list cannot begin there. */
function standsBehindTab(text: string, { node, lead }: Place): boolean {
  const between = text.slice(lead, node.start)
  return between.includes('\t') && between.trim() === ''
}

/** From the end of the line before. */
function lineOf(text: string, { start, end }: Extent['head']): Extent['head'] {
  return { start: lineEnd(text, lineStart(text, lineStart(text, start) - 1)), end }
}

function lines(text: string, at: number, body: readonly string[]): string {
  return body.map((line) => `${newline(text, at)}${line}`).join('')
}

function flowText({ node }: Place, value: JsonValue): string {
  const kept = typeof value === 'string' && node.type === 'scalar' && node.style !== 'plain' ? requote(value, node.style, 0) : undefined
  return kept ?? emitFlow(value)
}

function replaceInline(text: string, { node, lead }: Place, written: string): string {
  const missing = node.start === node.end
  const separator = missing && node.start === lead ? (text[lead - 1] === ':' ? ' ' : ': ') : ''
  return applySplices(text, [{ start: node.start, end: node.end, text: separator + written }])
}

interface Extent {
  /** What stands on the line of the key or dash. */
  readonly head: { readonly start: number; readonly end: number }
  /** The lines below, from the end of the first line; without such lines the place where they would begin. */
  readonly body: { readonly start: number; readonly end: number }
}

/** Which text a value takes. */
function extent(text: string, { node, lead, column, holder }: Place): Extent {
  const start =
    node.tag === undefined || node.anchor !== undefined ? node.start : lead + (/^ */.exec(text.slice(lead, node.start))?.[0].length ?? 0)
  if (isBlockCollection(node)) {
    const end = blockEnd(text, node.end, column)
    const inline = holder === 'item' && lineStart(text, node.start) === lineStart(text, lead)
    if (inline) return { head: { start: node.start, end }, body: { start: end, end } }
    const properties = /^(?:[ \t]+[!&]\S*)*/.exec(text.slice(lead, node.start))?.[0].length ?? 0
    return { head: { start: lead, end: lead + properties }, body: { start: lineEnd(text, lead), end } }
  }
  if (node.type === 'scalar' && (node.style === 'literal' || node.style === 'folded')) {
    const header = /^[|>][-+0-9]*/.exec(text.slice(node.start, node.end))?.[0].length ?? 0
    return {
      head: { start, end: node.start + header },
      body: { start: lineEnd(text, node.start), end: Math.max(node.end, lineEnd(text, node.start)) },
    }
  }
  const end = lineEnd(text, node.end)
  return { head: { start, end: node.end }, body: { start: end, end } }
}

function isBlockCollection(node: Node): boolean {
  return (node.type === 'map' || node.type === 'sequence') && !node.flow
}

type Style = Omit<Layout, 'column'>

/** The value as it stands behind a colon or dash: nothing on that line for a map or list below a key. */
function render(text: string, place: Place, value: JsonValue, style: Style): string {
  const layout = { ...style, column: childColumn(text, place, value, style.sequences) }
  const nested = isFilledRecord(value) || (Array.isArray(value) && value.length > 0)
  if (nested && place.holder === 'entry') return `\n${' '.repeat(layout.column)}${emitValue(value, layout)}`
  return keepStyle(place.node, value, layout) ?? emitValue(value, layout)
}

/** A string in the quotes of the scalar before it, where they can carry it. */
function keepStyle(node: Node, value: JsonValue, { column, literals }: Layout): string | undefined {
  if (typeof value !== 'string' || node.type !== 'scalar') return undefined
  return node.style === 'literal' && literals === false ? undefined : requote(value, node.style, column)
}

function isFilledRecord(value: JsonValue): value is JsonRecord {
  return isRecord(value) && Object.keys(value).length > 0
}

/** The column of what stands below: that of the old value where there was one of its kind, else two further than the holder. */
function childColumn(text: string, place: Place, value: JsonValue, sequences: Sequences): number {
  const { node, holder, lead, column } = place
  if (node.type === 'map' && !node.flow && isRecord(value)) return columnOf(text, node.start)
  if (node.type === 'sequence' && !node.flow && Array.isArray(value)) return columnOf(text, node.start)
  const inline = holder === 'item' && node.start > lead && lineStart(text, node.start) === lineStart(text, lead)
  if (inline && !standsBehindTab(text, place)) return columnOf(text, node.start)
  return Array.isArray(value) && holder === 'entry' && sequences === 'compact' ? column : column + 2
}

/** The line feed of the text: CR LF where the line in question ends so. */
function newline(text: string, at: number): string {
  return text[at] === '\r' ? '\r\n' : '\n'
}
