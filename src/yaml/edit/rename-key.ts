import type { FieldPath } from '../../field-path.ts'
import { columnOf, lineEnd, lineStart } from '../read/lines.ts'
import { findEntry, type KeyedNode, type Node, nodesAlong, type ScalarNode } from '../read/node.ts'
import { applySplices } from './apply-splices.ts'

/**
 * Returns the comment after a key whose value is on the lines below, with its `#`: `spec: # note` → '# note'. go-yaml gives such a
 * comment to the key.
 */
export function keyComment(text: string, root: Node, path: FieldPath): string | undefined {
  const entry = entryAbove(text, root, path)
  return entry === undefined ? undefined : /^[ \t]*:[ \t]+(#.*)$/.exec(behindKey(text, entry))?.[1]
}

/**
 * Returns the text with a comment after a key whose value is on the lines below. An earlier comment there moves to a line above the key.
 * Returns the text unchanged when there is no such key.
 *
 * @param comment  with its `#`; undefined removes the comment after the key
 */
export function withKeyComment(text: string, root: Node, path: FieldPath, comment: string | undefined): string {
  const entry = entryAbove(text, root, path)
  if (entry === undefined) return text
  const [, head = '', old] = /^([ \t]*:(?:[ \t]+[!&]\S*)*)(?:[ \t]+(#.*))?[ \t]*$/.exec(behindKey(text, entry)) ?? []
  if (head === '') return text
  const start = entry.key.end + head.length
  const written = { start, end: lineEnd(text, entry.key.end), text: comment === undefined ? '' : ` ${comment}` }
  return applySplices(text, old === undefined || comment === undefined ? [written] : [lineAbove(text, entry, old), written])
}

function lineAbove(text: string, { key }: KeyedNode, comment: string): { start: number; end: number; text: string } {
  const at = lineStart(text, key.start)
  const lineFeed = text[lineEnd(text, key.end)] === '\r' ? '\r\n' : '\n'
  // The first key of an item is on the line of the dash: there the comment goes between the dash and the key.
  const isFirst = /^ *$/.test(text.slice(at, key.start))
  return isFirst
    ? { start: at, end: at, text: `${' '.repeat(columnOf(text, key.start))}${comment}${lineFeed}` }
    : { start: key.start, end: key.start, text: `${comment}${lineFeed}${' '.repeat(columnOf(text, key.start))}` }
}

/** Returns the entry at a path if its value begins on a line below its key. */
function entryAbove(text: string, root: Node, path: FieldPath): KeyedNode | undefined {
  const parent = nodesAlong(root, path.slice(0, -1))[path.length - 1]
  const entry = parent?.type === 'map' ? findEntry(parent, String(path.at(-1))) : undefined
  return entry === undefined || entry.value.start < lineEnd(text, entry.key.end) ? undefined : entry
}

function behindKey(text: string, { key }: KeyedNode): string {
  return text.slice(key.end, lineEnd(text, key.end))
}

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
