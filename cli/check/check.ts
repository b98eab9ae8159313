import { type Command, InvalidArgumentError, Option } from 'commander'
import { SYSTEM_NAMES, type SystemName, systemName } from '../../src/compatibility/compatibility.ts'
import type { FleetObjects } from '../../src/fleet/read-fleet-folder.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import { readBoundedText } from '../../src/folder/bounded-file.ts'
import { maskedText } from '../../src/folder/masked-text.ts'
import { acrossClusters } from '../../src/grouped-results.ts'
import { hideKnownSecrets } from '../../src/known-secrets.ts'
import { printable } from '../../src/printable.ts'
import { remember } from '../../src/remember.ts'
import type { Result } from '../../src/result.ts'
import { shellPath } from '../../src/shell-word.ts'
import { countOf } from '../../src/wording.ts'
import { addColorOptions } from '../command-options.ts'
import { addFleetOptions, requireOut } from '../fleet/fleet-options.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { pathsInRepository } from '../print/repository-paths.ts'
import { stylesFor } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import { watching } from '../watching.ts'
import { writeEdits } from '../write-edits.ts'
import { type Checked, checkFleet, type FleetChecks, readAndCheck } from './check-fleet.ts'
import { checkGithub, checkJson, checkJunit, checkSarif } from './check-formats.ts'
import { type CheckTextOptions, checkText, type LineOf, summarizeCheck } from './check-text.ts'
import { type CheckView, viewCheck } from './check-view.ts'
import { applyFixes, fixOf } from './fixes.ts'

interface CheckOptions extends FleetChecks {
  readonly format: Format
  readonly fix?: boolean
  readonly unsafeFixes?: boolean
  readonly all?: boolean
  readonly watch?: boolean
  readonly color?: boolean
}

type Format = keyof typeof PRINTERS

/** @throws InvalidArgumentError  for a name of no system */
function parseSystem(text: string): SystemName {
  const name = systemName(text)
  if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${SYSTEM_NAMES.join(', ')}.`)
  return name
}

interface Printing extends CheckTextOptions {
  readonly version: string
}

const PRINTERS = {
  text: checkText,
  json: (view: CheckView) => checkJson(view),
  sarif: (view: CheckView, { version }: Printing) => checkSarif(view, version),
  github: (view: CheckView) => checkGithub(view),
  junit: (view: CheckView) => checkJunit(view),
} as const

/** The formats that code hosts read, with the paths of their repository. */
const FOR_HOSTS: ReadonlySet<Format> = new Set<Format>(['sarif', 'github', 'junit'])

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
    .addOption(new Option('--format <format>', 'how to print it').choices(Object.keys(PRINTERS)).default('text'))
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
  if (isFixing) await holdingFolders({ dirs: [dir], isWriting: true }, host, () => fix(dir, options, host))
  const { read, results, unverified = 0 } = await readAndCheck(dir, options, host)
  const { all = false, format } = options
  // A person reads one line of what is equal on several clusters, so it counts once; programs get and count the finding of each cluster.
  const shown = format === 'text' && !all ? acrossClusters(results) : results
  const view = viewCheck(FOR_HOSTS.has(format) ? fromTop(shown, dir, host) : shown)
  const notes = [
    ...(options.format === 'text' ? [] : [`Check: ${summarizeCheck(view)}`]),
    ...(read === undefined ? [] : [`read ${describeRead(read.list.items)}`]),
    ...(unverified === 0 ? [] : [notChecked(unverified, dir)]),
  ]
  if (notes.length > 0) host.warn(`${printable(notes.join('; '))}\n`)
  const printing = { styles: stylesFor(host, options), lineOf: lineReader(dir, host), all, version: host.version }
  const text = PRINTERS[format](view, printing)
  if (format === 'github') host.writeData(hideKnownSecrets(text))
  else host.write(text)
  return view.counts.errors > 0 ? 1 : 0
}

/** Refuses options that do not go together. @throws UsageError */
function refuseTogether(dir: string, isFixing: boolean, options: CheckOptions, host: Host): void {
  if (options.against === '') throw new UsageError('`--against` must name a git revision, such as origin/main, got an empty text')
  if (options.against !== undefined && dir === '-') throw new UsageError('`--against` must have a folder to compare, got -')
  requireOut(dir, options, host)
  if (isFixing && dir === '-') throw new UsageError('`--fix` must have a folder to write to, got -')
}

/** Returns findings with the paths of their files from the top of the git repository. */
function fromTop(results: readonly Result[], dir: string, host: Host): readonly Result[] {
  const pathOf = pathsInRepository(dir, host)
  return results.map((result) =>
    result.file === undefined ? result : { ...result, file: { ...result.file, path: pathOf(result.file.path) } },
  )
}

/** Returns the note about dependencies of which nothing is known, with the command that lists each. */
function notChecked(count: number, dir: string): string {
  const listing = `krm-variants fn check-dependencies${dir === '-' ? '' : ` ${shellPath(dir)}`}`
  return `${countOf(count, 'dependency')} not checked, since nothing is known of ${count === 1 ? 'it' : 'them'} (${listing} lists each)`
}

/**
 * Writes what can be written, and shows it: beside data for programs on stderr.
 *
 * @throws FunctionError with each file that must not be written, before anything is
 */
async function fix(dir: string, options: CheckOptions, host: Host): Promise<void> {
  // Packages outside of the folder are not written.
  const { read, results } = await readAndCheck(dir, options, host, false)
  if (read === undefined) return
  const fixed = await fixAll({ read, results }, dir, options, host)
  const say = options.format === 'text' ? host.write : host.warn
  const changes = writeEdits(read, dir, { say, isDryRun: false }, host)
  say(`${countOf(fixed, 'finding')} fixed in ${countOf(changes.length, 'file')}\n`)
}

/** Each round can uncover further findings: a misspelt key hides the faults below the key. More rounds than this uncover none. */
const MOST_ROUNDS = 5

/** Fixes findings in memory until a round fixes none. Returns the number of fixed findings. */
async function fixAll(
  { read, results }: Checked & { readonly read: FleetObjects },
  dir: string,
  options: CheckOptions,
  host: Host,
): Promise<number> {
  let fixed = 0
  let found = results
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const wanted = found.filter((result) => fixOf(result) === 'safe' || (options.unsafeFixes === true && fixOf(result) === 'unsafe'))
    const { length } = applyFixes(wanted, read.list.items)
    if (length === 0) break
    fixed += length
    found = (await checkFleet(new FleetReading(read, dir, options, host), options, host)).results
  }
  return fixed
}

/** Returns a function that returns a line of a file. Each file is read once. A list on stdin has no files. */
function lineReader(dir: string, host: Host): LineOf {
  const files = new Map<string, readonly string[]>()
  return (path, line) => {
    if (dir === '-') return undefined
    return remember(files, path, () => linesOf(host.locate(path)))[line - 1]
  }
}

function linesOf(place: string): readonly string[] {
  try {
    return maskedText(readBoundedText(place)).split(/\r?\n/)
  } catch {
    // Gone since it was checked, or too large to read.
    return []
  }
}
