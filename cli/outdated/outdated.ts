import { posix } from 'node:path'
import { type Command, Option } from 'commander'
import { planInSteps } from '../../functions/fan-out/fan-out.ts'
import { type NewerRevision, newerRevisions, type UpstreamRevisions } from '../../src/fleet/newer-revisions.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { printable } from '../../src/printable.ts'
import { diskPackageSource } from '../../src/render/source/disk-package-source.ts'
import { UpstreamLibrary } from '../../src/render/source/upstream-library.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { countOf } from '../../src/wording.ts'
import { advance } from '../advance.ts'
import { withFunctionConfig } from '../function-config.ts'
import { gitTimeoutOption } from '../git-timeout.ts'
import type { ExitCode, Host } from '../host.ts'
import { refuseNoSet } from '../plan/no-set.ts'
import { printResults, shownResults } from '../print/print-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { readInput, requireFolder } from '../read-input.ts'
import { configuredOptions, type FleetRenderRequest, gitPlaces, renderChanged } from '../render/run-render.ts'
import { addRunnerOptions } from '../run/function-runners.ts'
import { UsageError } from '../usage-error.ts'
import { writeEdits } from '../write-edits.ts'
import { outdatedJson, outdatedText } from './outdated-text.ts'
import { UpdateOutcomes, viewOutdated } from './outdated-view.ts'

interface OutdatedOptions extends Pick<FleetRenderRequest, 'out' | 'config' | 'offline' | 'gitTimeout' | 'allowOutside'> {
  readonly format: 'text' | 'json'
  readonly set?: readonly string[]
  readonly run: boolean
  readonly render: boolean
  readonly write?: boolean
  readonly dryRun?: boolean
  readonly color?: boolean
}

const NOTES = `
The packages are rendered in memory with the newer revisions: clean, with edits that lose, or failing. Nothing is written without --write,
which changes the line of each revision in the fleet and leaves the packages to render.

Exit code: 0 nothing is outdated, 2 something is, 1 an error; with --write 0 also when something was outdated.

Examples:
  krm-variants outdated fleet
  krm-variants outdated --write --set tills fleet && krm-variants render fleet`

/** Adds `outdated [DIR]`: lists the upstreams of which a newer revision exists, and writes the newer revisions into the sets. */
export function addOutdated(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('outdated')
    .description('list the upstreams of sets that have a newer revision, with what the update would do to their packages')
    .argument('[dir]', 'the folder of the fleet', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .option('--set <name>', 'this set only, NAME or NAMESPACE/NAME; may be given again', (name, names: string[] = []) => [...names, name])
    .option('--write', 'write the newer revisions into the files of the fleet, and show the changed lines')
    .option('--dry-run', 'with --write, show the changed lines only')
    .option('--no-render', 'do not render the packages in memory')
    .option('--out <folder>', 'where the rendered packages are, if the options of render-variants do not say so')
    .option('--config <file>', 'options of render-variants, instead of those of the folder')
    .option('--offline', 'read git repositories from earlier clones, and do not ask the network')
    .option('--allow-outside', 'as for render')
    .addOption(gitTimeoutOption())
    .option('--no-run', 'leave the functions of packages alone, as render --no-run does')
  addRunnerOptions(command)
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: OutdatedOptions) => finish(await outdated(dir, options, host)))
}

async function outdated(dir: string, options: OutdatedOptions, host: Host): Promise<ExitCode> {
  if (dir === '-') throw new UsageError('`outdated` must have a folder to read, got -')
  if (options.dryRun === true && options.write !== true) throw new UsageError('`--dry-run` must come with --write')
  const read = await readInput(dir, host)
  const plan = await advance(planInSteps(withFunctionConfig(read.list, 'fan-out', dir)), 'variant', host)
  const planned = [...read.results, ...refuseNoSet(plan.results, dir, host)]
  if (hasErrors(planned)) throw new FunctionError(shownResults(planned))
  const found = revisionsOf(plan, read, dir, options, host)
  const { outcomes, results: refused } = await renderNewer(found.newer, dir, options, host)
  const results = shownResults([...planned, ...found.unknown, ...refused])
  const view = viewOutdated(found, outcomes, results)
  host.warn(printResults(results, errorStylesFor(host, options)))
  host.write(options.format === 'json' ? outdatedJson(view) : outdatedText(view, stylesFor(host, options)))
  if (hasErrors(results)) return 1
  if (options.write === true) return writeNewer(found.newer, read, dir, options, host)
  return found.newer.length > 0 ? 2 : 0
}

/** Returns the newer revisions of the sets that were asked for. @throws UsageError for a set that is not there */
function revisionsOf(plan: FleetPlan, { list }: FolderPackage, dir: string, options: OutdatedOptions, host: Host): UpstreamRevisions {
  const sets = (options.set ?? []).map((name) => {
    const found = plan.sets.filter(({ owner }) => name === owner.name || name === `${owner.namespace}/${owner.name}`)
    const known = plan.sets.map(({ owner }) => owner.name)
    if (found.length === 0) throw new UsageError(`no set '${name}'; the sets are ${known.join(', ')}${didYouMean(name, known)}`)
    return found
  })
  const configured = configuredOptions(list.items, dir, host, options.config)
  const disk = requireFolder(dir, host)
  const git = { ...gitPlaces(options, configured, host), base: disk, allowOutside: options.allowOutside === true }
  const shelves = diskPackageSource({ disk, shown: posix.join(dir, '.') }, git, configured.clone)
  const library = new UpstreamLibrary(shelves, plan.fleet, configured)
  const asked = options.set === undefined ? plan : { ...plan, sets: sets.flat() }
  return newerRevisions(asked, (upstream, namespace) => library.newest(upstream, namespace))
}

interface Rendered {
  readonly outcomes?: UpdateOutcomes
  /** The faults that prevent rendering the fleet with the newer revisions. */
  readonly results: readonly Result[]
}

/** Renders the fleet in memory with the newer revisions. Returns no outcomes if the packages are not to be rendered or have no folder. */
async function renderNewer(newer: readonly NewerRevision[], dir: string, options: OutdatedOptions, host: Host): Promise<Rendered> {
  if (newer.length === 0 || !options.render) return { results: [] }
  const outcomes = new UpdateOutcomes()
  const request = { ...options, fanOut: true, run: options.run && ('known' as const), allowMoved: true }
  try {
    const change = (items: readonly KrmObject[]) => setRevisions(newer, items)
    const isRendered = await renderChanged(dir, request, host, { change, look: (rendered) => outcomes.take(rendered) })
    if (isRendered) return { outcomes, results: [] }
    host.warn('the packages are not rendered: neither --out nor the options of render-variants name their folder\n')
    return { results: [] }
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    return { results: error.results }
  }
}

/** Writes the newer revisions into the objects of another reading of the fleet: those at the same place of the same file. */
function setRevisions(newer: readonly NewerRevision[], items: readonly KrmObject[]): void {
  const placeOf = ({ file }: KrmObject) => `${file?.index} ${file?.path}`
  const objects = new Map(items.map((item) => [placeOf(item), item]))
  for (const each of newer) setRevision(each, objects.get(placeOf(each.upstream.object)))
}

/** Writes a newer revision into an object that names the upstream, and its workspace if the object names one beside the revision. */
function setRevision({ upstream, revision, workspaceName }: NewerRevision, object: KrmObject | undefined): void {
  object?.set([...upstream.path, 'revision'], revision)
  if (workspaceName !== undefined) object?.set([...upstream.path, 'workspaceName'], workspaceName)
}

function writeNewer(
  newer: readonly NewerRevision[],
  read: FolderPackage,
  dir: string,
  { format, dryRun = false }: OutdatedOptions,
  host: Host,
): ExitCode {
  for (const each of newer) setRevision(each, each.upstream.object)
  // A PackageRevisionSet may be named by several matrices.
  const lines = new Set(newer.map(({ upstream: { object, path } }) => JSON.stringify([object.file, path]))).size
  const say = format === 'text' ? host.write : host.warn
  const changes = writeEdits(read, dir, { say, isDryRun: dryRun }, host)
  const summary = `${countOf(lines, 'revision')} ${dryRun ? 'to change' : 'changed'} in ${countOf(changes.length, 'file')}`
  host.warn(`${printable(summary)}\n`)
  return 0
}
