import { compareResults, type Result, resultToJson } from '../result.ts'
import { emitEntry } from '../yaml/emit/emit.ts'
import type { Piece } from './cut.ts'
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
  const results = changes.results.length > 0 || hadResults ? [printResults(changes.results)] : []
  const isChanged = changesItems(list, changes)
  if (results.length === 0 && !isChanged) return list.text
  const items = isChanged || list.cut.bareItems ? printItems(list, changes) : unchangedItems(list)
  const { pieces } = list.cut
  const printed = pieces.flatMap((piece) => (piece.key === 'results' ? results : printPiece(list, piece, items)))
  const missing = pieces.some(({ key }) => key === 'items') || items.length === 0 ? [] : ['items:\n', ...items]
  return [...printed, ...missing, ...(hadResults ? [] : results)].map(endLine).join('')
}

function changesItems({ items }: ParsedList, { removed, added }: ListChanges): boolean {
  return removed.size > 0 || [...added.values()].some((objects) => objects.length > 0) || items.some((item) => item.changed)
}

function printResults(results: readonly Result[]): string {
  const sorted = [...results].sort(compareResults).map(resultToJson)
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
  const block = /^(\ufeff?items: *(#[^\n]*)?\r?\n)/.exec(text)
  return block === null ? 'items:\n' : text
}

/** All of them as one stretch of the input. */
function unchangedItems({ text, cut: { pieces, slices } }: ParsedList): readonly string[] {
  const before = pieces.slice(0, pieces.findIndex(({ key }) => key === 'items') + 1)
  const start = before.reduce((sum, piece) => sum + piece.text.length, 0)
  const end = slices.reduce((sum, slice) => sum + slice.length, start)
  return start === end ? [] : [text.slice(start, end)]
}

function printItems({ items, cut }: ParsedList, { removed, added }: ListChanges): readonly string[] {
  const printed = items.flatMap((item) => [
    removed.has(item) ? commentsBehind(item.toText(), cut.column) : printItem(item, cut.bareItems),
    ...printAdded(added.get(item)),
  ])
  return [...printed, ...printAdded(added.get(undefined))].filter((text) => text !== '')
}

function printAdded(objects: readonly KrmObject[] = []): readonly string[] {
  return objects.map((object) => object.toText())
}

function printItem(item: KrmObject, bare: boolean): string {
  return bare && !item.toText().startsWith('- ') ? `- ${indent(item.toText())}` : item.toText()
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

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
