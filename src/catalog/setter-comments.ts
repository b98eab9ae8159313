import type { FieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { type Node, walk } from '../yaml/read/node.ts'
import { commentBehind } from './line-comments.ts'

/** A field with a comment that names setters: `image: nginx:1.14 # kpt-set: ${image}:${tag}`. */
export interface MarkedField {
  readonly path: FieldPath
  readonly node: Node
  readonly pattern: string
}

/** Returns the scalars and lists with a setter comment, in the order of the text. */
export function markedFields(item: KrmObject): readonly MarkedField[] {
  const { text, node: root } = item.written()
  return [...walk(root)].flatMap(({ path, node }) => {
    if (node.type !== 'scalar' && node.type !== 'sequence') return []
    if (node.type === 'scalar' && node.style === 'plain' && node.text === '') return []
    if (node.type === 'sequence' && typeof path.at(-1) !== 'string') return []
    const comment = node.type === 'sequence' && !node.flow ? item.keyComment(path) : commentBehind(text, node)
    const pattern = /^# kpt-set: (.*?)\s*$/.exec(comment ?? '')?.[1]
    return pattern === undefined ? [] : [{ path, node, pattern }]
  })
}
