import type { FieldPath } from '../../src/field-path.ts'
import { findEntry, type Node, nodesAlong } from '../../src/yaml/read/node.ts'
import type { Edit } from './edit.ts'

/** Lines of a text, the first and the one behind the last, from 0. */
interface Lines {
  readonly from: number
  readonly to: number
}

/** Returns true if only lines that an edit may touch are changed: those of the value, or none where something new comes in. */
export function keepsOtherLines(before: string, root: Node, edit: Edit, after: string): boolean {
  // Without a final line feed the last line gives its break away with it.
  const ends = before.endsWith('\n') ? '\n' : /\r?\n/
  const [old, made] = [before.split(ends), after.split(ends)]
  const touched = touchedLines(before, old, root, edit)
  if (touched === undefined) return commonStart(old, made) + commonEnd(old, made) >= old.length
  return commonStart(old, made) >= touched.from && commonEnd(old, made) >= old.length - touched.to
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((line, index) => line !== b[index])
  return differing === -1 ? a.length : differing
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  return commonStart(a.toReversed(), b.toReversed())
}

/** undefined: lines are added, none may change. */
function touchedLines(text: string, lines: readonly string[], root: Node, { op, path }: Edit): Lines | undefined {
  const nodes = nodesAlong(root, path)
  const parent = nodes.at(-2)
  if (nodes.length <= path.length) {
    const last = nodes.at(-1) ?? root
    return isEmpty(last) || nodes.some(isFlow) ? linesOf(text, lines, root, path.slice(0, nodes.length - 1)) : undefined
  }
  const emptied = op === 'delete' && parent !== undefined && sizeOf(parent) === 1
  const whole = emptied || nodes.slice(0, -1).some(isFlow)
  const touched = linesOf(text, lines, root, whole ? path.slice(0, -1) : path)
  return op === 'delete' && standsBehindDash(text, parent, path) ? { ...touched, to: nextContent(lines, touched.to) } : touched
}

function isFlow(node: Node): boolean {
  return (node.type === 'map' || node.type === 'sequence') && node.flow
}

function isEmpty(node: Node): boolean {
  return sizeOf(node) === 0
}

function sizeOf(node: Node): number {
  if (node.type === 'map') return node.entries.length
  return node.type === 'sequence' ? node.items.length : 0
}

/** From the comment lines above a key or dash to the last comment line that stands deeper than it. */
function linesOf(text: string, lines: readonly string[], root: Node, path: FieldPath): Lines {
  const nodes = nodesAlong(root, path)
  const node = nodes.at(-1) ?? root
  const start = path.length === 0 ? 0 : memberStart(nodes.at(-2) ?? root, path.at(-1) ?? '')
  const first = lineOf(text, start)
  const column = start - (text.lastIndexOf('\n', start - 1) + 1)
  let from = first
  while (from > 0 && isOwnComment(lines[from - 1] ?? '', column)) from--
  let to = Math.max(first, lineOf(text, Math.max(node.end - 1, start))) + 1
  while (to < lines.length && isDeeperComment(lines[to] ?? '', column)) to++
  return { from, to: path.length === 0 ? lines.length : to }
}

/** Taking away what stands behind a dash brings the next member there. */
function standsBehindDash(text: string, parent: Node | undefined, path: FieldPath): boolean {
  const start = memberStart(parent ?? EMPTY, path.at(-1) ?? '')
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() !== ''
}

const EMPTY: Node = { type: 'map', flow: false, entries: [], start: 0, end: 0 }

/** Behind the next line that is neither blank nor a comment. */
function nextContent(lines: readonly string[], from: number): number {
  const at = lines.findIndex((line, index) => index >= from && !/^ *(#|$)/.test(line))
  return at === -1 ? lines.length : at + 1
}

function memberStart(parent: Node, step: string | number): number {
  if (parent.type === 'sequence') return parent.items[Number(step)]?.dash ?? parent.start
  return parent.type === 'map' ? (findEntry(parent, String(step))?.key.start ?? parent.start) : parent.start
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1
}

function isOwnComment(line: string, column: number): boolean {
  return /^ *#/.test(line) && line.indexOf('#') === column
}

function isDeeperComment(line: string, column: number): boolean {
  return line.trim() === '' || (/^[ \t]*#/.test(line) && line.indexOf('#') > column)
}
