import { type Command, Option } from 'commander'
import { requiredPackagesOf } from '../../functions/check-dependencies/check-dependencies.ts'
import { attempt } from '../../src/attempt.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import { hideKnownSecrets } from '../../src/known-secrets.ts'
import { printable } from '../../src/printable.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { clusterFinder, clusterTest, onlyInCluster } from '../fleet/cluster-option.ts'
import { addFleetOptions, type FleetChoices } from '../fleet/fleet-options.ts'
import { type FleetReading, openFleet } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import { withOnlyOptions } from '../function-config.ts'
import type { ExitCode, Host } from '../host.ts'
import { printResults, shownResults } from '../print/print-results.ts'
import { errorStylesFor } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import { collapseGraph } from './collapse-graph.ts'
import { type FleetGraph, fleetGraph, type GraphNode } from './fleet-graph.ts'

interface GraphOptions extends FleetChoices {
  readonly format: Format
}

type Format = keyof typeof PRINTERS

const PRINTERS = {
  mermaid: (drawn: FleetGraph) => graphMermaid(collapseGraph(drawn)),
  dot: (drawn: FleetGraph) => graphDot(collapseGraph(drawn)),
  html: graphPage,
} as const

const NOTES = `
Exit code: 0 done, 1 an error: what can be drawn is drawn.

Examples:
  krm-variants graph examples/fleet
  krm-variants graph --format dot fleet | dot -Tsvg > fleet.svg
  krm-variants graph --format html fleet > fleet.html`

/** Adds `graph [DIR]`: draws which packages, sets, targets and variants derive from which. */
export function addGraph(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('graph')
    .description('draw upstream packages, sets, targets, variants, and what packages require of each other')
    .argument('[dir]', 'the folder to read, - for a ResourceList on stdin', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(Object.keys(PRINTERS)).default('mermaid'))
  addFleetOptions(command)
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: GraphOptions) => finish(await graph(dir, options, host)))
}

async function graph(dir: string, options: GraphOptions, host: Host): Promise<ExitCode> {
  const { format, config } = options
  const fleet = (await openFleet(dir, options, host)).withPackagesOutside()
  const { list, results } = fleet.read
  const plan = await fleet.plan()
  const required = requiredPackagesOf(withOnlyOptions(list, 'check-dependencies', { config, dir }, host), fleet.clusters)
  const isAsked = askedCluster(fleet, plan, options)
  const drawn = fleetGraph(plan, required, isAsked)
  const planned = plan.results.filter(({ tags }) => tags.rule !== 'no-set')
  const found = [...results, ...planned, ...findPlaceFaults(fleet, plan), ...refuseNothing(drawn, list)]
  host.warn(printResults(shownResults(found), errorStylesFor(host, {})))
  if (drawn.nodes.length > 0) {
    const text = await PRINTERS[format](drawn, { ...plan, sets: onlyInCluster(plan.sets, isAsked), results: found }, fleet)
    if (format === 'html') host.writeData(hideKnownSecrets(text))
    else host.write(text)
  }
  host.warn(`read ${printable(describeRead(list.items))}\n`)
  return hasErrors(found) ? 1 : 0
}

/** Returns the test of `clusterTest`; undefined also for a cluster that `clusters` captures, of which no Repository is known. */
function askedCluster({ read }: FleetReading, { sets }: FleetPlan, options: FleetChoices): ReturnType<typeof clusterTest> {
  // The packages of a cluster that nothing names were refused before.
  return attempt(() => clusterTest(read.list.items, options, sets), UsageError)
}

function refuseNothing({ nodes }: FleetGraph, { items }: ResourceList): readonly Result[] {
  if (nodes.length > 0) return []
  const message = `the input must hold sets, variants or packages that require others; read ${describeRead(items)}`
  return [{ severity: 'error', message, tags: { rule: 'nothing-read' } }]
}

/** Returns the page of a fleet. The code of the page is large, so it is loaded on demand. */
async function graphPage(graph: FleetGraph, { sets, results }: FleetPlan, { dir, read }: FleetReading): Promise<string> {
  const { fleetPage, pageData } = await import('./page-data.ts')
  const variants = sets.flatMap(({ changes }) => changes.filter(({ op }) => op !== 'remove'))
  const summary = `${countOf(sets.length, 'set')}, ${countOf(variants.length, 'variant')}`
  const clusterOf = clusterFinder(read.list.items)
  const shown = { title: `Fleet ${dir}`, summary, first: 'graph', byHand: [], isShown: () => true, clusterOf } as const
  return fleetPage(pageData({ ...shown, sets, graph, results: shownResults(results) }))
}

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

/** Returns a graph in the language of Graphviz. A longer edge leads to a later column. */
function graphDot(graph: FleetGraph): string {
  const { nodes, edges, rings } = graph
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const columnOf = columnFinder(graph)
  const drawn = nodes.map(({ id, type, label }) => `  ${names.get(id)} [label=${quote(label)}, ${STYLES[type]}];\n`)
  const linked = edges.map(({ from, to, label }) => {
    const column = columnOf(to)
    const fields = [...(label === '' ? [] : [`label=${quote(label)}`]), ...(column === 0 ? [] : [`minlen=${column + 1}`])]
    return `  ${names.get(from)} -> ${names.get(to)}${fields.length === 0 ? '' : ` [${fields.join(', ')}]`};\n`
  })
  const boxes = rings.map(({ id, label }, index) => {
    const own = nodes.flatMap((node) => (node.ring === id ? [` ${names.get(node.id)};`] : []))
    return `  subgraph cluster_${index} { label=${quote(label)};${own.join('')} }\n`
  })
  return `digraph fleet {\n  rankdir=LR;\n  node [fontname="sans-serif"];\n${drawn.join('')}${boxes.join('')}${linked.join('')}}\n`
}

/** Returns a function that returns the column of a node: 0 for a node in no ring. */
function columnFinder({ nodes, rings }: FleetGraph): (id: string) => number {
  const columns = new Map(rings.map(({ id, column }) => [id, column]))
  const ofNodes = new Map(nodes.map(({ id, ring = '' }) => [id, columns.get(ring) ?? 0]))
  return (id) => ofNodes.get(id) ?? 0
}

/**
 * Returns a quoted string of DOT. A backslash would begin an escape of labels, an `&` an entity of HTML. Lines of the text become lines of
 * the label.
 */
function quote(text: string): string {
  const lines = text.split('\n').map((line) => printable(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;'))
  return `"${lines.join('\\n')}"`
}

/** Returns a graph in the language of Mermaid, which GitHub draws in Markdown. A longer arrow leads to a later column. */
function graphMermaid(graph: FleetGraph): string {
  const { nodes, edges, rings } = graph
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const columnOf = columnFinder(graph)
  const drawn = nodes.map(({ id, type, label }) => {
    const [open, close] = SHAPES[type]
    return `  ${names.get(id)}${open}"${escapeLabel(label)}"${close}:::${type}\n`
  })
  const linked = edges.map(({ from, to, label }) => {
    const arrow = `--${'-'.repeat(columnOf(to))}>`
    return `  ${names.get(from)} ${arrow}${label === '' ? '' : `|"${escapeLabel(label)}"|`} ${names.get(to)}\n`
  })
  const boxes = rings.map(({ id, label }, index) => {
    const own = nodes.flatMap((node) => (node.ring === id ? [`    ${names.get(node.id)}\n`] : []))
    return `  subgraph r${index}["${escapeLabel(label)}"]\n${own.join('')}  end\n`
  })
  return `flowchart LR\n${drawn.join('')}${boxes.join('')}${linked.join('')}  classDef missing stroke:#c00,stroke-dasharray:4\n`
}

/** Replaces every character that is not plain in a label by its number. Users choose the names, and Mermaid reads HTML and Markdown. */
function escapeLabel(text: string): string {
  const lines = text.split('\n').map(printable).join('\n')
  return Array.from(lines, (character) => (/[\p{L}\p{N} .,:=/()!-]/u.test(character) ? character : `#${character.codePointAt(0)};`)).join(
    '',
  )
}
