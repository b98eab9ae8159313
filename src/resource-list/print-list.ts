import { compareResults, type Result, resultToWire } from '../result.ts'
import { closeBlock } from '../yaml/edit/close-block.ts'
import { emitEntry } from '../yaml/emit/emit.ts'
import { lineBreakAt } from '../yaml/read/lines.ts'
import type { Cut, Piece } from './cut.ts'
import type { KrmObject } from './krm-object.ts'
import type { ParsedList } from './parse-list.ts'

/** What a run did to a list. */
export interface ListChanges {
  readonly removed: ReadonlySet<KrmObject>
  /** New items by the item they stand behind; undefined: at the end. */
  readonly added: ReadonlyMap<KrmObject | undefined, readonly KrmObject[]>
  readonly results: readonly Result[]
}

/** The text of a list after a run: untouched pieces and slices as they were, the wrapper's keys in their order. */
export function printList(list: ParsedList, changes: ListChanges): string {
  const hadResults = list.cut.pieces.some(({ key }) => key === 'results')
  const results = changes.results.length > 0 || hadResults ? [inBreaksOf(list, printResults(changes.results))] : []
  const isChanged = changesItems(list, changes)
  if (results.length === 0 && !isChanged) return list.text + list.end
  const items = isChanged || list.cut.bareItems ? printItems(list, changes) : unchangedItems(list)
  const { pieces } = list.cut
  const printed = pieces.flatMap((piece) => (piece.key === 'results' ? results : printPiece(list, piece, items)))
  const missing = pieces.some(({ key }) => key === 'items') || items.length === 0 ? [] : ['items:\n', ...items]
  const breaks = lineBreakAt(list.text, 0)
  return `${[...printed, ...missing, ...(hadResults ? [] : results)].map((part) => endLine(part, breaks)).join('')}${list.end}`
}

function changesItems({ items }: ParsedList, { removed, added }: ListChanges): boolean {
  return removed.size > 0 || [...added.values()].some((objects) => objects.length > 0) || items.some((item) => item.changed)
}

function printResults(results: readonly Result[]): string {
  const sorted = [...results].sort(compareResults).map(resultToWire)
  return `${emitEntry('results', sorted, { column: 0, sequences: 'compact' })}\n`
}

/** In parts that are whole lines: a large text is put together once. */
function printPiece({ cut }: ParsedList, { key, text }: Piece, items: readonly string[]): readonly string[] {
  if (key === 'items') return items.length === 0 ? [emptyItems(text)] : [itemsHeader(text), ...items]
  return [cut.bareRoot && key !== '' ? `${key}: ${indent(text)}` : text]
}

function emptyItems(text: string): string {
  return text === '' ? 'items: []\n' : text
}

/** The line of the key as it was, without the `[]` or the flow list that stood behind it. */
function itemsHeader(text: string): string {
  const block = /^\ufeff?items: *(?:#[^\n]*)?\r?\n/.exec(text)
  return block === null ? 'items:\n' : text
}

/** New lines, ended as the list ends its first one. */
function inBreaksOf({ text }: ParsedList, lines: string): string {
  return lineBreakAt(text, 0) === '\n' ? lines : lines.replaceAll(/\r?\n/g, '\r\n')
}

/** All of them as one stretch of the input, and the last, which may not end its line. */
function unchangedItems({ text, cut: { pieces, slices } }: ParsedList): readonly string[] {
  const before = pieces.slice(0, pieces.findIndex(({ key }) => key === 'items') + 1)
  const start = before.reduce((sum, piece) => sum + piece.text.length, 0)
  const last = slices.slice(0, -1).reduce((sum, slice) => sum + slice.length, start)
  return [text.slice(start, last), ...slices.slice(-1)].filter((part) => part !== '')
}

function printItems(list: ParsedList, { removed, added }: ListChanges): readonly string[] {
  const { items, cut } = list
  const printed = items.flatMap((item) => [
    removed.has(item) ? commentsBehind(item.toText(), cut.column) : printItem(item, cut),
    ...printAdded(list, added.get(item)),
  ])
  return [...printed, ...printAdded(list, added.get(undefined))].filter((text) => text !== '')
}

function printAdded(list: ParsedList, objects: readonly KrmObject[] = []): readonly string[] {
  return objects.map((object) => inBreaksOf(list, object.toText()))
}

function printItem(item: KrmObject, { bareItems }: Cut): string {
  return bareItems && !item.toText().startsWith('- ') ? `- ${indent(item.toText())}` : item.toText()
}

/** A bare value's further lines, deep enough to belong to the key or dash before its first: most are. */
function indent(text: string): string {
  return /\n\r?[^\s]/.test(text) ? deeper(text) : text
}

function deeper(text: string): string {
  return text.replace(/\n(?=[^\n])/g, '\n  ')
}

/** The comment lines at the end of a removed item that stand between it and the next one. */
function commentsBehind(slice: string, column: number): string {
  const lines = slice.split(/(?<=\n)/)
  const last = lines.findLastIndex((line) => !isBetween(line, column))
  return lines.slice(last + 1).join('')
}

function isBetween(line: string, column: number): boolean {
  const depth = line.search(/[^ ]/)
  return depth <= column && (line[depth] === '#' || line.trim() === '')
}

/** A text with which the input ended without a line break, as it stands before others. Before the first key it is a byte order mark. */
function endLine(text: string, breaks: '\n' | '\r\n'): string {
  if (text === '' || text.endsWith('\n') || text === '\ufeff') return text
  const closed = closeBlock(text)
  return closed.endsWith('\n') ? closed : `${closed}${breaks}`
}
