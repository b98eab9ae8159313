import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { quoteText } from '../../src/schema/describe-value.ts'
import { gitTimeoutOption } from '../git-timeout.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'

/** The choices of the caller about a fleet. Each means the same in every command that takes it (docs/options.md). */
export interface FleetChoices {
  /** The folder of the rendered packages. */
  readonly out?: string
  /** A file with options of functions, instead of those of the folder. */
  readonly config?: string
  /** True to read upstream packages, and the `out` of the options, outside of the folder. */
  readonly allowOutside?: boolean
  readonly offline?: boolean
  /** The seconds without output after which a call of git fails. */
  readonly gitTimeout?: number
  /** The only cluster to look at. */
  readonly cluster?: string
}

const HEADING = 'Options of the fleet, with one meaning in every command:'

const OPTIONS = {
  out: () => new Option('--out <folder>', 'where the packages are, each at REPOSITORY/PACKAGE; default: `out` of the RenderVariants'),
  config: () => new Option('--config <file>', 'options of functions, such as RenderVariants, instead of those of the folder'),
  allowOutside: () =>
    new Option('--allow-outside', 'read upstream packages, and packages in an `out` of the options, outside of the folder'),
  offline: () => new Option('--offline', 'read git repositories from earlier clones, and do not ask the network'),
  gitTimeout: gitTimeoutOption,
  cluster: () => new Option('--cluster <name>', 'look at this cluster only: a Repository of the fleet, or what `clusters` captures'),
} as const

/**
 * Adds the options of every command that reads a fleet, as one group of the help.
 *
 * @param renamed  other flags for options whose name the command has for something else
 */
export function addFleetOptions(
  command: Command,
  {
    without = [],
    renamed = {},
  }: { readonly without?: readonly (keyof FleetChoices)[]; readonly renamed?: Readonly<Record<string, Option>> } = {},
): Command {
  for (const [name, make] of Object.entries(OPTIONS))
    if (!without.some((each) => each === name)) command.addOption((renamed[name] ?? make()).helpGroup(HEADING))
  return command
}

/** Refuses a folder of packages that does not exist: a misspelt one would look like one without packages. @throws UsageError */
export function requireOut(dir: string, { out }: Pick<FleetChoices, 'out'>, host: Host): void {
  if (out !== undefined && dir === '-') throw new UsageError('`--out` must come with a folder to read, got -')
  if (out !== undefined && out !== '' && !existsSync(host.locate(out))) throw new UsageError(`no folder ${quoteText(out)}`)
}
