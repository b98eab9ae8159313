import type { FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { Position } from '../../result.ts'
import { targetOf } from './alias-targets.ts'
import { LINE_FEED } from './character.ts'
import { lineEnd } from './lines.ts'
import { MERGE_KEY } from './merge-keys.ts'
import { type MapNode, type Node, type SpelledScalar, walk } from './node.ts'

/** A scalar value in the spelling of its text. */
export interface WrittenScalar extends SpelledScalar {
  readonly path: FieldPath
}

/** A key that occurs more than once in its map. */
export interface DuplicateKey {
  readonly path: FieldPath
  readonly positions: readonly Position[]
}

/** An alias or a merge key. */
export interface WrittenAlias {
  readonly path: FieldPath
  readonly anchor: string
  readonly position: Position
  /** True if the value of the alias is known, and for a merge key a map. */
  readonly isReadable: boolean
}

type Locate = (offset: number) => Position

/** Returns all scalar values of a node, in the order of the text. */
export function writtenScalars(node: Node, path: FieldPath): readonly WrittenScalar[] {
  return [...walk(node, path)].flatMap((step) => {
    if (step.node.type !== 'scalar') return []
    const { style, text, tag } = step.node
    return [{ path: step.path, style, text, ...(tag !== undefined && { tag }) }]
  })
}

export function writtenAliases(root: Node, locate: Locate): readonly WrittenAlias[] {
  return [...walk(root)].flatMap(({ path, node, key }) => {
    if (node.type !== 'alias') return []
    const target = targetOf(node)
    const isReadable = target !== undefined && (key?.text !== MERGE_KEY || target.type === 'map')
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

/** Returns the maps at and below a node. Allocates nothing for a scalar, of which there may be a hundred thousand. */
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

/** Returns the keys that occur more than once in a map, with all their positions. */
export function duplicatesIn(map: MapNode, path: FieldPath, locate: Locate): readonly DuplicateKey[] {
  // Nearly no map has one, and a map may have a million entries.
  if (new Set(map.entries.map(({ key }) => key.text)).size === map.entries.length) return []
  const written = groupBy(map.entries, ({ key }) => key.text)
  return [...written]
    .filter(([, entries]) => entries.length > 1)
    .map(([text, entries]) => ({ path: [...path, text], positions: entries.map(({ key }) => locate(key.start)) }))
}

/** Returns the comment on the last line of a value; for a block scalar, on the line of its `|` or `>`. */
export function commentBehind(text: string, node: Node): string | undefined {
  const from = headEnd(text, node)
  // Most values are the end of their line.
  if (text.charCodeAt(from) === LINE_FEED) return undefined
  return /^,?[ \t]+(#.*)$/.exec(text.slice(from, lineEnd(text, from)))?.[1]
}

/** Returns the setters that a comment names, `${image}:${tag}` for `# kpt-set: ${image}:${tag}`; undefined for any other comment. */
export function setterPattern(comment: string | undefined): string | undefined {
  return /^# kpt-set: \s*(.*?)\s*$/.exec(comment ?? '')?.[1]
}

/** Returns the offset behind a value, or for a block scalar behind its `|` or `>`: there its comment begins. */
export function headEnd(text: string, node: Node): number {
  const isBlock = node.type === 'scalar' && (node.style === 'literal' || node.style === 'folded')
  return isBlock ? node.start + (/^[|>][-+\d]*/.exec(text.slice(node.start, node.start + 4))?.[0].length ?? 0) : node.end
}
