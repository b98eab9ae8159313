import { type Command, InvalidArgumentError, Option } from 'commander'
import { SYSTEM_NAMES, type SystemName, systemName } from '../../src/compatibility/compatibility.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import { printable } from '../../src/printable.ts'
import { shellPath } from '../../src/shell-word.ts'
import { countOf } from '../../src/wording.ts'
import { addColorOptions } from '../command-options.ts'
import { addFleetOptions, requireOut } from '../fleet/fleet-options.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'
import { watching } from '../watching.ts'
import { type FleetChecks, readAndCheck } from './check-fleet.ts'
import { CHECK_FORMATS, type CheckOutput, printCheck, viewFor } from './check-output.ts'
import { summarizeCheck } from './check-text.ts'
import { fixFindings } from './fix-findings.ts'

interface CheckOptions extends FleetChecks, CheckOutput {
  readonly fix?: boolean
  readonly unsafeFixes?: boolean
  readonly watch?: boolean
}

/** @throws InvalidArgumentError  for a name of no system */
function parseSystem(text: string): SystemName {
  const name = systemName(text)
  if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${SYSTEM_NAMES.join(', ')}.`)
  return name
}

const NOTES = `
What is checked: PackageVariantSets and what they fan out to, PackageVariants, the pipelines of Kptfiles, the configs of our functions,
what packages require of each other, and what FleetPolicies forbid. krm-variants rule ID explains a finding.

--against compares the revisions of rings with those of a git revision: a change must skip no ring, overtake none, and raise one at a time.
Packages that leave their ring must keep their revision in the same change. Of an install that was removed, it says which packages require it,
and what was installed for it.

--fix writes what means the same as what is read today, --unsafe-fixes also what is only likely; both show what they write.

Exit code: 0 no errors, 1 errors.

Examples:
  krm-variants check examples/fleet
  krm-variants check --format sarif fleet > check.sarif
  krm-variants check --against origin/main fleet
  krm-variants check --fix fleet`

/** Adds `check [DIR]`: reports all findings of a folder. */
export function addCheck(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('check')
    .description('say what is wrong in a folder: sets, variants, pipelines, function configs, dependencies')
    .argument('[dir]', 'the folder to read, - for a ResourceList on stdin', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(CHECK_FORMATS).default('text'))
    .addOption(
      new Option('--target <system>', 'report also what this system refuses, ignores or does otherwise')
        .choices(SYSTEM_NAMES)
        .argParser(parseSystem)
        .default('krm-variants'),
    )
    .option(
      '--against <ref>',
      'report also what the change since this git revision does to rings, and what removed installs leave or break',
    )
    .option('--fix', 'write the safe ones of the proposed values')
    .option('--unsafe-fixes', 'write all proposed values that an edit can take')
    .option('--all', 'list each of many findings that differ by their object only')
    .option('--watch', 'check again whenever something changes, until Ctrl-C')
  addFleetOptions(addColorOptions(command))
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: CheckOptions) => finish(await watching(dir, options, host, () => check(dir, options, host))))
}

async function check(dir: string, options: CheckOptions, host: Host): Promise<ExitCode> {
  const isFixing = options.fix === true || options.unsafeFixes === true
  refuseTogether(dir, isFixing, options, host)
  if (isFixing) await holdingFolders({ dirs: [dir], isWriting: true }, host, () => fixFindings(dir, options, host))
  const { read, results, unverified = 0 } = await readAndCheck(dir, options, host)
  const view = viewFor(results, dir, options, host)
  const notes = [
    ...(options.format === 'text' ? [] : [`Check: ${summarizeCheck(view)}`]),
    ...(read === undefined ? [] : [`read ${describeRead(read.list.items)}`]),
    ...(unverified === 0 ? [] : [notChecked(unverified, dir)]),
  ]
  if (notes.length > 0) host.warn(`${printable(notes.join('; '))}\n`)
  printCheck(view, dir, options, host)
  return view.counts.errors > 0 ? 1 : 0
}

/** Refuses options that do not go together. @throws UsageError */
function refuseTogether(dir: string, isFixing: boolean, options: CheckOptions, host: Host): void {
  if (options.against === '') throw new UsageError('`--against` must name a git revision, such as origin/main, got an empty text')
  if (options.against !== undefined && dir === '-') throw new UsageError('`--against` must have a folder to compare, got -')
  requireOut(dir, options, host)
  if (isFixing && dir === '-') throw new UsageError('`--fix` must have a folder to write to, got -')
}

/** Returns the note about dependencies of which nothing is known, with the command that lists each. */
function notChecked(count: number, dir: string): string {
  const listing = `krm-variants fn check-dependencies${dir === '-' ? '' : ` ${shellPath(dir)}`}`
  return `${countOf(count, 'dependency')} not checked, since nothing is known of ${count === 1 ? 'it' : 'them'} (${listing} lists each)`
}
