import { type Command, Option } from 'commander'
import { hasErrors, type Result } from '../../src/result.ts'
import { addColorOptions, repeated } from '../command-options.ts'
import { addFleetOptions, requireOut } from '../fleet/fleet-options.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import type { ExitCode, Host } from '../host.ts'
import { distinctResults, printResults, shownResults } from '../print/print-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import type { FleetRenderRequest } from '../render/fleet-render-request.ts'
import { renderChanged } from '../render/render-fleet.ts'
import { addRunnerOptions } from '../run/runner-options.ts'
import { readRingFleet } from './read-rings.ts'
import { askedRings, type RingFilters } from './ring-filters.ts'
import { ringsJson, ringsText } from './rings-report.ts'
import { RingOutcomes, viewRings } from './rings-view.ts'

interface RingsOptions extends RingFilters, Pick<FleetRenderRequest, 'out' | 'config' | 'offline' | 'gitTimeout' | 'allowOutside'> {
  readonly format: 'text' | 'json'
  readonly run: boolean
  readonly render: boolean
  readonly color?: boolean
}

const NOTES = `
A package is there if it is at the revision that its ring asks for, and behind if it is at another one. A package is edited if people
changed one of its files, and in conflict if the next render would replace an edit. The packages are rendered in memory for that; nothing
is written. A dash stands for what is not known without a folder of packages, which the options of render-variants or --out name.

Exit code: 0 every package is there, 2 some are not, 1 an error.

Examples:
  krm-variants rings fleet
  krm-variants rings --package cert-manager --ring canary --format json fleet`

/** Adds `rings [DIR]`: lists the rings of matrices with their packages. */
export function addRings(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('rings')
    .description('list the rings of matrices: the revision that each asks for, and how many of its packages are there')
    .argument('[dir]', 'the folder of the fleet', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .option('--matrix <name>', 'this matrix only, NAME or NAMESPACE/NAME; may be given again', repeated)
    .option('--package <name>', 'this upstream only, PACKAGE or REPOSITORY/PACKAGE; may be given again', repeated)
    .option('--ring <name>', 'this ring only; may be given again', repeated)
    .option('--no-render', 'do not render the packages in memory')
    .option('--no-run', 'leave the functions of packages alone, as render --no-run does')
  addFleetOptions(command)
  addColorOptions(addRunnerOptions(command))
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: RingsOptions) => finish(await rings(dir, options, host)))
}

async function rings(dir: string, options: RingsOptions, host: Host): Promise<ExitCode> {
  requireOut(dir, options, host)
  const fleet = await readRingFleet('rings', dir, options, host)
  const asked = askedRings(fleet.plan, options)
  const { outcomes, results: refused } = asked.length === 0 ? { results: [] } : await renderRings(fleet.reading, options, host)
  const results = distinctResults(shownResults([...fleet.results, ...fleet.locks.results, ...refused]))
  const view = viewRings(asked, { locks: fleet.locks, outcomes, results, occupied: fleet.occupied })
  host.warn(printResults(results, errorStylesFor(host, options)))
  if (view.rings.length === 0) host.warn('no matrix of the fleet has rings: `spec.rings` of a PackageVariantMatrix lists them\n')
  host.write(options.format === 'json' ? ringsJson(view) : ringsText(view, stylesFor(host, options)))
  if (hasErrors(results)) return 1
  return view.rings.some(({ packages, there }) => there < packages) ? 2 : 0
}

/** Renders the fleet in memory. Returns no outcomes if the packages are not to be rendered, have no folder, or cannot be rendered. */
async function renderRings(
  reading: FleetReading,
  options: RingsOptions,
  host: Host,
): Promise<{ readonly outcomes?: RingOutcomes; readonly results: readonly Result[] }> {
  if (!options.render) return { results: [] }
  const outcomes = new RingOutcomes()
  const request = { ...options, fanOut: true, run: options.run && ('known' as const), allowMoved: true }
  const faults = await renderChanged(reading, request, host, { change: () => {}, look: (rendered) => outcomes.take(rendered) })
  return faults?.length === 0 ? { outcomes, results: [] } : { results: faults ?? [] }
}
