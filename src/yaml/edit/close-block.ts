import { NODES } from '../read/builder.ts'
import { readFast } from '../read/fast-reader.ts'
import { lineBreakAt, lineEnd } from '../read/lines.ts'
import type { Node, ScalarNode } from '../read/node.ts'
import { readYaml, YamlError } from '../read/yaml-reader.ts'
import { applySplices, type Splice } from './splice.ts'

const HEADER = /[|>]([1-9]?)([-+]?)([1-9]?)/y

/**
 * A text in which the last line does not end, so that a line break behind it belongs to no value: where it ends inside a block scalar,
 * that is to have no line break at its end.
 */
export function closeBlock(text: string): string {
  return applySplices(text, closing(text, read(text)))
}

/**
 * The splices made, of which what comes behind the end of a text must not end the last line of a block scalar there, and what goes must not
 * take the end of that line.
 *
 * @param root  what was read of the text, to its end where something is added there
 */
export function applyAtEnd(text: string, root: Node, splices: readonly Splice[]): string {
  if (text.endsWith('\n') || splices.length === 0) return applySplices(text, splices)
  const closed = closingBeside(text, root, splices)
  const isFollowed = splices.some(({ start, text: added }) => start >= text.trimEnd().length && added !== '')
  const after = applySplices(text, isFollowed ? [...splices, ...closed] : splices)
  return closed.length > 0 && !isFollowed ? after : withLastBreak(after)
}

/** What closes the block scalar that ends a text, unless other splices take its place. */
export function closingBeside(text: string, node: Node, splices: readonly Splice[]): readonly Splice[] {
  return closing(text, node).filter((each) => splices.every((other) => isApart(each, other)))
}

/** Made only where a line comes behind: of the header of the block scalar that ends the text; of blanks that are no line of it until they end. */
function closing(text: string, node: Node | undefined): readonly Splice[] {
  const last = node && openBlock(text, node)
  if (last === undefined) return []
  HEADER.lastIndex = last.start
  const [header = '', before = '', chomping = '', behind = ''] = HEADER.exec(text) ?? []
  if (header === '' || chomping === '-') return []
  const blanks = last.text.endsWith('\n') ? /\r?\n *$/.exec(text) : undefined
  if (blanks === undefined)
    return [{ start: last.start, end: last.start + header.length, text: `${header.slice(0, 1)}${before}${behind}-` }]
  return blanks === null || chomping !== '+' ? [] : [{ start: blanks.index, end: text.length, text: '' }]
}

function isApart(one: Splice, other: Splice): boolean {
  return one.end <= other.start || other.end <= one.start
}

/** What ends in a block scalar that did not end the text before: its last line had an end. */
function withLastBreak(text: string): string {
  const root = text.endsWith('\n') ? undefined : read(text)
  return closing(text, root).length === 0 ? text : `${text}${lineBreakAt(text, text.length)}`
}

/** The block scalar in whose lines a text ends; one without lines has nothing to lose. */
function openBlock(text: string, node: Node): ScalarNode | undefined {
  const last = lastScalar(node)
  if (last === undefined || text.endsWith('\n') || (last.style !== 'literal' && last.style !== 'folded')) return undefined
  return lineEnd(text, last.start) === text.length || text.slice(last.end).trim() !== '' ? undefined : last
}

function lastScalar(node: Node | undefined): ScalarNode | undefined {
  if (node?.type === 'map') return lastScalar(node.entries.at(-1)?.value)
  if (node?.type === 'sequence') return lastScalar(node.items.at(-1)?.value)
  return node?.type === 'scalar' ? node : undefined
}

/** undefined: not by itself, since an alias in it stands for something above. */
function read(text: string): Node | undefined {
  try {
    return readFast(text, NODES, { frame: 'document' }) ?? readYaml(text)
  } catch (error) {
    if (error instanceof YamlError) return undefined
    throw error
  }
}
