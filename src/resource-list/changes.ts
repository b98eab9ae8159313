import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { findEntry, type MapNode, type Node, type SequenceNode } from './node.ts'
import { nodeValue } from './node-value.ts'

/** One step of an edit. `insert` puts a new list entry before the position that ends its path. */
export type Change =
  | { readonly op: 'put' | 'insert'; readonly path: FieldPath; readonly value: JsonValue }
  | { readonly op: 'delete'; readonly path: FieldPath }

/**
 * The fewest steps that make `value` of a node, child by child, so that equal children keep their bytes and comments.
 * The steps are to be taken in order: list positions come from the back, so that each still holds when its turn comes.
 */
export function changesTo(node: Node, value: JsonValue, path: FieldPath): readonly Change[] {
  if (node.type !== 'alias' && equalJson(nodeValue(node, path), value)) return []
  if (node.type === 'map' && isRecord(value) && sharesKey(node, value)) return mapChanges(node, value, path)
  if (node.type === 'sequence' && Array.isArray(value) && node.items.length > 0 && value.length > 0) return listChanges(node, value, path)
  return [{ op: 'put', path, value }]
}

function sharesKey(map: MapNode, record: JsonRecord): boolean {
  return map.entries.some(({ key }) => Object.hasOwn(record, key.text))
}

function mapChanges(map: MapNode, record: JsonRecord, path: FieldPath): readonly Change[] {
  const keys = Object.keys(record)
  const kept = keys.flatMap((key) => entryChanges(map, key, record, [...path, key]))
  const gone = map.entries
    .filter(({ key }) => !Object.hasOwn(record, key.text))
    .map(({ key }): Change => ({ op: 'delete', path: [...path, key.text] }))
  const added = keys
    .filter((key) => findEntry(map, key) === undefined)
    .map((key): Change => ({ op: 'put', path: [...path, key], value: record[key] ?? null }))
  return [...kept, ...gone, ...added]
}

function entryChanges(map: MapNode, key: string, record: JsonRecord, path: FieldPath): readonly Change[] {
  const entry = findEntry(map, key)
  return entry === undefined ? [] : changesTo(entry.value, record[key] ?? null, path)
}

function listChanges(list: SequenceNode, wanted: readonly JsonValue[], path: FieldPath): readonly Change[] {
  const existing = list.items.map((item, index) => nodeValue(item.value, [...path, index]))
  const changes: Change[] = []
  let [i, j] = [existing.length, wanted.length]
  for (const [a, b] of [...alignment(existing, wanted)].reverse()) {
    changes.push(...gapChanges(list, wanted, path, [a + 1, i], [b + 1, j]))
    changes.push(...changesTo(itemAt(list, a), wanted[b] ?? null, [...path, a]))
    ;[i, j] = [a, b]
  }
  return [...changes, ...gapChanges(list, wanted, path, [0, i], [0, j])]
}

type Span = readonly [from: number, to: number]

/** Between two entries that stay: entries are changed in place as far as both sides go, the rest is deleted or inserted. */
function gapChanges(
  list: SequenceNode,
  wanted: readonly JsonValue[],
  path: FieldPath,
  [from, to]: Span,
  [start, end]: Span,
): readonly Change[] {
  const both = Math.min(to - from, end - start)
  const changes: Change[] = []
  for (let i = to - 1; i >= from + both; i--) changes.push({ op: 'delete', path: [...path, i] })
  for (let j = end - 1; j >= start + both; j--) changes.push({ op: 'insert', path: [...path, from + both], value: wanted[j] ?? null })
  for (let n = both - 1; n >= 0; n--) changes.push(...changesTo(itemAt(list, from + n), wanted[start + n] ?? null, [...path, from + n]))
  return changes
}

function itemAt(list: SequenceNode, index: number): Node {
  return list.items[index]?.value ?? list
}

/** Longer lists are aligned by their ends only: the table below grows with the product of both lengths. */
const MAX_TABLE = 1_000_000

/** Pairs of positions that stay together: equal entries, or maps of one `name`, as many as keep their order. */
function alignment(a: readonly JsonValue[], b: readonly JsonValue[]): readonly (readonly [number, number])[] {
  let head = 0
  while (head < a.length && head < b.length && isSame(a[head], b[head])) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && isSame(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail++
  const middle = commonPairs(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return [
    ...range(head).map((i) => [i, i] as const),
    ...middle.map(([i, j]) => [i + head, j + head] as const),
    ...range(tail).map((i) => [a.length - tail + i, b.length - tail + i] as const),
  ]
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index)
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const name = isRecord(a) ? lookup(a, 'name') : undefined
  return equalJson(a, b) || (name !== undefined && isRecord(b) && equalJson(lookup(b, 'name'), name))
}

/** The longest common subsequence. */
function commonPairs(a: readonly JsonValue[], b: readonly JsonValue[]): readonly (readonly [number, number])[] {
  if (a.length * b.length === 0 || a.length * b.length > MAX_TABLE) return []
  const width = b.length + 1
  const table = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => table[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = isSame(a[i], b[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return followTable(a, b, at)
}

function followTable(
  a: readonly JsonValue[],
  b: readonly JsonValue[],
  at: (i: number, j: number) => number,
): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (isSame(a[i], b[j])) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
