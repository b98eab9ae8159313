import { printable } from '../../src/printable.ts'
import type { FleetGraph, GraphNode } from './fleet-graph.ts'

/** The brackets that draw each type of node in Mermaid. */
const SHAPES: Readonly<Record<GraphNode['type'], readonly [string, string]>> = {
  package: ['[(', ')]'],
  set: ['[[', ']]'],
  target: ['{{', '}}'],
  variant: ['[', ']'],
  dependency: ['(', ')'],
  missing: ['(', ')'],
}

const STYLES: Readonly<Record<GraphNode['type'], string>> = {
  package: 'shape=cylinder',
  set: 'shape=box, style=bold',
  target: 'shape=hexagon',
  variant: 'shape=box',
  dependency: 'shape=box, style=rounded',
  missing: 'shape=box, style="rounded,dashed", color=red',
}

/** Returns a graph in the language of Graphviz. */
export function graphDot({ nodes, edges }: FleetGraph): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const drawn = nodes.map(({ id, type, label }) => `  ${names.get(id)} [label=${quote(label)}, ${STYLES[type]}];\n`)
  const linked = edges.map(
    ({ from, to, label }) => `  ${names.get(from)} -> ${names.get(to)}${label === '' ? '' : ` [label=${quote(label)}]`};\n`,
  )
  return `digraph fleet {\n  rankdir=LR;\n  node [fontname="sans-serif"];\n${drawn.join('')}${linked.join('')}}\n`
}

/**
 * Returns a quoted string of DOT. A backslash would begin an escape of labels, an `&` an entity of HTML. Lines of the text become lines of
 * the label.
 */
function quote(text: string): string {
  const lines = text.split('\n').map((line) => printable(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;'))
  return `"${lines.join('\\n')}"`
}

/** Returns a graph in the language of Mermaid, which GitHub draws in Markdown. */
export function graphMermaid({ nodes, edges }: FleetGraph): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const drawn = nodes.map(({ id, type, label }) => {
    const [open, close] = SHAPES[type]
    return `  ${names.get(id)}${open}"${escapeLabel(label)}"${close}:::${type}\n`
  })
  const linked = edges.map(
    ({ from, to, label }) => `  ${names.get(from)} -->${label === '' ? '' : `|"${escapeLabel(label)}"|`} ${names.get(to)}\n`,
  )
  return `flowchart LR\n${drawn.join('')}${linked.join('')}  classDef missing stroke:#c00,stroke-dasharray:4\n`
}

/** Replaces every character that is not plain in a label by its number. Users choose the names, and Mermaid reads HTML and Markdown. */
function escapeLabel(text: string): string {
  const lines = text.split('\n').map(printable).join('\n')
  return Array.from(lines, (character) => (/[\p{L}\p{N} .,:=/()!-]/u.test(character) ? character : `#${character.codePointAt(0)};`)).join(
    '',
  )
}
