import { type Command, Option } from 'commander'
import { type Simulation, simulateAsConfigured } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { describeKinds } from '../../src/fleet/what-was-read.ts'
import { placeInKptfile } from '../../src/kinds/kptfile-config-map.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import { printable } from '../../src/printable.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { withOnlyOptions } from '../config-file.ts'
import type { ExitCode, Host } from '../host.ts'
import { printResults } from '../print/print-results.ts'
import { shownResults } from '../print/shown-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { readFolder } from '../read-input.ts'
import { refuseNoPackages } from '../resolve/refuse-no-packages.ts'
import { readChange } from './read-change.ts'
import { simulateJson, simulateText } from './simulate-text.ts'

interface SimulateOptions {
  readonly change?: readonly string[]
  readonly config?: string
  readonly format: Format
  readonly color?: boolean
}

type Format = keyof typeof PRINTERS

const PRINTERS = { text: simulateText, json: simulateJson } as const

const NAME = 'resolve-dependencies'

const NOTES = `
A FILE holds resources, or parts of them: they are merged into those of the folder, one file after the other, and the package managers do what they
would until nothing is left to do. metadata.deletionTimestamp deletes. Nothing is written.

crossplaneSemantics of the options says by which rules: current, today's code, or seed, the design of Packages v2.

Exit code: 0 done; 1 an error.

Examples:
  krm-variants simulate examples/lifecycles/crossplane --change examples/lifecycles/changes/upgrade.yaml
  krm-variants simulate clusters/edge --change upgrade.yaml --change rollback.yaml --format json`

/** Adds `simulate [DIR] --change FILE…`: prints the steps of the package managers after some changes, state by state. */
export function addSimulate(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('simulate')
    .description('show what the package managers would do with changes: revisions, owners, dependencies')
    .argument('[dir]', 'the folder with what is there', '.')
    .option('--change <file>', 'resources to apply; may be given again', (file, files: string[] = []) => [...files, file])
    .option(
      '--config <file>',
      "options of resolve-dependencies; default: those that the folder's Kptfile names, else its only ResolveDependencies",
    )
    .addOption(new Option('--format <format>', 'how to print it').choices(Object.keys(PRINTERS)).default('text'))
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action((dir: string, options: SimulateOptions) => finish(simulate(dir, options, host)))
}

function simulate(dir: string, options: SimulateOptions, host: Host): ExitCode {
  const { change = [], config, format } = options
  const { list: read, results } = readFolder(dir, host)
  const changes = change.map((file) => readChange(file, host))
  const list = withOnlyOptions(read, NAME, { config, dir }, host)
  const what = describeKinds(list.items)
  const nothing = refuseNoPackages(list.items)
  const states = nothing.length > 0 ? [] : run(list, changes)
  const found = [
    ...results,
    ...(nothing.length > 0 ? nothing : unknownKinds(list.items, PACKAGE_KINDS)),
    ...states.flatMap((state) => state.results),
  ]
  host.warn(printResults(hasErrors(found) ? found : shownResults(found), errorStylesFor(host, options)))
  host.write(PRINTERS[format](states, stylesFor(host, options)))
  host.warn(`read ${printable(what)}\n`)
  return hasErrors(found) ? 1 : 0
}

function run(list: ResourceList, changes: Parameters<typeof simulateAsConfigured>[1]): Simulation {
  try {
    return simulateAsConfigured(list, changes)
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError(placeInKptfile(error.results, () => list)) : error
  }
}
