import cytoscape from 'cytoscape'
import { labelLines } from '../short-text.ts'
import type { PageData } from './page-data.ts'

/** The characters that a line of a node has room for. */
const LINE = 34

const SHAPES: Readonly<Record<string, cytoscape.Css.NodeShape>> = {
  package: 'barrel',
  set: 'round-rectangle',
  target: 'cut-rectangle',
  variant: 'rectangle',
  dependency: 'ellipse',
  missing: 'ellipse',
}

/**
 * Draws the graph of a fleet into a box, in steps between which the page responds.
 *
 * @param choose  called with the text to search for when a node that represents variants is clicked
 */
export async function drawFleet(
  box: HTMLElement,
  { nodes, edges, rings }: PageData['graph'],
  choose: (text: string) => void,
): Promise<void> {
  const drawing = cytoscape({ container: box, minZoom: 0.05, maxZoom: 3 })
  drawing.on('tap', 'node[type = "set"], node[type = "variant"]', ({ target }) => choose(searchFor(String(target.data('label')))))
  await pause()
  drawing.style(styleOf(box))
  await pause()
  const columns = new Map(rings.map(({ id, column }) => [id, column]))
  drawing.add([
    ...rings.map(({ id, label }) => ({ data: { id, label, shown: labelLines(label, LINE), shape: 'round-rectangle', type: 'ring' } })),
    ...nodes.map(({ id, type, label, ring }) => ({
      data: {
        id,
        label,
        shown: labelLines(label, LINE),
        shape: SHAPES[type] ?? 'rectangle',
        type,
        ...(ring !== undefined && { parent: ring, column: columns.get(ring) ?? 0 }),
      },
    })),
    ...edges.map(({ from, to, label }) => ({ data: { source: from, target: to, label } })),
  ])
  await pause()
  drawing.layout(LAYOUT).run()
}

/** Lets the page do what else is to be done. */
function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done))
}

/** The distance of two columns of variants. */
const COLUMN = 260

/** From left to right, as names are wide. The variants of each ring are a column of their own. */
const LAYOUT: cytoscape.LayoutOptions = {
  name: 'breadthfirst',
  directed: true,
  avoidOverlap: true,
  spacingFactor: 1.1,
  transform: (node: cytoscape.NodeSingular, { x, y }: cytoscape.Position) => ({
    x: y * 1.4 + Number(node.data('column') ?? 0) * COLUMN,
    y: x / 3.4,
  }),
}

/** Returns the style of the drawing in the colors of the page. */
function styleOf(box: HTMLElement): cytoscape.StylesheetJson {
  const colors = getComputedStyle(box)
  const color = (name: string) => colors.getPropertyValue(`--${name}`).trim()
  return [
    {
      selector: 'node',
      style: {
        label: 'data(shown)',
        shape: 'data(shape)' as cytoscape.Css.NodeShape,
        'background-color': color('panel'),
        'border-color': color('line'),
        'border-width': 1,
        color: color('text'),
        'font-size': 11,
        'text-valign': 'center',
        'text-wrap': 'wrap',
        'text-max-width': '200px',
        'text-overflow-wrap': 'whitespace',
        width: 210,
        height: 44,
      },
    },
    {
      selector: 'node[type = "ring"]',
      style: { 'background-opacity': 0.4, 'border-style': 'dashed', padding: '12px', 'text-valign': 'top', color: color('faint') },
    },
    { selector: 'node[type = "set"]', style: { 'border-width': 3 } },
    { selector: 'node[type = "missing"]', style: { 'border-style': 'dashed', 'border-color': color('remove') } },
    {
      selector: 'edge',
      style: {
        label: 'data(label)',
        color: color('faint'),
        'font-size': 10,
        width: 1,
        'line-color': color('line'),
        'target-arrow-color': color('line'),
        'target-arrow-shape': 'triangle',
        'curve-style': 'bezier',
      },
    },
  ]
}

/** Returns the text to search for from the label of a node: `region=north` for `region=north: 80 variants`. */
function searchFor(label: string): string {
  return label.replace(/(: |^)\d+ variants?$/, '')
}
