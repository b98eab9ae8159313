import type { FieldPath } from '../../field-path.ts'

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/**
 * What a reader makes of a text. Offsets are UTF-16 positions in that text, `end` is exclusive.
 * A block value ends where its last line ends, before the line feed.
 */
export type Node = ScalarNode | MapNode | SequenceNode | AliasNode

/** What may stand before a value. */
export interface Properties {
  readonly tag?: string
  readonly anchor?: string
}

interface Placed extends Properties {
  readonly start: number
  readonly end: number
}

/** A scalar. One that is not written at all (`key:`) is plain with empty text and stands behind the colon or dash. */
export interface ScalarNode extends Placed {
  readonly type: 'scalar'
  readonly style: ScalarStyle
  readonly text: string
}

export interface KeyedNode {
  readonly key: ScalarNode
  readonly value: Node
}

export interface MapNode extends Placed {
  readonly type: 'map'
  readonly flow: boolean
  readonly entries: readonly KeyedNode[]
  /** Whether a key is written behind `? `: such a map can be read, but not edited. */
  readonly explicit?: boolean
}

export interface SequenceItem {
  /** Where the dash stands; in flow style where the value begins. */
  readonly dash: number
  readonly value: Node
}

export interface SequenceNode extends Placed {
  readonly type: 'sequence'
  readonly flow: boolean
  readonly items: readonly SequenceItem[]
}

/** `*anchor`; `targetOf` knows what the alias stands for. */
export interface AliasNode extends Placed {
  readonly type: 'alias'
}

/** How many members a map or list has. */
export function sizeOfCollection(node: Node): number {
  if (node.type === 'map') return node.entries.length
  return node.type === 'sequence' ? node.items.length : 0
}

/** The entry of a key; of a key that stands twice, the last, as go-yaml's lenient readers take it. */
export function findEntry(map: MapNode, key: string): KeyedNode | undefined {
  if (map.entries.length > FEW) return indexOf(map).get(key)
  for (let i = map.entries.length - 1; i >= 0; i--) if (map.entries[i]?.key.text === key) return map.entries[i]
  return undefined
}

/** A map with more entries has an index as soon as one of them is looked for. */
const FEW = 16
const indexes = new WeakMap<MapNode, ReadonlyMap<string, KeyedNode>>()

function indexOf(map: MapNode): ReadonlyMap<string, KeyedNode> {
  const known = indexes.get(map)
  if (known !== undefined) return known
  const index = new Map(map.entries.map((entry) => [entry.key.text, entry]))
  indexes.set(map, index)
  return index
}

/** The child that one step of a path leads to; an alias has none. */
export function findChild(node: Node, step: string | number): Node | undefined {
  if (node.type === 'map') return findEntry(node, String(step))?.value
  return node.type === 'sequence' && typeof step === 'number' ? node.items[step]?.value : undefined
}

/** The nodes from the root along a path, as far as it exists: the last one belongs to `path.slice(0, length - 1)`. */
export function nodesAlong(root: Node, path: FieldPath): readonly Node[] {
  const nodes = [root]
  for (const step of path) {
    const child = findChild(nodes.at(-1) ?? root, step)
    if (child === undefined) break
    nodes.push(child)
  }
  return nodes
}

/** Every node below `node`, itself included, in the order of the text. */
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
