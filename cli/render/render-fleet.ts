import { setFlagsFromString } from 'node:v8'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import { locateFolder } from '../../src/folder/whole-folder.ts'
import type { FolderRequest } from '../../src/render/disk/folder-request.ts'
import { type PackageInMemory, renderInMemory } from '../../src/render/disk/render-in-memory.ts'
import { renderToFolder } from '../../src/render/disk/render-to-folder.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import type { FolderReport } from '../../src/render/render-summary.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { advance } from '../advance.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { loadFleetNow } from '../fleet/read-fleet.ts'
import { type HeldPart, holdingFolder } from '../hold-folders.ts'
import type { Host } from '../host.ts'
import { plain } from '../plan/bound-inputs.ts'
import { printJson } from '../print/print-value.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'
import { type ReadFleet, shardToRender } from './fleet-to-render.ts'
import { openLastRender } from './open-last-render.ts'
import { outFolder, packagesFolder } from './packages-folder.ts'
import { type AskedRender, functionsFor, planRead } from './plan-read-fleet.ts'
import { requireSavedPlan } from './saved-plan-holds.ts'
import { atSources } from './sources-of-findings.ts'
import type { FleetFiles } from './uncommitted-fleet.ts'

/** The sets of a fleet, and the folder of its packages. */
export interface BegunRender extends FleetFiles {
  readonly sets: readonly SetPlan[]
}

/** The callbacks of a render's caller. */
export interface RenderLook {
  /** Is shown each package. */
  readonly look?: FolderRequest['look']
  /** Is shown all findings before the first file is written; not in a dry run. */
  readonly beforeWrite?: FolderRequest['beforeWrite']
  /** Is shown the fleet before its packages are rendered. */
  readonly begin?: ((fleet: BegunRender) => void) | undefined
  /** The fleet, if the caller read it. */
  readonly reading?: FleetReading
}

/**
 * Renders the fleet in the folder `dir`.
 *
 * @throws FunctionError with every fault of the fleet; UsageError for folders and files that are not as they must be
 */
export async function runRender(
  dir: string,
  request: FleetRenderRequest,
  host: Host,
  { look, beforeWrite, begin, reading }: RenderLook = {},
): Promise<FolderReport> {
  for (const flag of SHORT_LIVED) setFlagsFromString(flag)
  const started = Date.now()
  const opened = openLastRender(dir, request.out, started, request, host, reading?.git.name)
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
      const last = opened ?? openLastRender(dir, out.disk, started, request, host, read.fleetGit?.name)
      return renderRead(read, { request, out, ...(last && { last }), ...(look && { look }), ...(beforeWrite && { beforeWrite }) }, host)
    }
    return await (request.dryRun === true ? renderHeld() : holdingFolder(out, partOf(request), host, renderHeld))
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    // The fan-out says why a set makes no variant, or fewer than before.
    const why = error.results.some(({ tags }) => tags.rule === 'no-variant' || tags.rule === 'deletion-guard') ? results : []
    throw new FunctionError(atSources([...why, ...error.results], { made, sets }))
  }
}

/**
 * The plan of a fleet lives to the end, the packages that are rendered after it for a moment. V8 would learn from the first that all they
 * are made of lives long, put it where it rarely looks for garbage, and let that grow to four times the plan: measured in
 * src/render/README.md.
 */
export const SHORT_LIVED = ['--no-allocation-site-pretenuring', '--heap-growing-percent=25']

/** Returns the folders that the options name for upstream packages. */
function upstreamFolders(folder: NamedFolder, { repositories }: Pick<RenderOptions, 'repositories'>): readonly NamedFolder[] {
  const paths = [...repositories.values()].flatMap(({ path, revisions }) => [path, ...[...revisions.values()].map((each) => each.path)])
  return [...new Set(paths)].flatMap((path) =>
    path === undefined ? [] : [{ disk: locateFolder(folder.disk, path), shown: below(folder, path).shown }],
  )
}

async function renderRead(read: ReadFleet, { request, out, last, look, beforeWrite }: AskedRender, host: Host): Promise<FolderReport> {
  const { folder, made, options, configured, results, sets } = read
  const plan = planRead(read, { request, out, ...(last && { last }) }, host)
  if (request.saved !== undefined) requireSavedPlan(request.saved, { folder, plan, options, sets, config: request.config }, host)
  const functions = await functionsFor(request, { options, configured }, host)
  const choices = printJson(plain({ ...plan.options, configured }))
  const placed = (found: readonly Result[]) => atSources([...results, ...found], { made, sets })
  const report = await advance(
    renderToFolder({
      ...plan,
      ...functions,
      ...(last && { begin: (planned) => last.begin(planned, plan.items, choices) }),
      isDryRun: request.dryRun === true,
      failFast: request.failFast === true,
      ...(beforeWrite && { beforeWrite: (found) => beforeWrite(placed(found)) }),
      ...(look && { look: (order, fate) => look({ ...order, results: atSources(order.results, { made, sets }) }, fate) }),
    }),
    'package',
    host,
  )
  return { ...report, results: placed(report.results) }
}

/**
 * Returns the part of the packages that a run writes: a second run on the same part would take the staged files of the first for leftovers.
 */
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
