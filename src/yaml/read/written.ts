import type { FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { Position } from '../../result.ts'
import { targetOf } from './alias-targets.ts'
import { findEntry, type MapNode, type Node, type ScalarStyle, walk } from './node.ts'

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
  /** Whether a value behind it can be read: not where it is a merge key, or its anchor is not in the text. */
  readonly isReadable: boolean
}

type Locate = (offset: number) => Position

/** Every scalar value of a node, in the order of the text. */
export function writtenScalars(node: Node, path: FieldPath): readonly WrittenScalar[] {
  return [...walk(node, path)].flatMap((step) =>
    step.node.type === 'scalar' ? [{ path: step.path, style: step.node.style, text: step.node.text }] : [],
  )
}

export function writtenAliases(root: Node, locate: Locate): readonly WrittenAlias[] {
  return [...walk(root)].flatMap(({ path, node, key }) => {
    if (node.type !== 'alias') return []
    const isReadable = targetOf(node) !== undefined && key?.text !== '<<'
    return [{ path, anchor: node.anchor ?? '', position: locate(node.start), isReadable }]
  })
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

/** The anchor of the merge key of a map, which no step can be followed through. */
export function mergeAnchor(node: Node): string | undefined {
  const merged = node.type === 'map' ? findEntry(node, '<<')?.value : undefined
  return merged?.type === 'alias' ? merged.anchor : undefined
}
