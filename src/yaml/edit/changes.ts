import type { FieldPath } from '../../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../../json.ts'
import { findEntry, type MapNode, type Node, type SequenceNode } from '../read/node.ts'
import { nodeValue } from '../read/node-value.ts'
import { pairEntries } from './list-pairs.ts'

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

/** From the back: what is paired is changed in place, what is left over on one side is deleted or inserted. */
function listChanges(list: SequenceNode, wanted: readonly JsonValue[], path: FieldPath): readonly Change[] {
  const existing = list.items.map((item, index) => nodeValue(item.value, [...path, index]))
  const changes: Change[] = []
  let [i, j] = [existing.length, wanted.length]
  for (const [a, b] of [[-1, -1] as const, ...pairEntries(existing, wanted)].reverse()) {
    while (--i > a) changes.push({ op: 'delete', path: [...path, i] })
    while (--j > b) changes.push({ op: 'insert', path: [...path, a + 1], value: wanted[j] ?? null })
    if (a >= 0) changes.push(...changesTo(list.items[a]?.value ?? list, wanted[b] ?? null, [...path, a]))
  }
  return changes
}
