import { decodeUtf8 } from '../../src/folder/file-encoding.ts'
import { GitError } from '../../src/git/run-git.ts'
import { withoutFleet } from '../../src/lifecycle/owner-annotation.ts'
import type { RenderedStep } from '../../src/render/made-packages.ts'
import type { RaisedFolder } from '../../src/render/render-request.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import type { Host } from '../host.ts'
import type { FleetRenderRequest } from '../render/fleet-render-request.ts'
import { isRefusalOfFiles } from '../render/refusals-of-files.ts'
import { type RenderLook, runRender } from '../render/render-fleet.ts'
import { PACKAGE_OPERATIONS, type PackageCounts, viewRender } from '../render/render-view.ts'
import { UsageError } from '../usage-error.ts'
import { injectingOf } from './injected-changes.ts'
import { type PlannedPackages, renderedFolder } from './rendered-folder.ts'

/** The changes that `render` would make to the packages of a fleet, as far as they can be computed without the network. */
export interface PackageChanges {
  /** Present if the fleet has rendered packages, or names their folder. */
  readonly counts?: PackageCounts
  /**
   * How many of the updates change only the name of the fleet that a package records: the first commit or a new remote changes that name.
   */
  readonly fleetNames?: number
  /** The reason why existing packages could not be compared. */
  readonly unknown?: string
  /**
   * If no rendered package is found: the number of variants that inject an object whose configuration changed since the revision of
   * `--against`.
   */
  readonly injecting?: number
  /** The subpackages that get another revision of an upstream of their own, by their folders below that of all packages. */
  readonly subpackages?: readonly RaisedFolder[]
}

/** Returns true for a refusal of a render that plan reports: one that depends on files alone, or a moved tag. */
function isReported(result: Result): boolean {
  return result.tags.rule === 'upstream-moved' || isRefusalOfFiles(result)
}

/** The changes of packages, and the findings about their places and about removals that `render` refuses. */
export interface ComparedPackages {
  readonly changes: PackageChanges
  readonly results: readonly Result[]
}

/**
 * Counts the packages that `render` would change: a variant may stay as it is while an object that it injects, or the upstream behind a
 * tag, does not. The packages are where the RenderVariants says; else where a Kptfile of the folder, or with `--against` of its repository,
 * names one of the variants as its owner. Nothing is written, and git repositories are read from earlier clones only.
 */
export async function countPackageChanges(planned: PlannedPackages, host: Host): Promise<ComparedPackages> {
  const { fleet, asked } = planned
  const { packages } = asked
  let results: readonly Result[] = []
  const injected = () => injectingOf({ ...planned, items: fleet.read.list.items })
  const unknown = (message: string): ComparedPackages => ({ changes: { unknown: message, ...injected() }, results })
  try {
    const configured = fleet.options.out
    const out = packages ?? (configured === undefined ? renderedFolder(planned, host) : undefined)
    results = findPlaceFaults(out === undefined ? fleet : fleet.withOut(out), planned.plan).map(asRender)
    const isNowhere = configured === undefined && out === undefined
    if (isNowhere || fleet.outsideFaults().length > 0) return { changes: injected(), results }
    const request = {
      fanOut: true,
      run: 'known' as const,
      offline: true,
      allowOutside: true,
      dryRun: true,
      ...(out !== undefined && { out }),
      ...choicesOf(asked),
    }
    const { changes, refusals } = await renderedChanges(fleet, request, host)
    return { changes, results: [...results, ...refusals] }
  } catch (error) {
    if (error instanceof FunctionError) {
      results = [...results, ...error.results.filter(isReported)]
      return unknown(error.results.find(({ severity }) => severity === 'error')?.message ?? '')
    }
    if (error instanceof UsageError || error instanceof GitError) return unknown(error.message)
    throw error
  }
}

/** Returns the choices of the caller that `render` takes too. */
function choicesOf({ config, cluster, discardEdits, followRenames }: PlannedPackages['asked']): Partial<FleetRenderRequest> {
  return {
    ...(config !== undefined && { config }),
    ...(cluster !== undefined && { cluster }),
    ...(discardEdits !== undefined && { discardEdits }),
    ...(followRenames !== undefined && { followRenames }),
  }
}

/** Returns a package of another fleet as an error, also in a copy of files without git: `render` would refuse it there. */
function asRender(result: Result): Result {
  return result.tags.rule === 'other-fleet' ? { ...result, severity: 'error' } : result
}

/** Returns the changes of a render that writes nothing, and what it refuses of them. */
async function renderedChanges(
  reading: FleetReading,
  request: FleetRenderRequest,
  host: Host,
): Promise<{ readonly changes: PackageChanges; readonly refusals: readonly Result[] }> {
  const subpackages: RaisedFolder[] = []
  let fleetNames = 0
  const look: RenderLook['look'] = (rendered, fate) => {
    const { step, made } = rendered
    if (fate === 'updated' && changesFleetName(rendered)) fleetNames += 1
    for (const raised of made.raised ?? []) subpackages.push({ ...raised, folder: `${step.folder}/${raised.folder}` })
  }
  const report = await runRender(reading.dir, request, host, { reading, look })
  const { counts } = viewRender([], report, { diff: false, isDryRun: true })
  const of = (fate: 'created' | 'moved' | 'updated') => report.fates.get(fate) ?? 0
  const changes = {
    counts: { ...counts, create: of('created'), move: of('moved'), update: of('updated') },
    ...(fleetNames > 0 && { fleetNames }),
  }
  const refusals = report.results.filter((result) => result.severity === 'error' && isReported(result))
  return { changes: subpackages.length === 0 ? changes : { ...changes, subpackages }, refusals }
}

/** Returns true if a package changes only in the name of its fleet. */
function changesFleetName(rendered: RenderedStep): boolean {
  const [first, ...others] = rendered.changes
  const [before, after] = [rendered.before(KPTFILE), rendered.bytesOf(KPTFILE)]
  if (first?.path !== KPTFILE || others.length > 0 || before === undefined || after === undefined) return false
  return withoutFleet(decodeUtf8(before) ?? '') === withoutFleet(decodeUtf8(after) ?? '')
}

/** Returns true where a package would change, or may. */
export function changesPackages({ counts, injecting = 0 }: PackageChanges): boolean {
  return injecting > 0 || (counts !== undefined && PACKAGE_OPERATIONS.some((op) => counts[op] > 0))
}
