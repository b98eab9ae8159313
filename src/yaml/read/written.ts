import type { FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { Position } from '../../result.ts'
import { type AliasNode, findEntry, type MapNode, type Node, type ScalarStyle, walk } from './node.ts'

/** A scalar value as it is written. */
export interface WrittenScalar {
  readonly path: FieldPath
  readonly style: ScalarStyle
  readonly text: string
}

/** A key that stands more than once in its map. */
export interface DuplicateKey {
  readonly path: FieldPath
  readonly positions: readonly Position[]
}

/** An alias or a merge key. */
export interface WrittenAlias {
  readonly path: FieldPath
  readonly anchor: string
  readonly position: Position
}

type Locate = (offset: number) => Position

/** Every scalar value of a node, in the order of the text. */
export function writtenScalars(node: Node, path: FieldPath): readonly WrittenScalar[] {
  return [...walk(node, path)].flatMap((step) =>
    step.node.type === 'scalar' ? [{ path: step.path, style: step.node.style, text: step.node.text }] : [],
  )
}

export function writtenAliases(root: Node, locate: Locate): readonly WrittenAlias[] {
  const aliases = [...walk(root)].filter((step): step is { path: FieldPath; node: AliasNode } => step.node.type === 'alias')
  return aliases.map(({ path, node }) => ({ path, anchor: node.anchor ?? '', position: locate(node.start) }))
}

export function duplicateKeys(root: Node, locate: Locate): readonly DuplicateKey[] {
  return mapsIn(root, []).flatMap(({ path, map }) => duplicatesIn(map, path, locate))
}

interface MapAt {
  readonly path: FieldPath
  readonly map: MapNode
}

/** Nothing is made for a scalar, of which there may be a hundred thousand. */
function mapsIn(node: Node, path: FieldPath): readonly MapAt[] {
  const children = node.type === 'map' ? node.entries : node.type === 'sequence' ? node.items : []
  const below = children.flatMap((child, index) =>
    child.value.type === 'map' || child.value.type === 'sequence'
      ? mapsIn(child.value, [...path, 'key' in child ? child.key.text : index])
      : NONE,
  )
  return node.type === 'map' ? [{ path, map: node }, ...below] : below
}

const NONE: readonly MapAt[] = []

/** The keys of one map that stand in it more than once. */
export function duplicatesIn(map: MapNode, path: FieldPath, locate: Locate): readonly DuplicateKey[] {
  const written = groupBy(map.entries, ({ key }) => key.text)
  return [...written]
    .filter(([, entries]) => entries.length > 1)
    .map(([text, entries]) => ({ path: [...path, text], positions: entries.map(({ key }) => locate(key.start)) }))
}

/** The anchor that a step cannot be followed through: the node is an alias, or a map with a merge key. */
export function mergeAnchor(node: Node): string | undefined {
  if (node.type === 'alias') return node.anchor
  const merged = node.type === 'map' ? findEntry(node, '<<')?.value : undefined
  return merged?.type === 'alias' ? merged.anchor : undefined
}
