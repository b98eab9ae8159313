import type { FieldPath } from '../../field-path.ts'
import { remember } from '../../remember.ts'

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/**
 * A part of a text that a reader found. Offsets are UTF-16 positions in the text, `end` is exclusive.
 * A block value ends where its last line ends, before the line feed.
 */
export type Node = ScalarNode | MapNode | SequenceNode | AliasNode

/** The tag and anchor of a value. */
export interface Properties {
  readonly tag?: string
  readonly anchor?: string
}

interface Placed extends Properties {
  readonly start: number
  readonly end: number
}

/** A scalar. An empty one (`key:`) is plain with empty text; its offset is after the colon or dash. */
export interface ScalarNode extends Placed {
  readonly type: 'scalar'
  readonly style: ScalarStyle
  readonly text: string
}

/** The parts of a scalar that decide its value. */
export type SpelledScalar = Pick<ScalarNode, 'style' | 'text' | 'tag'>

export interface KeyedNode {
  readonly key: ScalarNode
  readonly value: Node
}

export interface MapNode extends Placed {
  readonly type: 'map'
  readonly flow: boolean
  readonly entries: readonly KeyedNode[]
  /** True if a key uses `? `: such a map can be read, but not edited. */
  readonly explicit?: boolean
}

export interface SequenceItem {
  /** The offset of the dash; in flow style the offset of the value. */
  readonly dash: number
  readonly value: Node
}

export interface SequenceNode extends Placed {
  readonly type: 'sequence'
  readonly flow: boolean
  readonly items: readonly SequenceItem[]
}

/** An alias, `*anchor`; `targetOf` returns its value. */
export interface AliasNode extends Placed {
  readonly type: 'alias'
}

/** Returns the number of members of a map or list, 0 for other nodes. */
export function sizeOfCollection(node: Node): number {
  if (node.type === 'map') return node.entries.length
  return node.type === 'sequence' ? node.items.length : 0
}

/** Returns the entry of a key, the last of repeated keys, as go-yaml's lenient readers do. */
export function findEntry(map: MapNode, key: string): KeyedNode | undefined {
  if (map.entries.length > FEW) return indexOf(map).get(key)
  for (let i = map.entries.length - 1; i >= 0; i--) if (map.entries[i]?.key.text === key) return map.entries[i]
  return undefined
}

/** A map with more entries gets an index at the first search. */
const FEW = 16
const indexes = new WeakMap<MapNode, ReadonlyMap<string, KeyedNode>>()

function indexOf(map: MapNode): ReadonlyMap<string, KeyedNode> {
  return remember(indexes, map, ({ entries }) => new Map(entries.map((entry) => [entry.key.text, entry])))
}

/** Returns the child at one step of a path; undefined for a missing child and for an alias. */
export function findChild(node: Node, step: string | number): Node | undefined {
  if (node.type === 'map') return findEntry(node, String(step))?.value
  return node.type === 'sequence' && typeof step === 'number' ? node.items[step]?.value : undefined
}

/** Returns the nodes from the root along a path, as far as it exists: the last one belongs to `path.slice(0, length - 1)`. */
export function nodesAlong(root: Node, path: FieldPath): readonly Node[] {
  const nodes = [root]
  for (const step of path) {
    const child = findChild(nodes.at(-1) ?? root, step)
    if (child === undefined) break
    nodes.push(child)
  }
  return nodes
}

/** Yields `node` and every node below it with their paths, in the order of the text; the values of map entries with their keys. */
export function* walk(node: Node, path: FieldPath = []): Generator<{ path: FieldPath; node: Node; key?: ScalarNode }> {
  yield { path, node }
  if (node.type === 'map') for (const { key, value } of node.entries) yield* walkEntry(key, value, [...path, key.text])
  if (node.type === 'sequence') for (const [index, item] of node.items.entries()) yield* walk(item.value, [...path, index])
}

function* walkEntry(key: ScalarNode, value: Node, path: FieldPath): Generator<{ path: FieldPath; node: Node; key?: ScalarNode }> {
  let first = true
  for (const step of walk(value, path)) {
    yield first ? { ...step, key } : step
    first = false
  }
}
