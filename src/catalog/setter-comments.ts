import type { FieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { targetOf } from '../yaml/read/alias-targets.ts'
import { type Node, type ScalarNode, type SequenceNode, walk } from '../yaml/read/node.ts'
import { commentBehind, setterPattern } from '../yaml/read/written.ts'

/** A field with a comment that names setters: `image: nginx:1.14 # kpt-set: ${image}:${tag}`. */
export interface MarkedField {
  readonly path: FieldPath
  readonly node: Node
  readonly pattern: string
}

/** Returns the scalars and lists with a setter comment, in the order of the text. */
export function markedFields(item: KrmObject): readonly MarkedField[] {
  const { text, node: root } = item.written()
  const found: MarkedField[] = []
  collectMarked({ item, text, found }, root, [])
  return found
}

/** Returns the aliases with a setter comment that stand for no value of the object: YAML readers refuse each of them. */
export function markedUnknownAliases(item: KrmObject): readonly Pick<MarkedField, 'path' | 'pattern'>[] {
  const { text, node: root } = item.written()
  if (!text.includes('*')) return []
  return [...walk(root)].flatMap(({ path, node }) => {
    const pattern = node.type === 'alias' && targetOf(node) === undefined ? setterPattern(commentBehind(text, node)) : undefined
    return pattern === undefined ? [] : [{ path, pattern }]
  })
}

interface Search {
  readonly item: KrmObject
  readonly text: string
  readonly found: MarkedField[]
}

/** @param path  of the node; changed during the search */
function collectMarked(search: Search, node: Node, path: (string | number)[]): void {
  if (node.type === 'scalar' || node.type === 'sequence') {
    const pattern = patternOf(search, node, path)
    if (pattern !== undefined) search.found.push({ path: [...path], node, pattern })
  }
  if (node.type === 'map')
    for (const { key, value } of node.entries) {
      path.push(key.text)
      collectMarked(search, value, path)
      path.pop()
    }
  if (node.type === 'sequence')
    for (const [index, { value }] of node.items.entries()) {
      path.push(index)
      collectMarked(search, value, path)
      path.pop()
    }
}

function patternOf({ item, text }: Search, node: ScalarNode | SequenceNode, path: FieldPath): string | undefined {
  if (node.type === 'scalar' && node.style === 'plain' && node.text === '') return undefined
  if (node.type === 'sequence' && typeof path.at(-1) !== 'string') return undefined
  const comment = node.type === 'sequence' && !node.flow ? item.keyComment(path) : commentBehind(text, node)
  return setterPattern(comment)
}
