import { posix } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { removalsSince } from '../../functions/check-dependencies/check-dependencies.ts'
import { faultsOfOut } from '../../functions/render-variants/render-variants.ts'
import { findingsFor, refusesOtherYaml, SYSTEM_NAMES, type SystemName, systemName } from '../../src/compatibility/compatibility.ts'
import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import { holdsPackages } from '../../src/dependencies/resolve-objects.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FleetObjects } from '../../src/fleet/read-fleet-folder.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import { readBoundedText } from '../../src/folder/bounded-file.ts'
import { maskedText } from '../../src/folder/masked-text.ts'
import { fleetTreeInside } from '../../src/git/tree-inside.ts'
import { acrossClusters } from '../../src/grouped-results.ts'
import { hideKnownSecrets } from '../../src/known-secrets.ts'
import { refusedResources } from '../../src/pipeline/check-resources.ts'
import { tryRuns, withFoldersAbove } from '../../src/pipeline/check-runs.ts'
import type { AskedPackage } from '../../src/pipeline/run-packages.ts'
import { printable } from '../../src/printable.ts'
import { behindResult } from '../../src/render/edits/functions-behind.ts'
import { staleInjections } from '../../src/render/list/stale-injection.ts'
import { guardOfRendered } from '../../src/render/runs/needed-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE } from '../../src/resource-list/package-of.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, findingsOf, type Result } from '../../src/result.ts'
import { upstreamsOfPlan } from '../../src/upstream/check-upstreams.ts'
import { countOf } from '../../src/wording.ts'
import { addColorOptions } from '../command-options.ts'
import { addFleetOptions, type FleetChoices } from '../fleet/fleet-options.ts'
import { FleetReading, openFleet, requireOut } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import { withOnlyOptions } from '../function-config.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { type Revision, readAgainst } from '../plan/compare-with-revision.ts'
import { distinctResults } from '../print/print-results.ts'
import { pathsInRepository } from '../print/repository-paths.ts'
import { stylesFor } from '../print/styles.ts'
import { runnersFor } from '../run/function-runners.ts'
import { filesBeside } from '../sync/committed-sync-objects.ts'
import { UsageError } from '../usage-error.ts'
import { watching } from '../watching.ts'
import { writeEdits } from '../write-edits.ts'
import { checkFolder, isBelow, NO_HOST } from './check-folder.ts'
import { checkGithub, checkJson, checkJunit, checkSarif } from './check-formats.ts'
import { ringFindings } from './check-rings.ts'
import { type CheckTextOptions, checkText, type LineOf, summarizeCheck } from './check-text.ts'
import { type CheckView, viewCheck } from './check-view.ts'
import { applyFixes, fixOf } from './fixes.ts'
import { renderRefusals } from './render-refusals.ts'

interface CheckOptions extends FleetChoices {
  readonly format: Format
  readonly target: SystemName
  readonly against?: string
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
  const told = format === 'text' && !all ? acrossClusters(results) : results
  const view = viewCheck(FOR_HOSTS.has(format) ? fromTop(told, dir, host) : told)
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
  const listing = `krm-variants fn check-dependencies${dir === '-' ? '' : ` ${dir}`}`
  return `${countOf(count, 'dependency')} not checked, since nothing is known of ${count === 1 ? 'it' : 'them'} (${listing} lists each)`
}

interface Checked {
  /** undefined where a file cannot be read. */
  readonly read?: FleetObjects
  readonly results: readonly Result[]
  /** The number of dependencies that could not be checked. */
  readonly unverified?: number
}

/**
 * Files that cannot be read are findings too.
 *
 * @param isWhole  true to check rendered packages that are outside of the folder, too
 */
async function readAndCheck(dir: string, options: CheckOptions, host: Host, isWhole = true): Promise<Checked> {
  try {
    const fleet = await openFleet(dir, options, host)
    const checked = await checkPackage(isWhole ? fleet.withPackagesOutside() : fleet, options, host)
    const refusals = dir === '-' ? [] : await renderRefusals(fleet, options, host)
    return { ...checked, results: distinctResults([...checked.results, ...refusals]) }
  } catch (error) {
    if (error instanceof FunctionError) return { results: error.results }
    throw error
  }
}

async function checkPackage(fleet: FleetReading, options: CheckOptions, host: Host): Promise<Checked> {
  const { config, target, against, gitTimeout, allowOutside = false } = options
  const { read, dir, clusters } = fleet
  const { list } = read
  const dependencies = withOnlyOptions(list, 'check-dependencies', { config, dir }, host)
  const kptfiles = new Map(list.items.filter(({ kind }) => kind === KPTFILE).map((item) => [folderOf(item.file?.path ?? ''), item]))
  const kptfileIn = (folder: string) => kptfiles.get(posix.join(dir, folder))
  const revision = against === undefined ? undefined : { ref: against, seconds: gitTimeout }
  const upstreamsOf = (plan: FleetPlan) => upstreamsOfPlan(plan, fleet.library(plan).library, kptfileIn)
  const removals = revision === undefined ? [] : findingsOf(() => removalFindings(dependencies, clusters, dir, revision, host))
  const open = (folder: string): AskedPackage => {
    const name = (path: string) => posix.join(folder, path)
    const place = host.locate(folder === '' ? '.' : folder)
    const { tree } = fleetTreeInside(place, name)
    return { tree, place, name, guard: guardOfRendered(tree) }
  }
  const outOf = (config: KrmObject) => faultsOfOut(config, allowOutside ? undefined : host.locate(dir))
  const { results, cloned, unverified, plan } = await checkFolder({
    list,
    folder: dir,
    dependencies,
    clusters,
    ...(dir !== '-' && { upstreamsOf, outOf, places: filesBeside(read, dir, host) }),
  })
  const ofPlan = plan === undefined || dir === '-' ? [] : planFindings(fleet, plan, revision, host)
  const isRun = refusesOtherYaml(target) || !list.items.some(isOfFleet) ? () => true : undefined
  const refused = refusedResources(read.files, open, { isRun, cloned })
  const known = [...read.results, ...results, ...refused]
  const isUpstream = isBelow(cloned)
  const withErrors = known.flatMap(({ severity, file }) => (severity === 'error' && file !== undefined ? [folderOf(file.path)] : []))
  const packages = read.files.flatMap(({ path }) => (isKptfile(path) ? [folderOf(path)] : []))
  const left = new Set([...withErrors, ...packages.filter(isUpstream)].flatMap(withFoldersAbove))
  const isLeftOut = (folder: string) => left.has(folder) || isUpstream(folder)
  const runners = await runnersFor({}, NO_HOST, () => false)
  const tried = dir === '-' ? undefined : tryRuns({ files: read.files, open, isLeftOut, runners })
  const isLeft = tried === undefined || tried.behind.length === 0 || fleet.leavesFunctions
  const behind = isLeft ? [] : tried.behind.map((folder) => behindResult(folder, 'behind'))
  const found = findingsFor(target, [...known, ...(tried?.results ?? []), ...behind, ...ofPlan, ...removals], list.items)
  return { read, results: distinctResults(withoutVagueWorkspaces(found)), unverified }
}

/** Returns the findings about rings since a revision, if one is given, about injections that are not up to date, and about the places of packages. */
function planFindings(fleet: FleetReading, plan: FleetPlan, revision: Revision | undefined, host: Host): readonly Result[] {
  return [
    ...(revision === undefined ? [] : findingsOf(() => ringFindings(plan, fleet, revision, host))),
    ...findingsOf(() => staleIn(fleet, plan)),
    ...findingsOf(() => findPlaceFaults(fleet, plan)),
  ]
}

/** Returns true for an object by which `render` makes packages. Packages of a folder without one are run as they are. */
function isOfFleet({ kind }: KrmObject): boolean {
  return kind === 'PackageVariant' || kind === 'PackageVariantSet' || kind === 'PackageVariantMatrix'
}

/** Returns the findings of packages whose install was removed since a git revision. A folder without packages is not compared. */
function removalFindings(list: ResourceList, clusters: AskedClusters, dir: string, revision: Revision, host: Host): readonly Result[] {
  return holdsPackages(list.items) ? removalsSince(list, readAgainst(revision, dir, host).list, clusters) : []
}

/** Returns the findings without those of a workspace that another finding, which knows the PackageRevisions, names the right value for. */
function withoutVagueWorkspaces(results: readonly Result[]): readonly Result[] {
  const placeOf = ({ resourceRef, field, file }: Result): string => JSON.stringify([resourceRef, field?.path, file])
  const named = new Set(results.filter(({ tags }) => tags.rule === 'other-workspace').map(placeOf))
  return results.filter((result) => result.tags.rule !== 'workspace-beside-revision' || !named.has(placeOf(result)))
}

/** Returns the stale injections of the packages that were rendered into the folder. */
function staleIn({ read, dir, options }: FleetReading, plan: FleetPlan): readonly Result[] {
  const { items } = read.list
  return staleInjections({ items, folder: dir === '.' ? '' : posix.join(dir, '.'), plan, options })
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
    found = (await checkPackage(new FleetReading(read, dir, options, host), options, host)).results
  }
  return fixed
}

/** Returns a function that returns a line of a file. Each file is read once. A list on stdin has no files. */
function lineReader(dir: string, host: Host): LineOf {
  const files = new Map<string, readonly string[]>()
  return (path, line) => {
    if (dir === '-') return undefined
    const lines = files.get(path) ?? linesOf(host.locate(path))
    files.set(path, lines)
    return lines[line - 1]
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
