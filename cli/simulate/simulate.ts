import { realpathSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { type Simulation, simulateAsConfigured } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import type { AppliedChange } from '../../src/dependencies/simulation/simulate.ts'
import { describeKinds } from '../../src/fleet/what-was-read.ts'
import { placeInKptfile } from '../../src/kinds/kptfile-config-map.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import { printable } from '../../src/printable.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, resultToJson } from '../../src/result.ts'
import { addColorOptions, repeated } from '../command-options.ts'
import { addFleetOptions, type FleetChoices } from '../fleet/fleet-options.ts'
import { openFleetNow } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import { withOnlyOptions } from '../function-config.ts'
import type { ExitCode, Host } from '../host.ts'
import { printResults, shownResults } from '../print/print-results.ts'
import { printJson } from '../print/print-value.ts'
import { errorStylesFor, type Styles, stylesFor } from '../print/styles.ts'
import { refuseNoPackages } from '../resolve/refuse-no-packages.ts'
import { readChange } from './read-change.ts'

interface SimulateOptions extends FleetChoices {
  readonly change?: readonly string[]
  readonly format: Format
  readonly color?: boolean
}

type Format = keyof typeof PRINTERS

const PRINTERS = { text: simulateText, json: simulateJson } as const

const NAME = 'resolve-dependencies'

const NOTES = `
A FILE holds resources, or parts of them: they are merged into those of the folder, one file after the other, and the package managers do what they
would until nothing is left to do. A FILE of the folder counts as a change only. metadata.deletionTimestamp deletes; with prune: true in the
options, what was installed for the deleted object goes too. Nothing is written.

crossplaneSemantics of the options says by which rules: current, today's code, or seed, the design of Packages v2.

Exit code: 0 done; 1 an error.

Examples:
  krm-variants simulate examples/lifecycles/crossplane --change examples/lifecycles/changes/upgrade.yaml
  krm-variants simulate clusters/edge --change upgrade.yaml --change rollback.yaml --format json`

/** Adds `simulate [DIR] --change FILE…`: prints the steps of the package managers after some changes, state by state. */
export function addSimulate(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('simulate')
    .description('show what the package managers would do with changes: revisions, owners, dependencies')
    .argument('[dir]', 'the folder with the installed objects', '.')
    .option('--change <file>', 'resources to apply; may be given again', repeated)
    .addOption(new Option('--format <format>', 'how to print it').choices(Object.keys(PRINTERS)).default('text'))
  addFleetOptions(addColorOptions(command))
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: SimulateOptions) => finish(await simulate(dir, options, host)))
}

async function simulate(dir: string, options: SimulateOptions, host: Host): Promise<ExitCode> {
  const { change = [], config, format } = options
  const fleet = openFleetNow(dir, options, host).withPackagesOutside()
  const { list: read, results } = fleet.read
  const changes = change.map((file) => readChange(file, host))
  const { items, functionConfig } = withOnlyOptions(read, NAME, { config, dir }, host)
  const list = ResourceList.of(withoutFiles(items, change, host), functionConfig)
  const what = describeKinds(list.items)
  const nothing = refuseNoPackages([...items, ...changes.flatMap(({ objects }) => objects)])
  const states = nothing.length > 0 ? [] : run(list, changes, fleet.clusters)
  const found = [
    ...results,
    ...findPlaceFaults(fleet, await fleet.plan()),
    ...(nothing.length > 0 ? nothing : unknownKinds(list.items, PACKAGE_KINDS)),
    ...states.flatMap((state) => state.results),
  ]
  host.warn(printResults(hasErrors(found) ? found : shownResults(found), errorStylesFor(host, options)))
  host.write(PRINTERS[format](states, stylesFor(host, options)))
  host.warn(`read ${printable(what)}\n`)
  return hasErrors(found) ? 1 : 0
}

/** Returns the resources without those of the files that are changes: such a file counts once, when its change is applied. */
function withoutFiles(items: readonly KrmObject[], files: readonly string[], host: Host): readonly KrmObject[] {
  const changed = new Set(files.map((file) => realpathSync(host.locate(file))))
  const isChange = new Map<string, boolean>()
  return items.filter(({ file }) => {
    if (file === undefined) return true
    const found = isChange.get(file.path) ?? changed.has(realpathSync(host.locate(file.path)))
    isChange.set(file.path, found)
    return !found
  })
}

function run(list: ResourceList, changes: readonly AppliedChange[], clusters: AskedClusters): Simulation {
  try {
    return simulateAsConfigured(list, changes, clusters)
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError(placeInKptfile(error.results, () => list)) : error
  }
}

type State = Simulation[number]

const NOTHING = '  no controller has anything to do\n'

const UNKNOWN = '  it is not known what the controllers would do, for errors\n'

/** Returns a simulation for a terminal: each change, each reconcile with its reasons, and the packages afterwards. */
export function simulateText(states: Simulation, styles: Styles): string {
  return states.map((state) => stateText(state, styles)).join('\n')
}

function stateText({ change, rounds, packages, results }: State, styles: Styles): string {
  const head = styles.strong(change === undefined ? 'At the start' : `Change ${printable(change)}`)
  const reconciles = rounds.map((steps, i) => roundText(i + 1, steps, styles))
  const isRefused = hasErrors(results)
  const nothing = rounds.length > 0 || (change === undefined && !isRefused) ? [] : [isRefused ? UNKNOWN : NOTHING]
  return [`${head}\n`, ...nothing, ...reconciles, ...packages.map((each) => packageText(each, styles))].join('')
}

function roundText(number: number, steps: State['rounds'][number], styles: Styles): string {
  const lines = steps.map(({ what, why }) => `    ${styles.changed(`* ${printable(what)}`)}\n        ${styles.faint(printable(why))}\n`)
  return `  reconcile ${number}\n${lines.join('')}`
}

function packageText({ name, at, parts }: State['packages'][number], styles: Styles): string {
  return `  ${styles.added(`= ${printable(name)}`)}${at === '' ? '' : `: ${printable(at)}`}\n${parts.map((part) => `      ${printable(part)}\n`).join('')}`
}

/** Returns a simulation for other programs: one JSON document with a state for each change, after the state without changes. */
export function simulateJson(states: Simulation): string {
  const shown = states.map(({ results, ...state }) => ({ ...state, results: results.map(resultToJson) }))
  return `${printJson({ states: shown }, 2)}\n`
}
