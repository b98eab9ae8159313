import { Copied, type EmittedValue, isContentList, isContentRecord } from '../emit/content.ts'
import { emitFlow, emitValue, isNested, type Layout, type Sequences } from '../emit/emit.ts'
import { requote } from '../emit/quote.ts'
import { blockEnd, columnOf, lineBreakAt, lineEnd, lineStart } from '../read/lines.ts'
import type { Node } from '../read/node.ts'
import type { Span, Splice } from './apply-splices.ts'
import { isBlockCollection } from './block.ts'
import type { NodeInContext } from './members.ts'

/** Returns the splices that replace a value, and the offset at which the old value ended. Comments of the line stay. */
export function replace(
  text: string,
  held: NodeInContext,
  value: EmittedValue,
  sequences: Sequences,
): { splices: readonly Splice[]; end: number } {
  if (held.inFlow) return { splices: [replaceInline(text, held, flowText(held, value))], end: held.node.end }
  const old = extent(text, held)
  const { end } = old.body
  const literals = end < text.length && blockEnd(text, end, held.column) === end
  const [head = '', ...body] = render(text, held, value, { sequences, literals }).split('\n')
  if (head === '' && isOnLineBelow(text, held))
    return { splices: [{ ...lineOf(text, old.head), text: lines(text, old.head.end, body) }], end }
  const start = head === '' || standsBehindTab(text, held) ? held.lead : old.head.start
  const isParted = head === '' || start <= 0 || /[ \n]/.test(text[start - 1] ?? ' ')
  const splices = [
    { start, end: old.head.end, text: isParted ? head : ` ${head}` },
    { ...old.body, text: lines(text, old.body.start, body) },
  ]
  return { splices, end }
}

/** Returns true if a value that is not a block map or list is on a line below its key, so that comments may be between the two. */
function isOnLineBelow(text: string, { node, lead }: NodeInContext): boolean {
  return !isBlockCollection(node) && node.start > lead && lineStart(text, node.start) > lead
}

/** Returns true if only blanks with a tab are between a value and its key or dash: a map or list cannot begin after a tab. */
function standsBehindTab(text: string, { node, lead }: NodeInContext): boolean {
  const between = text.slice(lead, node.start)
  return between.includes('\t') && between.trim() === ''
}

/** Returns the span with the line break and the indentation before it. */
function lineOf(text: string, { start, end }: Span): Span {
  return { start: lineEnd(text, lineStart(text, lineStart(text, start) - 1)), end }
}

function lines(text: string, at: number, body: readonly string[]): string {
  const lineBreak = lineBreakAt(text, at)
  return body.map((line) => `${lineBreak}${line}`).join('')
}

function flowText({ node }: NodeInContext, value: EmittedValue): string {
  const kept = typeof value === 'string' && node.type === 'scalar' && node.style !== 'plain' ? requote(value, node.style, 0) : undefined
  return kept ?? emitFlow(value)
}

function replaceInline(text: string, { node, lead }: NodeInContext, written: string): Splice {
  const missing = node.start === node.end
  const separator = missing && node.start === lead ? (text[lead - 1] === ':' ? ' ' : ': ') : ''
  return { start: node.start, end: node.end, text: separator + written }
}

interface Extent {
  /** The part on the line of the key or dash. */
  readonly head: Span
  /** The lines below, from the end of the first line; without such lines an empty span where they would begin. */
  readonly body: Span
}

/** Returns the text that a value occupies. */
function extent(text: string, { node, lead, column, holder }: NodeInContext): Extent {
  const start =
    node.tag === undefined || node.anchor !== undefined ? node.start : lead + (/^ */.exec(text.slice(lead, node.start))?.[0].length ?? 0)
  if (isBlockCollection(node)) {
    const end = blockEnd(text, node.end, column)
    const inline = holder === 'item' && lineStart(text, node.start) === lineStart(text, lead)
    if (inline) return { head: { start: node.start, end }, body: { start: end, end } }
    const properties = /^(?:[ \t]+[!&]\S*)*/.exec(text.slice(lead, node.start))?.[0].length ?? 0
    return { head: { start: lead, end: lead + properties }, body: { start: lineEnd(text, lead), end } }
  }
  if (node.type === 'scalar' && (node.style === 'literal' || node.style === 'folded')) {
    const header = /^[|>][-+0-9]*/.exec(text.slice(node.start, node.end))?.[0].length ?? 0
    return {
      head: { start, end: node.start + header },
      body: { start: lineEnd(text, node.start), end: Math.max(node.end, lineEnd(text, node.start)) },
    }
  }
  const end = lineEnd(text, node.end)
  return { head: { start, end: node.end }, body: { start: end, end } }
}

type Style = Omit<Layout, 'column'>

/** Returns the text of a value after a colon or dash. A map or list below a key begins with a line break. */
function render(text: string, held: NodeInContext, value: EmittedValue, style: Style): string {
  const layout = { ...style, column: childColumn(text, held, value, style.sequences) }
  const isTagged = value instanceof Copied && value.node.tag !== undefined
  if (isNested(value) && !isTagged && held.holder === 'entry') return `\n${' '.repeat(layout.column)}${emitValue(value, layout)}`
  return keepStyle(held.node, value, layout) ?? emitValue(value, layout)
}

/** Returns a string in the quotes of the old scalar; undefined if these cannot represent the string. */
function keepStyle(node: Node, value: EmittedValue, { column, literals }: Layout): string | undefined {
  if (typeof value !== 'string' || node.type !== 'scalar') return undefined
  return node.style === 'literal' && literals === false ? undefined : requote(value, node.style, column)
}

/** Returns the column of the lines below: that of an old value of the same kind, otherwise two more than the holder's. */
function childColumn(text: string, held: NodeInContext, value: EmittedValue, sequences: Sequences): number {
  const { node, holder, lead, column } = held
  if (node.type === 'map' && !node.flow && isMap(value)) return columnOf(text, node.start)
  if (node.type === 'sequence' && !node.flow && isList(value)) return columnOf(text, node.start)
  const inline = holder === 'item' && node.start > lead && lineStart(text, node.start) === lineStart(text, lead)
  if (inline && !standsBehindTab(text, held)) return columnOf(text, node.start)
  return isList(value) && holder === 'entry' && sequences === 'compact' ? column : column + 2
}

function isMap(value: EmittedValue): boolean {
  return isContentRecord(value) || (value instanceof Copied && value.node.type === 'map')
}

function isList(value: EmittedValue): boolean {
  return isContentList(value) || (value instanceof Copied && value.node.type === 'sequence')
}
