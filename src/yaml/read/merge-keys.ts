import type { FieldPath } from '../../field-path.ts'
import { remember } from '../../remember.ts'
import { AliasError, targetOf } from './alias-targets.ts'
import { findEntry, type KeyedNode, type MapNode, type Node } from './node.ts'

/** The key of YAML 1.1 that brings the entries of other maps into its map: `<<: *anchor`, `<<: [*a, *b]`. */
export const MERGE_KEY = '<<'

/** The entries that a merge key brings into its map. */
export interface MergedEntries {
  readonly entries: ReadonlyMap<string, KeyedNode>
  /** The anchor of an alias that is no map, or whose value is unknown; then `entries` is not complete. */
  readonly unknown?: string
}

const known = new WeakMap<Node, MergedEntries>()

/**
 * Returns the value of the merge key of a map; undefined without one. A quoted `"<<"` is an ordinary key, as is one whose value is
 * written in place (`<<: {a: 1}`).
 */
export function mergeOf(map: MapNode): Node | undefined {
  const entry = findEntry(map, MERGE_KEY)
  return entry?.key.style === 'plain' && aliasesOf(entry.value).length > 0 ? entry.value : undefined
}

function aliasesOf(value: Node): readonly Node[] {
  if (value.type === 'alias') return [value]
  const items = value.type === 'sequence' ? value.items.map((item) => item.value) : []
  return items.every(({ type }) => type === 'alias') ? items : []
}

/** Returns the entries that the value of a merge key brings in. Of two aliases with one key, the first counts (YAML 1.1, merge). */
export function mergedBy(merge: Node): MergedEntries {
  return remember(known, merge, readMerged)
}

function readMerged(merge: Node): MergedEntries {
  const entries = new Map<string, KeyedNode>()
  for (const alias of aliasesOf(merge)) {
    const target = alias.type === 'alias' ? targetOf(alias) : undefined
    const below = target?.type === 'map' ? readMap(target) : undefined
    if (below === undefined) return { entries, unknown: alias.anchor ?? '' }
    for (const entry of below) if (!entries.has(entry.key.text)) entries.set(entry.key.text, entry)
  }
  return { entries }
}

/** Returns the entries of a map, those of its merge key included; undefined when one of these is unknown. */
function readMap(map: MapNode): Iterable<KeyedNode> | undefined {
  const merge = mergeOf(map)
  const own = new Map(map.entries.map((entry) => [entry.key.text, entry]))
  if (merge === undefined) return own.values()
  const { entries, unknown } = mergedBy(merge)
  own.delete(MERGE_KEY)
  return unknown === undefined ? new Map([...entries, ...own]).values() : undefined
}

/**
 * Returns the entries of a map as readers see them: first those of its merge key that the map does not have itself, then its own.
 * A merge key with an unknown value stays an ordinary entry.
 */
export function entriesOf(map: MapNode): readonly KeyedNode[] {
  const merge = mergeOf(map)
  if (merge === undefined) return map.entries
  const { entries, unknown } = mergedBy(merge)
  if (unknown !== undefined) return map.entries
  const inherited = [...entries.values()].filter(({ key }) => findEntry(map, key.text) === undefined)
  return [...inherited, ...map.entries.filter(({ key }) => key.text !== MERGE_KEY)]
}

/** @throws AliasError  when the map has a merge key with an unknown value */
export function requireMerged(map: MapNode, path: FieldPath): void {
  const merge = mergeOf(map)
  const unknown = merge && mergedBy(merge).unknown
  if (unknown !== undefined) throw new AliasError(unknown, [...path, MERGE_KEY])
}

/** Returns the entry of a key that the merge key of a map brings in; undefined without one. */
export function mergedEntry(map: MapNode, key: string): KeyedNode | undefined {
  const merge = mergeOf(map)
  return merge && mergedBy(merge).entries.get(key)
}
