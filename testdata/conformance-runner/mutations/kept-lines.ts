import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { equalJson, isRecord, type JsonValue, lookup } from '../../../src/json.ts'

/** The changes that lines of a text may have whose value changed; every other line must stay as it is. */
interface Freedom {
  /** Lines of keys and entries that are gone, with the comment lines directly above them. */
  readonly removed: Set<number>
  /** Lines whose value changed; what follows the value on the line must stay. */
  readonly changed: Map<number, string>
}

/**
 * The lines and comments of a text that an edit lost without need: all are to be there afterwards, in order, except those of keys
 * and entries that are gone, and lines whose value changed, of which the comment stays.
 */
export function lostLines(before: string, after: string): readonly string[] {
  const lineCounter = new LineCounter()
  const from = parseDocument(before, { lineCounter, uniqueKeys: false })
  const walk = { text: before, lineCounter, freedom: { removed: new Set<number>(), changed: new Map<number, string>() } }
  compareNodes(walk, from.contents, parseDocument(after, { uniqueKeys: false }).toJS() as JsonValue)
  return [...lostFixedLines(before, after, walk.freedom), ...lostComments(after, walk.freedom)]
}

function lostFixedLines(before: string, after: string, { removed, changed }: Freedom): readonly string[] {
  const lines = after.split('\n')
  let next = 0
  return before.split('\n').flatMap((line, number) => {
    if (removed.has(number) || changed.has(number)) return []
    const place = lines.indexOf(line, next)
    if (place === -1) return [line]
    next = place + 1
    return []
  })
}

function lostComments(after: string, { removed, changed }: Freedom): readonly string[] {
  const comments = [...changed].flatMap(([line, rest]) => (removed.has(line) || !rest.includes('#') ? [] : [rest.slice(rest.indexOf('#'))]))
  return comments.filter((comment) => !after.includes(comment))
}

interface Walk {
  readonly text: string
  readonly lineCounter: LineCounter
  readonly freedom: Freedom
}

function compareNodes(walk: Walk, node: unknown, after: JsonValue | undefined): void {
  if (!isNode(node) || isAlias(node) || equalJson(node.toJSON() as JsonValue, after)) return
  if ((isMap(node) || isSeq(node)) && node.flow) change(walk, node)
  if (isMap(node) && isRecord(after)) for (const pair of node.items) comparePair(walk, node, pair, after)
  else if (isSeq(node) && Array.isArray(after)) compareLists(walk, node, after)
  else if (isScalar(node)) change(walk, node)
  else remove(walk, node)
}

function comparePair(walk: Walk, map: YAMLMap, { key, value }: Pair, after: JsonValue): void {
  const name = isScalar(key) ? String(key.value) : ''
  if (isRecord(after) && Object.hasOwn(after, name)) {
    const left = lookup(after, name)
    compareNodes(walk, value, left)
    if (isNode(key) && isNode(value) && isEmptied(value, left)) change(walk, key)
  } else if (!map.flow && isNode(key)) remove(walk, key, isNode(value) ? value : key)
}

/** `spec: {}` is what stays of a map on lines of its own. */
function isEmptied(value: Node, after: JsonValue | undefined): boolean {
  const isEmpty = typeof after === 'object' && after !== null && Object.keys(after).length === 0
  return isEmpty && (isMap(value) || isSeq(value)) && !value.flow && value.items.length > 0
}

/** Entries that are equal stay, as many as keep their order; of the others, those of one name are compared further. */
function compareLists(walk: Walk, list: YAMLSeq, after: readonly JsonValue[]): void {
  if (list.flow) return
  const before = list.items.map((item) => (isNode(item) ? (item.toJSON() as JsonValue) : null))
  const kept = commonEntries(before, after)
  for (const [index, item] of list.items.entries()) {
    if (kept.has(index) || !isNode(item)) continue
    const same = after.find((entry) => nameOf(entry) !== undefined && nameOf(entry) === nameOf(before[index]))
    if (same === undefined) remove(walk, item)
    else compareNodes(walk, item, same)
    if (same !== undefined && movesAcross(before, after, index, kept)) move(walk, item)
  }
}

/** Returns true if an entry stands on the other side of one that stays. */
function movesAcross(before: readonly JsonValue[], after: readonly JsonValue[], index: number, kept: ReadonlyMap<number, number>): boolean {
  const place = after.findIndex((entry) => nameOf(entry) === nameOf(before[index]))
  return [...kept].some(([old, now]) => old < index !== now < place)
}

function nameOf(entry: JsonValue | undefined): JsonValue | undefined {
  return isRecord(entry) ? (lookup(entry, 'name') ?? lookup(entry, 'type')) : undefined
}

/** The longest common subsequence: positions before, with those after. */
function commonEntries(a: readonly JsonValue[], b: readonly JsonValue[]): ReadonlyMap<number, number> {
  const length = (i: number, j: number): number => {
    if (i >= a.length || j >= b.length) return 0
    const key = i * (b.length + 1) + j
    const known = lengths.get(key)
    if (known !== undefined) return known
    const found = equalJson(a[i], b[j]) ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1))
    lengths.set(key, found)
    return found
  }
  const lengths = new Map<number, number>()
  const pairs = new Map<number, number>()
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (equalJson(a[i], b[j])) pairs.set(i++, j++)
    else if (length(i + 1, j) >= length(i, j + 1)) i++
    else j++
  }
  return pairs
}

function change(walk: Walk, node: Node): void {
  const [start, end] = linesOf(walk, node)
  const rest = walk.text.slice(node.range?.[1]).split('\n', 1)[0] ?? ''
  for (let line = start; line <= end; line++) walk.freedom.changed.set(line, line === end || isScalar(node) ? rest : '')
}

/** An entry that stands elsewhere now: its lines need not keep their order, but their comments must be there. */
function move(walk: Walk, node: Node): void {
  const { removed, changed } = walk.freedom
  const lines = walk.text.split('\n')
  for (const line of ownLines(walk, node)) {
    if (!removed.has(line) && !changed.has(line)) changed.set(line, /(^|\s)#.*/.exec(lines[line] ?? '')?.[0] ?? '')
  }
}

function remove(walk: Walk, first: Node, last: Node = first): void {
  for (const line of ownLines(walk, first, last)) walk.freedom.removed.add(line)
}

/** Lines of a key or entry and its value, and the comment lines directly above. */
function ownLines(walk: Walk, first: Node, last: Node = first): readonly number[] {
  const lines = walk.text.split('\n')
  let start = linesOf(walk, first)[0]
  while (/^\s*#/.test(lines[start - 1] ?? '')) start--
  return Array.from({ length: linesOf(walk, last)[1] - start + 1 }, (_, index) => start + index)
}

function linesOf({ text, lineCounter }: Walk, node: Node): readonly [number, number] {
  const [start, end] = node.range ?? [0, 0]
  const last = Math.max(start, start + text.slice(start, end).trimEnd().length - 1)
  return [lineCounter.linePos(start).line - 1, lineCounter.linePos(last).line - 1]
}
