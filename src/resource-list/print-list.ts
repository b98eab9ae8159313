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
  return changesItems(list, changes) ? print(list, printItems(list, changes), changes.results) : printInput(list, changes.results)
}

/** The text of a list whose items are to be those that it was read with, whatever was done to them. */
export function printInput(list: ParsedList, results: readonly Result[]): string {
  return results.length > 0 || hasResults(list) ? print(list, unchangedItems(list), results) : list.text + list.end
}

function print(list: ParsedList, items: readonly string[], found: readonly Result[]): string {
  const { pieces } = list.cut
  const results = found.length > 0 || hasResults(list) ? [inBreaksOf(list, printResults(found))] : []
  const printed = pieces.flatMap((piece) => (piece.key === 'results' ? results : printPiece(list, piece, items)))
  const missing = pieces.some(({ key }) => key === 'items') || items.length === 0 ? [] : ['items:\n', ...items]
  const breaks = lineBreakAt(list.text, 0)
  return `${[...printed, ...missing, ...(hasResults(list) ? [] : results)].map((part) => endLine(part, breaks)).join('')}${list.end}`
}

function hasResults({ cut }: ParsedList): boolean {
  return cut.pieces.some(({ key }) => key === 'results')
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
function unchangedItems({ text, cut }: ParsedList): readonly string[] {
  const { pieces, slices, bareItems } = cut
  if (bareItems) return slices.map((slice) => printItem(slice, cut))
  const before = pieces.slice(0, pieces.findIndex(({ key }) => key === 'items') + 1)
  const start = before.reduce((sum, piece) => sum + piece.text.length, 0)
  const last = slices.slice(0, -1).reduce((sum, slice) => sum + slice.length, start)
  return [text.slice(start, last), ...slices.slice(-1)].filter((part) => part !== '')
}

function printItems(list: ParsedList, { removed, added }: ListChanges): readonly string[] {
  const { items, cut } = list
  const printed = items.flatMap((item) => [
    removed.has(item) ? commentsBehind(item.toText(), cut.column) : printItem(item.toText(), cut),
    ...printAdded(list, added.get(item)),
  ])
  return [...printed, ...printAdded(list, added.get(undefined))].filter((text) => text !== '')
}

function printAdded(list: ParsedList, objects: readonly KrmObject[] = []): readonly string[] {
  return objects.map((object) => inBreaksOf(list, object.toText()))
}

function printItem(text: string, { bareItems }: Cut): string {
  return bareItems && !text.startsWith('- ') ? `- ${indent(text)}` : text
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
  return `${closeBlock(text)}${breaks}`
}
