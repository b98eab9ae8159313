import { compareResults, type Result, resultToWire } from '../result.ts'
import { closeBlock } from '../yaml/edit/apply-splices.ts'
import { emitEntry } from '../yaml/emit/emit.ts'
import { type Cut, type Piece, ROOT_KEYS } from './cut.ts'
import type { KrmObject } from './krm-object.ts'
import type { ParsedList } from './parse-list.ts'

/** The changes that a run made to a list. */
export interface ListChanges {
  readonly removed: ReadonlySet<KrmObject>
  /** New items by the item that they follow; undefined: at the end. */
  readonly added: ReadonlyMap<KrmObject | undefined, readonly KrmObject[]>
  readonly results: readonly Result[]
}

/**
 * Returns the text of a list after a run, in parts: a list may have hundreds of megabytes, which would be in memory twice in one text.
 * Unchanged pieces and items keep their bytes, root keys keep their order.
 */
export function printList(list: ParsedList, changes: ListChanges): readonly string[] {
  const { removed, added, results } = changes
  const isAdded = [...added.values()].some((objects) => objects.length > 0)
  const isChanged = removed.size > 0 || isAdded || list.items.some((item) => item.changed)
  return isChanged ? print(list, printItems(list, changes), results) : printInput(list, results)
}

/** Returns the text of a list with these results and the items of the input, without the changes made to them, in parts. */
export function printInput(list: ParsedList, results: readonly Result[]): readonly string[] {
  if (results.length === 0 && !hasResults(list)) return [list.text, list.end]
  return endsAsWritten(list) ? [list.text, resultsText(list, results), list.end] : print(list, unchangedItems(list), results)
}

/** Returns true if results can be put behind the text of a list with unchanged items: every part of the text is printed as it is. */
function endsAsWritten(list: ParsedList): boolean {
  const { cut, text } = list
  const header = cut.pieces.find(({ key }) => key === 'items')?.text
  const isBlock = header !== undefined && cut.slices.length > 0 && itemsHeader(header) === header
  return isBlock && !cut.bareItems && !cut.bareRoot && !hasResults(list) && text.endsWith('\n')
}

function resultsText(list: ParsedList, results: readonly Result[]): string {
  const sorted = results.toSorted(compareResults).map(resultToWire)
  return inBreaksOf(list, `${emitEntry('results', sorted, { column: 0, sequences: 'compact' })}\n`)
}

/** Returns the text of a list in parts: its pieces with these items and results. */
function print(list: ParsedList, items: readonly string[], found: readonly Result[]): readonly string[] {
  const { cut, lineBreak, end } = list
  const results = found.length > 0 || hasResults(list) ? [resultsText(list, found)] : []
  const parts: string[] = []
  for (const piece of cut.pieces) for (const part of piece.key === 'results' ? results : printPiece(list, piece, items)) parts.push(part)
  if (items.length > 0 && !hasPiece(list, 'items')) for (const part of ['items:\n', ...items]) parts.push(part)
  if (!hasResults(list)) parts.push(...results)
  return [...parts.map((part) => endLine(part, lineBreak)), end]
}

function printPiece({ cut }: ParsedList, { key, text }: Piece, items: readonly string[]): readonly string[] {
  if (key !== 'items') return [cut.bareRoot && key !== '' ? `${ROOT_KEYS.has(key) ? key : JSON.stringify(key)}: ${indent(text)}` : text]
  if (items.length === 0) return [text === '' ? 'items: []\n' : text]
  return [itemsHeader(text), ...items]
}

/** Returns the line of the key `items`, without a `[]` or a flow list after the colon. */
function itemsHeader(text: string): string {
  return /^\ufeff?items: *(?:#[^\n]*)?\r?\n/.test(text) ? text : 'items:\n'
}

function hasPiece({ cut }: ParsedList, key: string): boolean {
  return cut.pieces.some((piece) => piece.key === key)
}

function hasResults(list: ParsedList): boolean {
  return hasPiece(list, 'results')
}

/** Returns new lines with the line breaks of the list's first line. */
function inBreaksOf({ lineBreak }: ParsedList, lines: string): string {
  return lineBreak === '\n' ? lines : lines.replaceAll(/\r?\n/g, '\r\n')
}

/** Returns the items of the input as two parts: all but the last as one stretch, and the last, which may lack a line break. */
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
  const printed: string[] = []
  for (const item of items) {
    const text = removed.has(item) ? commentsBehind(item.toText(), cut.column) : printItem(item.toText(), cut)
    if (text !== '') printed.push(text)
    for (const object of added.get(item) ?? []) printed.push(inBreaksOf(list, object.toText()))
  }
  for (const object of added.get(undefined) ?? []) printed.push(inBreaksOf(list, object.toText()))
  return printed
}

function printItem(text: string, { bareItems }: Cut): string {
  return bareItems && !text.startsWith('- ') ? `- ${indent(text)}` : text
}

/** Indents the further lines of a bare value if one of them begins in column 0, so that they belong to its key or dash. */
function indent(text: string): string {
  return /\n\r?[^\s]/.test(text) ? deeper(text) : text
}

function deeper(text: string): string {
  return text.replace(/\n(?=[^\n])/g, '\n  ')
}

/** Returns the comment lines at the end of a removed item that belong to the list: those not deeper than its dash. */
function commentsBehind(slice: string, column: number): string {
  const lines = slice.split(/(?<=\n)/)
  const last = lines.findLastIndex((line) => !isBetween(line, column))
  return lines.slice(last + 1).join('')
}

function isBetween(line: string, column: number): boolean {
  const depth = line.search(/[^ ]/)
  return depth <= column && (line[depth] === '#' || line.trim() === '')
}

/** Returns a text with a line break at its end, so that more text can follow. A byte order mark before the first key gets none. */
function endLine(text: string, breaks: '\n' | '\r\n'): string {
  if (text === '' || text.endsWith('\n') || text === '\ufeff') return text
  return `${closeBlock(text)}${breaks}`
}
