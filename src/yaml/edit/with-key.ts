import type { FieldPath } from '../../field-path.ts'
import { findEntry, type Node, nodesAlong, type ScalarNode } from '../read/node.ts'
import { applySplices } from './splice.ts'

/**
 * Returns the text with the last key of a path renamed, in the same quotes; its value and comments stay. Returns undefined when the key
 * is missing or occurs twice, and when the new key exists already.
 */
export function withKey(text: string, root: Node, path: FieldPath, key: string): string | undefined {
  const holder = nodesAlong(root, path.slice(0, -1))[path.length - 1]
  if (holder?.type !== 'map' || holder.explicit === true || findEntry(holder, key) !== undefined) return undefined
  const [entry, ...others] = holder.entries.filter((each) => each.key.text === path.at(-1))
  if (entry === undefined || others.length > 0) return undefined
  const { start, end } = entry.key
  return applySplices(text, [{ start, end, text: quotedAs(entry.key, key) }])
}

function quotedAs({ style }: ScalarNode, key: string): string {
  if (style === 'plain') return key
  return style === 'single' ? `'${key}'` : JSON.stringify(key)
}
