import type { FieldPath } from '../../field-path.ts'
import { findEntry, type Node, nodesAlong } from '../read/node.ts'
import { lineEnd } from './place.ts'

/** The comment behind a key whose value stands on the lines below, as go-yaml gives it to the key: with its `#`. */
export function keyComment(text: string, root: Node, path: FieldPath): string | undefined {
  const parent = nodesAlong(root, path.slice(0, -1))[path.length - 1]
  const entry = parent?.type === 'map' ? findEntry(parent, String(path.at(-1))) : undefined
  if (entry === undefined) return undefined
  const end = lineEnd(text, entry.key.end)
  return entry.value.start < end ? undefined : /^[ \t]*:[ \t]+(#.*)$/.exec(text.slice(entry.key.end, end))?.[1]
}
