import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { fieldPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Position, Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { applySplices, type Splice } from '../yaml/edit/apply-splices.ts'
import { columnOf, lineEnd } from '../yaml/read/lines.ts'
import { findEntry, type KeyedNode, type MapNode, type Node, nodesAlong, type SequenceNode, walk } from '../yaml/read/node.ts'
import { commentBehind, headEnd } from '../yaml/read/written.ts'
import { fieldError } from './catalog-config.ts'

/**
 * Returns a text as a comment, with its `#`.
 *
 * @throws FunctionError  at the field that gets the comment, for a text with a line break or another control character
 */
export function checkComment(item: KrmObject, path: FieldPath, text: string): string {
  if (/^[^\p{Cc}\u2028\u2029\ufeff\p{Cs}]*$/u.test(text)) return text.startsWith('#') ? text : `# ${text}`
  throw fieldError(item, { rule: 'line-comment', path, message: `must get a comment of one line, got ${quoteText(text)}` })
}

/** A value in brackets that gets lines of its own, since values inside get comments. */
interface OpenedValue {
  readonly node: MapNode | SequenceNode
  /** The key of the value; undefined for an entry of a list. */
  readonly key: KeyedNode | undefined
  readonly comments: Map<Node, string>
}

/**
 * Writes comments behind the values of an object; an earlier comment there is replaced. The comment of a list with lines is written
 * behind its key. A list or map in brackets gets lines if values inside get comments.
 *
 * @example `hosts: [a, b]` with a comment for `hosts[0]` → `hosts:`, `- a # comment`, `- b`
 * @param comments  by path, each with its `#`
 * @returns the paths of values deeper in brackets, which get no comment
 */
export function setLineComments(item: KrmObject, comments: ReadonlyMap<FieldPath, string>): readonly FieldPath[] {
  const skipped = setOuterComments(item, comments)
  // What stood inside of two brackets stands inside of one now, if the outer ones were opened.
  if (skipped.length === 0 || skipped.length === comments.size) return skipped
  return setLineComments(item, new Map(skipped.map((path) => [path, comments.get(path) ?? ''])))
}

/** Writes the comments of values outside of brackets and directly inside, as `setLineComments`. Returns the other paths. */
function setOuterComments(item: KrmObject, comments: ReadonlyMap<FieldPath, string>): readonly FieldPath[] {
  const { text, node: root } = item.written()
  const opened = new Map<Node, OpenedValue>()
  const written = new Map<Node, { readonly key: KeyedNode | undefined; readonly comment: string }>()
  const skipped: FieldPath[] = []
  for (const [path, comment] of comments) {
    const nodes = nodesAlong(root, path)
    const node = nodes[path.length]
    if (node === undefined) continue
    const bracket = nodes.slice(0, path.length).find(isFlow)
    const holder =
      bracket === nodes[path.length - 1] ? (opened.get(bracket ?? node) ?? openable(text, nodes, path.slice(0, -1))) : undefined
    if (bracket === undefined) written.set(node, { key: keyOf(nodes, path), comment })
    else if (holder === undefined) skipped.push(path)
    else {
      opened.set(holder.node, holder)
      holder.comments.set(node, comment)
    }
  }
  const dashes = opened.size > 0 && hasWideLists(text, root) ? 2 : 0
  const splices = [
    ...[...written].filter(([node]) => !opened.has(node)).map(([node, { key, comment }]) => commentSplice(text, { node, key, comment })),
    ...[...opened.values()].map((value) => openedSplice(text, value, { dashes, comment: written.get(value.node)?.comment })),
  ]
  if (splices.length > 0) item.takeText(applySplices(text, splices))
  return skipped
}

function isFlow(node: Node): boolean {
  return (node.type === 'map' || node.type === 'sequence') && node.flow
}

function keyOf(nodes: readonly Node[], path: FieldPath): KeyedNode | undefined {
  const holder = nodes[path.length - 1]
  return holder?.type === 'map' ? findEntry(holder, String(path.at(-1))) : undefined
}

/** Returns the list or map in brackets at a path if it is on one line, with nothing but a comment behind it. */
function openable(text: string, nodes: readonly Node[], path: FieldPath): OpenedValue | undefined {
  const node = nodes[path.length]
  const key = keyOf(nodes, path)
  if (node?.type !== 'map' && (node?.type !== 'sequence' || key === undefined)) return undefined
  const isBehindKey = key === undefined || /^[ \t]*:[ \t]*$/.test(text.slice(key.key.end, node.start))
  const isAlone = isBehindKey && path.length > 0 && BEHIND.test(text.slice(node.end, lineEnd(text, node.end)))
  return isAlone && !text.slice(node.start, node.end).includes('\n') ? { node, key, comments: new Map() } : undefined
}

const BEHIND = /^[ \t]*(?:#.*)?$/

/** Returns the edit that writes a comment behind a value, or behind the key of a list or map whose value is on the lines below. */
function commentSplice(
  text: string,
  { node, key, comment }: { readonly node: Node; readonly key: KeyedNode | undefined; readonly comment: string },
): Splice {
  const isBelow = key !== undefined && (node.type === 'sequence' || node.type === 'map') && !node.flow
  const from = isBelow ? key.key.end + (/^[^#\n]*?:(?:[ \t]+[!&]\S*)*/.exec(text.slice(key.key.end))?.[0].length ?? 0) : headEnd(text, node)
  return { start: from, end: lineEnd(text, from), text: ` ${comment}` }
}

/**
 * Returns the edit that writes a value in brackets with a line for each entry. A comment behind the brackets goes behind the key, for an
 * entry of a list behind its first line.
 */
function openedSplice(
  text: string,
  { node, key, comments }: OpenedValue,
  { dashes, comment = commentBehind(text, node) }: { readonly dashes: number; readonly comment: string | undefined },
): Splice {
  const lineFeed = text[lineEnd(text, node.end)] === '\r' ? '\r\n' : '\n'
  const own = key === undefined ? columnOf(text, node.start) : columnOf(text, key.key.start) + (node.type === 'map' ? 2 : dashes)
  const lines = entriesOf(text, node).map(({ head, value }, index) => {
    const behind = comments.get(value) ?? (key === undefined && index === 0 ? comment : undefined)
    return `${head}${text.slice(value.start, value.end)}${behind === undefined ? '' : ` ${behind}`}`
  })
  const written = lines.join(`${lineFeed}${' '.repeat(own)}`)
  if (key === undefined) return { start: node.start, end: lineEnd(text, node.end), text: written }
  const start = key.key.end + (/^[ \t]*:/.exec(text.slice(key.key.end))?.[0].length ?? 0)
  const head = comment === undefined ? '' : ` ${comment}`
  return { start, end: lineEnd(text, node.end), text: `${head}${lineFeed}${' '.repeat(own)}${written}` }
}

function entriesOf(text: string, node: MapNode | SequenceNode): readonly { readonly head: string; readonly value: Node }[] {
  if (node.type === 'sequence') return node.items.map(({ value }) => ({ head: '- ', value }))
  return node.entries.map(({ key, value }) => ({ head: `${text.slice(key.start, key.end)}: `, value }))
}

/** Returns true if the dashes of the first block list below a key are indented more than the key. */
function hasWideLists(text: string, root: Node): boolean {
  for (const { key, node } of walk(root))
    if (key !== undefined && node.type === 'sequence' && !node.flow) return columnOf(text, node.start) > columnOf(text, key.start)
  return false
}

/** Returns the warning about a value that gets no comment. */
export function skippedComment(item: KrmObject, path: FieldPath, position: Position): Result {
  return {
    severity: 'warning',
    message: `\`${formatFieldPath(path)}\` must be on a line of its own to get a comment`,
    ...fieldPlace(item, path, position),
    tags: { rule: 'comment-skipped' },
  }
}
