import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { type Command, Option } from 'commander'
import { readVariants } from '../../src/fleet/fleet-variants.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { NewestOf } from '../../src/fleet/releases/behind.ts'
import { Followers } from '../../src/fleet/releases/followers.ts'
import { type LoneVariant, type NewerRevision, newerRevisions, type UpstreamRevisions } from '../../src/fleet/releases/newer-revisions.ts'
import { writeRevision } from '../../src/fleet/releases/ring-revisions.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { below } from '../../src/folder/named-folder.ts'
import { fleetTreeInside } from '../../src/git/tree-inside.ts'
import { UPSTREAM_PATH, writtenUpstream } from '../../src/kinds/upstream-rules.ts'
import { DEFAULT_NAMESPACE } from '../../src/kubernetes/kinds.ts'
import { waitsForFunctions } from '../../src/pipeline/check-runs.ts'
import { printable } from '../../src/printable.ts'
import { behindResult } from '../../src/render/edits/functions-behind.ts'
import { guardOfRendered } from '../../src/render/runs/needed-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { FloatingTag } from '../../src/upstream/floating-tag.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { countOf } from '../../src/wording.ts'
import { addColorOptions, repeated } from '../command-options.ts'
import { addFleetOptions, type FleetChoices } from '../fleet/fleet-options.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { distinctResults, printResults, shownResults } from '../print/print-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { renderChanged } from '../render/render-fleet.ts'
import { type RingFleet, readRingFleet } from '../rings/read-rings.ts'
import { runnersFor } from '../run/function-runners.ts'
import { addRunnerOptions } from '../run/runner-options.ts'
import { UsageError, unknownName } from '../usage-error.ts'
import { writeEdits } from '../write-edits.ts'
import { showUsers } from './built-on.ts'
import { outdatedJson, outdatedText } from './outdated-report.ts'
import { UpdateOutcomes, viewOutdated } from './outdated-view.ts'
import { type OutdatedSubpackage, raiseSubpackage, subpackagesBehind } from './subpackages-behind.ts'

interface OutdatedOptions extends FleetChoices {
  readonly format: 'text' | 'json'
  readonly set?: readonly string[]
  readonly ring?: string
  readonly tag?: string
  readonly on?: string
  readonly run: boolean
  readonly render: boolean
  readonly write?: boolean
  readonly dryRun?: boolean
  readonly color?: boolean
}

const NOTES = `
The packages are rendered in memory with the newer revisions: clean, with edits that lose, or failing. Nothing is written without --write,
which changes the line of each revision in the fleet and leaves the packages to render.

The first ring of a matrix is compared with the newest revision, every other ring with the ring before. --write changes the revision of a
ring only with --ring, and not before the packages of the earlier rings are at it.

With --tag, each revision is compared with the one that the floating tag names, and is only raised: repositories.NAME.tags of the options
says which, else the git tag PACKAGE/TAG or TAG, at the commit of a revision. No ring gets a later revision than that.

With --on, it lists the sets, rings, PackageVariants, packages, subpackages and PackageRevisions that are built on one revision of an upstream,
before somebody deletes the revision. Exit code: 0 nothing is built on it, 2 something is, 1 an error, or not everything is known.

Subpackages with an upstream of their own that has a newer revision are named; --write asks for it in \`upstream\` of their Kptfile, and
render brings it. Not with --set, --ring or --tag.

Exit code: 0 nothing is outdated, 2 something is, 1 an error; with --write 0 also when something was outdated.

Examples:
  krm-variants outdated fleet
  krm-variants outdated --write --set tills fleet && krm-variants render fleet
  krm-variants outdated --write --ring canary fleet
  krm-variants outdated --write --tag stable fleet
  krm-variants outdated --on catalog/base@2 fleet`

/** Adds `outdated [DIR]`: lists the upstreams of which a newer revision exists, and writes the newer revisions into the sets. */
export function addOutdated(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('outdated')
    .description('list the upstreams of sets and rings that have a newer revision, with what the update would do to their packages')
    .argument('[dir]', 'the folder of the fleet', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .option('--set <name>', 'this set only, NAME or NAMESPACE/NAME; may be given again', repeated)
    .option('--ring <name>', 'this ring of matrices only')
    .option('--tag <tag>', 'compare with the revisions that this floating tag names, instead of the newest ones')
    .option('--on <revision>', 'list what is built on REPOSITORY/PACKAGE@REVISION instead, and say if the revision may go')
    .option('--write', 'write the newer revisions into the files of the fleet, and show the changed lines')
    .option('--dry-run', 'with --write, show the changed lines only')
    .option('--no-render', 'do not render the packages in memory')
    .option('--no-run', 'leave the functions of packages alone, as render --no-run does')
  addFleetOptions(command)
  addColorOptions(addRunnerOptions(command))
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: OutdatedOptions) => finish(await outdated(dir, options, host)))
}

async function outdated(dir: string, options: OutdatedOptions, host: Host): Promise<ExitCode> {
  if (options.dryRun === true && options.write !== true) throw new UsageError('`--dry-run` must come with --write')
  if (options.tag === '') throw new UsageError('`--tag` must name a floating tag, such as stable, got an empty text')
  if (options.on !== undefined) {
    const given = (['set', 'ring', 'tag', 'write'] as const).find((name) => options[name] !== undefined)
    if (given !== undefined) throw new UsageError(`\`--on\` must not come with --${given}`)
  }
  const isWriting = options.write === true && options.dryRun !== true
  return holdingFolders({ dirs: [dir], isWriting }, host, () => outdatedFolder(dir, options, host))
}

async function outdatedFolder(dir: string, options: OutdatedOptions, host: Host): Promise<ExitCode> {
  const fleet = await readRingFleet('outdated', dir, options, host)
  if (options.on !== undefined) return showUsers(options.on, fleet, options, host)
  const found = revisionsOf(fleet, options)
  const { outcomes, results: refused } = await renderNewer(found.newer, fleet.reading, options, host)
  const left = options.write === true ? found.newer.flatMap(({ held }) => held) : []
  const behind = options.run ? await waitingPackages(fleet.reading, host) : []
  const subpackages =
    options.set === undefined && options.ring === undefined && options.tag === undefined
      ? subpackagesBehind(fleet, fleet.reading.library(fleet.plan).library)
      : []
  const results = distinctResults(
    shownResults([...fleet.results, ...found.unknown, ...left, ...refused, ...behind, ...subpackages.map(({ result }) => result)]),
  )
  const view = viewOutdated(found, outcomes, results)
  host.warn(printResults(results, errorStylesFor(host, options)))
  host.write(options.format === 'json' ? outdatedJson(view) : outdatedText(view, stylesFor(host, options)))
  if (hasErrors(results.filter((result) => !fleet.broken.includes(result)))) return 1
  const written = options.write === true ? await writeNewer(found.newer, subpackages, fleet, dir, options, host) : undefined
  if (hasErrors(results)) return 1
  if (written !== undefined) return written
  return found.newer.length + subpackages.length > 0 ? 2 : 0
}

/** Returns the upstreams of the sets of a fleet that have a newer revision in its folders. @throws as `outdated` */
export async function newerUpstreams(dir: string, host: Host): Promise<readonly NewerRevision[]> {
  return revisionsOf(await readRingFleet('outdated', dir, { offline: true }, host), {}).newer
}

/** Returns a warning for each package of the fleet that waits for its functions, as far as these are built in. */
async function waitingPackages({ out, places, leavesFunctions }: FleetReading, host: Host): Promise<readonly Result[]> {
  if (out === undefined || !existsSync(out.disk) || leavesFunctions) return []
  const runners = await runnersFor({}, host, () => false)
  return (places()?.owned ?? []).flatMap(({ folder }) => {
    const { disk, shown } = below(out, folder)
    const name = (path: string) => posix.join(shown, path)
    const { tree } = fleetTreeInside(disk, name)
    return waitsForFunctions({ tree, place: disk, name, guard: guardOfRendered(tree) }, runners) ? [behindResult(shown, 'behind')] : []
  })
}

/** Returns the newer revisions of what was asked for. @throws UsageError for a set, ring or tag that is not there */
function revisionsOf(
  { plan, known, reading }: RingFleet,
  { set, ring, tag }: Pick<OutdatedOptions, 'set' | 'ring' | 'tag'>,
): UpstreamRevisions {
  const sets = set === undefined ? plan.sets : [...new Set(set.flatMap((name) => namedSets(name, plan.sets)))]
  const rings = [...new Set(sets.flatMap((each) => each.set?.rings.map(({ name }) => name) ?? []))]
  if (ring !== undefined && !rings.includes(ring)) throw unknownName('ring', ring, rings)
  const upstreams = reading.library(plan)
  const published = upstreams.library
  const library = tag === undefined ? published : new FloatingTag(tag, upstreams)
  const followers = new Followers(plan, (upstream, namespace) => published.isPublished(upstream, namespace))
  // No --force passes over a fleet whose packages are elsewhere.
  const locks = known === 'unknown' || (typeof known === 'object' && 'noFolder' in known) ? 'none' : known
  const newestOf: NewestOf = (upstream, namespace) => library.newest(upstream, namespace)
  const alone = set === undefined ? loneVariants(plan, reading.read.list.items) : []
  const search = { sets, alone, ring, newestOf, followers, isCeiling: tag !== undefined, locks }
  const found = newerRevisions(plan, search)
  const tags = library instanceof FloatingTag ? library.instead : undefined
  if (tag !== undefined && tags !== undefined) throw unknownName('floating tag', tag, tags)
  return found
}

/** Returns the PackageVariants that no set owns. Faults of variants are not reported: `render` and `check` report them. */
function loneVariants({ sets }: FleetPlan, items: readonly KrmObject[]): readonly LoneVariant[] {
  const owned = new Set(sets.flatMap(({ changes }) => changes.flatMap(({ existing }) => existing?.object ?? [])))
  return readVariants(items.filter((item) => isPackageVariant(item) && !owned.has(item))).variants.map((variant) => {
    const { object, name, namespace = DEFAULT_NAMESPACE, upstream } = variant
    return {
      variant: { op: 'unchanged', name, namespace },
      upstream: { ...upstream, written: writtenUpstream(upstream), object, path: UPSTREAM_PATH },
    }
  })
}

function namedSets(name: string, sets: readonly SetPlan[]): readonly SetPlan[] {
  const found = sets.filter(({ owner }) => name === owner.name || name === `${owner.namespace}/${owner.name}`)
  const known = sets.map(({ owner }) => owner.name)
  if (found.length === 0) throw unknownName('set', name, known)
  return found
}

interface Rendered {
  readonly outcomes?: UpdateOutcomes
  /** The faults that prevent rendering the fleet with the newer revisions. */
  readonly results: readonly Result[]
}

/** Renders the fleet in memory with the newer revisions. Returns no outcomes if the packages are not to be rendered or have no folder. */
async function renderNewer(
  newer: readonly NewerRevision[],
  reading: FleetReading,
  options: OutdatedOptions,
  host: Host,
): Promise<Rendered> {
  if (newer.length === 0 || !options.render) return { results: [] }
  const outcomes = new UpdateOutcomes()
  const request = { ...options, fanOut: true, run: options.run && ('known' as const), allowMoved: true }
  const change = (items: readonly KrmObject[]) => setRevisions(newer, items)
  const faults = await renderChanged(reading, request, host, { change, look: (rendered) => outcomes.take(rendered) })
  if (faults?.length === 0) return { outcomes, results: [] }
  if (faults === undefined) host.warn('the packages are not rendered: neither --out nor the options of render-variants name their folder\n')
  return { results: faults ?? [] }
}

/** Writes the newer revisions into copies of the objects of the fleet: those at the same place of the same file. */
function setRevisions(newer: readonly NewerRevision[], items: readonly KrmObject[]): void {
  const placeOf = ({ file }: KrmObject) => `${file?.index} ${file?.path}`
  const objects = new Map(items.map((item) => [placeOf(item), item]))
  for (const { field, written } of newer) {
    const object = objects.get(placeOf(field.object))
    if (object !== undefined && written !== undefined) writeRevision({ ...field, object }, written)
  }
}

/**
 * Writes the newer revisions, except for those that an earlier ring or another ring of the line holds, and those of subpackages, which may be
 * in packages outside of the folder.
 */
async function writeNewer(
  newer: readonly NewerRevision[],
  subpackages: readonly OutdatedSubpackage[],
  { reading: { read, out }, packages }: RingFleet,
  dir: string,
  { format, dryRun = false }: OutdatedOptions,
  host: Host,
): Promise<ExitCode> {
  const free = newer.filter(({ held }) => held.length === 0)
  for (const { field, written } of free) if (written !== undefined) writeRevision(field, written)
  for (const subpackage of subpackages) raiseSubpackage(subpackage)
  // A PackageRevisionSet may be named by several matrices.
  const lines = new Set(free.map(({ field: { object, path } }) => JSON.stringify([object.file, path]))).size + subpackages.length
  const say = format === 'text' ? host.write : host.warn
  const showing = { say, isDryRun: dryRun }
  const [root, apart] = [realPlace(host.locate(dir)), out !== undefined && packages.length > 0 ? realPlace(out.disk) : undefined]
  const isApart = apart !== undefined && !`${apart}/`.startsWith(`${root}/`)
  const changes = await holdingFolders({ dirs: isApart ? [out?.shown ?? dir] : [], isWriting: !dryRun }, host, () => [
    ...writeEdits(read, dir, showing, host),
    ...packages.flatMap((each) => writeEdits(each, out?.shown ?? dir, showing, host)),
  ])
  const summary = `${countOf(lines, 'revision')} ${dryRun ? 'to change' : 'changed'} in ${countOf(changes.length, 'file')}`
  host.warn(`${printable(summary)}\n`)
  return 0
}
