import { existsSync, realpathSync } from 'node:fs'
import { posix, relative } from 'node:path'
import { readVariants } from '../../src/fleet/fleet-variants.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import { locateFolder } from '../../src/folder/whole-folder.ts'
import { fleetNames } from '../../src/git/fleet-identity.ts'
import { OPTIONS_OF_RUN } from '../../src/pipeline/match.ts'
import { repositoryOf } from '../../src/render/disk/disk-places.ts'
import type { FolderRequest } from '../../src/render/disk/folder-request.ts'
import type { LastRender } from '../../src/render/disk/last-render.ts'
import { planFolder } from '../../src/render/disk/plan-folder.ts'
import { type PackageInMemory, renderInMemory } from '../../src/render/disk/render-in-memory.ts'
import { renderToFolder } from '../../src/render/disk/render-to-folder.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import type { FolderReport } from '../../src/render/render-summary.ts'
import { packageFunctions } from '../../src/render/runs/package-runners.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { advance } from '../advance.ts'
import { clusterTest } from '../fleet/cluster-option.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { loadFleetNow } from '../fleet/read-fleet.ts'
import { type HeldPart, holdingFolder } from '../hold-folders.ts'
import type { Host } from '../host.ts'
import { boundChanges, changesSince, inputsOf, plain } from '../plan/bound-inputs.ts'
import { printJson } from '../print/print-value.ts'
import { runnerSettings } from '../run/function-runners.ts'
import {
  type FleetRenderRequest,
  gitPlaces,
  outFolder,
  packagesFolder,
  type ReadFleet,
  runsFunctions,
  searchOf,
  shardToRender,
} from './fleet-to-render.ts'
import { openLastRender } from './open-last-render.ts'
import { atSources } from './sources-of-findings.ts'
import type { FleetFiles } from './uncommitted-fleet.ts'

/** The sets of a fleet, and the folder of its packages. */
export interface BegunRender extends FleetFiles {
  readonly sets: readonly SetPlan[]
}

/** The callbacks of a render's caller, and the record of the last render. */
export interface RenderLook {
  /** Knows the packages of the last run, if the caller named their folder. */
  readonly opened: LastRender | undefined
  /** The time before the run read anything, in milliseconds. */
  readonly started: number
  /** Is shown each package. */
  readonly look?: FolderRequest['look']
  /** Is shown the fleet before its packages are rendered. */
  readonly begin?: ((fleet: BegunRender) => void) | undefined
  /** The fleet, if the caller read it. */
  readonly reading?: FleetReading
}

/** Renders the fleet in the folder `dir`. Throws as `runRender`. */
export async function renderFleet(
  dir: string,
  request: FleetRenderRequest,
  host: Host,
  { opened, started, look, begin, reading }: RenderLook,
): Promise<FolderReport> {
  const isPackage = opened && ((place: string) => opened.isPackageAt(place))
  const readNow = () =>
    new FleetReading(loadFleetNow(dir, host, { packages: 'leave-out', ...(isPackage && { isPackage }) }), dir, request, host)
  const fleet = () => reading?.withoutPackages() ?? readNow()
  const read = request.sharded === undefined ? fleet().toRender(request) : shardToRender(dir, request.sharded, request, host)
  const { folder, options, made, sets, results } = read
  try {
    const out = outFolder(folder, request, options, host)
    const files = read.items.flatMap(({ file }) => (file === undefined || made.has(file.path) ? [] : [file.path]))
    begin?.({ folder, out, sets, files, upstreams: upstreamFolders(folder, options) })
    const renderHeld = () => {
      const last = opened ?? openLastRender(dir, out.disk, started, request, host, read.nameByGit)
      return renderRead(read, { request, out, ...(last && { last }), ...(look && { look }) }, host)
    }
    return await (request.dryRun === true ? renderHeld() : holdingFolder(out, partOf(request), host, renderHeld))
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    // The fan-out says why a set makes no variant, or fewer than before.
    const why = error.results.some(({ tags }) => tags.rule === 'no-variant' || tags.rule === 'deletion-guard') ? results : []
    throw new FunctionError(atSources([...why, ...error.results], { made, sets }))
  }
}

/** Returns the folders that the options name for upstream packages. */
function upstreamFolders(folder: NamedFolder, { repositories }: Pick<RenderOptions, 'repositories'>): readonly NamedFolder[] {
  const paths = [...repositories.values()].flatMap(({ path, revisions }) => [path, ...[...revisions.values()].map((each) => each.path)])
  return [...new Set(paths)].flatMap((path) =>
    path === undefined ? [] : [{ disk: locateFolder(folder.disk, path), shown: below(folder, path).shown }],
  )
}

/** The choices of the caller for the render of a fleet that is read. */
interface AskedRender extends Pick<FolderRequest, 'out' | 'look'> {
  readonly last?: LastRender
  readonly request: FleetRenderRequest
}

async function renderRead(read: ReadFleet, { request, out, last, look }: AskedRender, host: Host): Promise<FolderReport> {
  const { folder, made, options, configured, results, sets } = read
  const plan = planRead(read, { request, out, ...(last && { last }) }, host)
  if (request.saved !== undefined) requireSavedPlan(request.saved, { folder, plan, options, sets, config: request.config }, host)
  const functions = await functionsFor(request, { options, configured }, host)
  const choices = printJson(plain({ ...plan.options, configured }))
  const report = await advance(
    renderToFolder({
      ...plan,
      ...functions,
      ...(last && { begin: (planned) => last.begin(planned, plan.items, choices) }),
      isDryRun: request.dryRun === true,
      failFast: request.failFast === true,
      ...(look && { look: (order, fate) => look({ ...order, results: atSources(order.results, { made, sets }) }, fate) }),
    }),
    'package',
    host,
  )
  return { ...report, results: atSources([...results, ...report.results], { made, sets }) }
}

/** Returns what to render of a fleet that was read. Every command that renders, or says what a render would refuse, plans here. */
export function planRead(
  { folder, items, options, packages, elsewhere, passedOver, nameByGit }: ReadFleet,
  { request, out, last }: Omit<AskedRender, 'look'>,
  host: Host,
): ReturnType<typeof planFolder> {
  return planFolder({
    items,
    dir: folder,
    out,
    options,
    passedOver,
    names: fleetNames(folder.disk, out.disk, options.fleet, nameByGit),
    allowOutside: request.allowOutside === true,
    git: gitPlaces(request, options, host),
    terms: { only: request.only ?? [], shard: request.shard, inCluster: clusterTest(items, request) },
    search: searchOf(packages, { dir: folder, out }, options),
    ...(elsewhere && { elsewhere }),
    ...(last && { isPackage: (place) => last.isPackage(place) }),
  })
}

/** Returns the part of the packages that a run writes: a second run on the same part would take the staged files of the first for leftovers. */
function partOf({ only = [], shard, cluster }: FleetRenderRequest): HeldPart {
  return {
    part: only.length === 0 && shard === undefined && cluster === undefined ? undefined : printJson(plain({ only, shard, cluster })),
    hint: '. At the same time may run different parts (--shard, --only, --cluster), and --dry-run',
  }
}

/**
 * Renders a fleet in memory, after a change of its objects, which are copies of those that were read.
 *
 * @param change  edits the objects of the fleet, before its sets are fanned out
 * @param look    is shown each package
 * @returns the faults that prevent rendering; undefined if neither the caller nor the options name a folder for the packages
 * @throws UsageError  as `runRender`
 */
export async function renderChanged(
  reading: FleetReading,
  request: FleetRenderRequest,
  host: Host,
  { change, look }: { readonly change: (items: readonly KrmObject[]) => void; readonly look: (rendered: PackageInMemory) => void },
): Promise<readonly Result[] | undefined> {
  let fleet: ReadFleet | undefined
  try {
    const own = reading.withoutPackages()
    change(own.read.list.items)
    fleet = own.toRender(request)
    const out = packagesFolder(fleet.folder, request, fleet.options, host)
    if (out === undefined) return undefined
    const plan = planRead(fleet, { request, out }, host)
    const functions = await functionsFor(request, fleet, host)
    for (const rendered of renderInMemory({ ...plan, ...functions })) look({ ...rendered, results: atSources(rendered.results, fleet) })
    return []
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    return fleet === undefined ? error.results : atSources(error.results, fleet)
  }
}

/** Returns what runs the functions of packages, with the functions of this project; nothing to leave them to kpt. */
export async function functionsFor(
  request: FleetRenderRequest,
  { options, configured }: Pick<ReadFleet, 'options' | 'configured'>,
  host: Host,
): Promise<Pick<FolderRequest, 'functions'>> {
  if (!runsFunctions(request, configured)) return {}
  const settings = await runnerSettings(request, host, () => true, configured)
  const waysOut = { ...OPTIONS_OF_RUN, last: 'leave the functions of all packages to kpt with --no-run' }
  const withoutRunner = request.run === 'known' ? 'leave' : 'refuse'
  return {
    functions: packageFunctions({ ...settings, waysOut }, { withoutRunner, status: options.status, infos: request.verbose === true }),
  }
}

/** A plan that is about to be done, and what was read for it. */
interface Planned {
  readonly folder: NamedFolder
  readonly plan: ReturnType<typeof planFolder>
  /** As they were decoded: those of the plan have the name of the fleet too, which no option says. */
  readonly options: RenderOptions
  readonly sets: readonly SetPlan[]
  readonly config: string | undefined
}

/** @throws FunctionError with everything that is other than when the plan was saved */
function requireSavedPlan({ file, plan: saved }: NonNullable<FleetRenderRequest['saved']>, planned: Planned, host: Host): void {
  const { folder, plan, options, sets, config } = planned
  const inputs = inputsOf({
    folder,
    packages: saved.packages === undefined && options.out === undefined ? undefined : plan.out,
    config: config === undefined ? undefined : host.locate(config),
    planFile: realpathSync(host.locate(file)),
    items: plan.items,
    options,
    packageSource: plan.packageSource,
  })
  const found = changesSince(saved, file, { inputs, changes: boundChanges(sets), folder, isOthers: othersFinder(folder, plan) })
  if (found.length > 0) throw new FunctionError(found)
}

/** Finds the files of packages that a run on a part of the fleet leaves alone: another run may have rendered them meanwhile. */
function othersFinder(folder: NamedFolder, { items, out, selection }: Planned['plan']): (path: string) => boolean {
  if (selection === undefined) return () => false
  const own = readVariants(items.filter(isPackageVariant)).variants.filter((variant) => selection.has(variant))
  const folders = new Set(own.map(({ downstream }) => `${downstream.repo}/${downstream.package}`))
  const root = relative(realpathSync(folder.disk), existsSync(out.disk) ? realpathSync(out.disk) : out.disk)
  return (path) => {
    const inside = posix.relative(root, path)
    if (inside.startsWith('../')) return false
    let above = inside
    while (above !== '.' && !folders.has(above)) above = posix.dirname(above)
    return above === '.' && !selection.mayGo('', repositoryOf(inside))
  }
}
