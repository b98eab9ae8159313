import { type Command, Option } from 'commander'
import { requiredPackagesOf } from '../../functions/check-dependencies/check-dependencies.ts'
import { planInSteps } from '../../functions/fan-out/fan-out.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import { printable } from '../../src/printable.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { advance } from '../advance.ts'
import { withOptions } from '../config-file.ts'
import { withFunctionConfig } from '../function-config.ts'
import type { ExitCode, Host } from '../host.ts'
import { printResults } from '../print/print-results.ts'
import { shownResults } from '../print/shown-results.ts'
import { errorStylesFor } from '../print/styles.ts'
import { readInput } from '../read-input.ts'
import { collapseGraph } from './collapse-graph.ts'
import { type FleetGraph, fleetGraph } from './fleet-graph.ts'
import { graphDot, graphMermaid } from './graph-dot.ts'

interface GraphOptions {
  readonly format: Format
  readonly config?: string
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
  program
    .command('graph')
    .description('draw upstream packages, sets, targets, variants, and what packages require of each other')
    .argument('[dir]', 'the folder to read, - for a ResourceList on stdin', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(Object.keys(PRINTERS)).default('mermaid'))
    .option('--config <file>', "options of check-dependencies, instead of those that the folder's Kptfile names")
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: GraphOptions) => finish(await graph(dir, options, host)))
}

async function graph(dir: string, { format, config }: GraphOptions, host: Host): Promise<ExitCode> {
  const { list, results } = await readInput(dir, host)
  const plan = await advance(planInSteps(withFunctionConfig(list, 'fan-out', dir)), 'variant', host)
  const required = requiredPackagesOf(withOptions(list, 'check-dependencies', { config, dir }, host))
  const drawn = fleetGraph(plan, required)
  const found = [...results, ...plan.results.filter(({ tags }) => tags.rule !== 'no-set'), ...refuseNothing(drawn, list)]
  host.warn(printResults(shownResults(found), errorStylesFor(host, {})))
  const say = format === 'html' ? host.writeData : host.write
  if (drawn.nodes.length > 0) say(await PRINTERS[format](drawn, { ...plan, results: found }, dir))
  host.warn(`read ${printable(describeRead(list.items))}\n`)
  return hasErrors(found) ? 1 : 0
}

function refuseNothing({ nodes }: FleetGraph, { items }: ResourceList): readonly Result[] {
  if (nodes.length > 0) return []
  const message = `\`items\` must hold sets, variants or packages that require others; read ${describeRead(items)}`
  return [{ severity: 'error', message, tags: { rule: 'nothing-read' } }]
}

/** Returns the page of a fleet. The code of the page is large, so it is loaded on demand. */
async function graphPage(graph: FleetGraph, { sets, results }: FleetPlan, dir: string): Promise<string> {
  const [{ pageData }, { pageHtml }] = await Promise.all([import('./page-data.ts'), import('./page-html.ts')])
  const variants = sets.flatMap(({ changes }) => changes.filter(({ op }) => op !== 'remove'))
  const summary = `${countOf(sets.length, 'set')}, ${countOf(variants.length, 'variant')}`
  const shown = { title: `Fleet ${dir}`, summary, first: 'graph', byHand: [], isShown: () => true } as const
  return pageHtml(pageData({ ...shown, sets, graph, results: shownResults(results) }))
}
