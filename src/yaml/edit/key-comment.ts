import type { FieldPath } from '../../field-path.ts'
import { columnOf, lineEnd, lineStart } from '../read/lines.ts'
import { findEntry, type KeyedNode, type Node, nodesAlong } from '../read/node.ts'
import { applySplices } from './splice.ts'

/** The comment behind a key whose value stands on the lines below, as go-yaml gives it to the key: with its `#`. */
export function keyComment(text: string, root: Node, path: FieldPath): string | undefined {
  const entry = entryAbove(text, root, path)
  return entry === undefined ? undefined : /^[ \t]*:[ \t]+(#.*)$/.exec(behindKey(text, entry))?.[1]
}

/**
 * The text with a comment behind a key whose value stands on the lines below; one that was there comes to stand on a line above the key.
 * Where there is no such key, the text as it is.
 *
 * @param comment  with its `#`; undefined takes the one that is there away
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
  // The first key of an item shares its line with the dash: there the comment follows the dash.
  const isFirst = /^ *$/.test(text.slice(at, key.start))
  return isFirst
    ? { start: at, end: at, text: `${' '.repeat(columnOf(text, key.start))}${comment}${lineFeed}` }
    : { start: key.start, end: key.start, text: `${comment}${lineFeed}${' '.repeat(columnOf(text, key.start))}` }
}

/** The entry that a path leads to, if its value begins on a line below its key. */
function entryAbove(text: string, root: Node, path: FieldPath): KeyedNode | undefined {
  const parent = nodesAlong(root, path.slice(0, -1))[path.length - 1]
  const entry = parent?.type === 'map' ? findEntry(parent, String(path.at(-1))) : undefined
  return entry === undefined || entry.value.start < lineEnd(text, entry.key.end) ? undefined : entry
}

function behindKey(text: string, { key }: KeyedNode): string {
  return text.slice(key.end, lineEnd(text, key.end))
}
