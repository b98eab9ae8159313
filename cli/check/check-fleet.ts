import { posix } from 'node:path'
import { removalsSince } from '../../functions/check-dependencies/check-dependencies.ts'
import { faultsOfOut } from '../../functions/render-variants/render-variants.ts'
import { findingsFor, refusesOtherYaml, type SystemName } from '../../src/compatibility/compatibility.ts'
import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import { holdsPackages } from '../../src/dependencies/resolve-objects.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FleetObjects } from '../../src/fleet/read-fleet-folder.ts'
import { staleInjections } from '../../src/render/list/stale-injection.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf, KPTFILE } from '../../src/resource-list/package-of.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { collectFaults, FunctionError, findingsOf, hasErrors, type Result } from '../../src/result.ts'
import { upstreamsOfPlan } from '../../src/upstream/check-upstreams.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import { type FleetReading, openFleet } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import { withOnlyOptions } from '../function-config.ts'
import type { Host } from '../host.ts'
import { type Revision, readAgainst } from '../plan/compare-with-revision.ts'
import { distinctResults } from '../print/print-results.ts'
import { filesBeside } from '../sync/committed-sync-objects.ts'
import { checkFolder } from './check-folder.ts'
import { packageFindings } from './check-packages.ts'
import { ringFindings } from './check-rings.ts'
import { renderRefusals } from './render-refusals.ts'
import { NO_SETTERS_AHEAD, settersOfPlan } from './setters-ahead.ts'

/** The options of a check of a folder. */
export interface FleetChecks extends FleetChoices {
  readonly target: SystemName
  readonly against?: string
}

export interface Checked {
  /** undefined where a file cannot be read. */
  readonly read?: FleetObjects
  readonly results: readonly Result[]
  /** The number of dependencies that could not be checked. */
  readonly unverified?: number
}

/**
 * Reads a folder and returns its findings, with those of `render`. Files that cannot be read are findings too.
 *
 * @param isWhole  true to check rendered packages that are outside of the folder, too
 */
export async function readAndCheck(dir: string, options: FleetChecks, host: Host, isWhole = true): Promise<Checked> {
  try {
    const fleet = await openFleet(dir, options, host)
    const isPlaced = !hasErrors(fleet.optionFaults)
    const checked = await checkFleet(isWhole && isPlaced ? fleet.withPackagesOutside() : fleet, options, host)
    const refusals = dir === '-' || !isPlaced ? [] : await renderRefusals(fleet, options, host)
    return { ...checked, results: distinctResults([...checked.results, ...refusals]) }
  } catch (error) {
    if (error instanceof FunctionError) return { results: error.results }
    throw error
  }
}

/**
 * Returns the findings of a folder, its packages, and what the change since a git revision does. With a fault in the options of
 * render-variants it is not known where the packages are, so only the files of the folder are judged.
 *
 * @throws FunctionError
 */
export async function checkFleet(fleet: FleetReading, options: FleetChecks, host: Host): Promise<Checked> {
  const { config, target, against, gitTimeout, allowOutside = false } = options
  const { read, dir, clusters } = fleet
  const { list } = read
  const faults = [...fleet.optionFaults]
  const isPlaced = dir !== '-' && !hasErrors(faults)
  const dependencies = collectFaults(faults, () => withOnlyOptions(list, 'check-dependencies', { config, dir }, host))
  const kptfiles = new Map(list.items.filter(({ kind }) => kind === KPTFILE).map((item) => [folderOf(item.file?.path ?? ''), item]))
  const kptfileIn = (folder: string) => kptfiles.get(posix.join(dir, folder))
  const revision = against === undefined ? undefined : { ref: against, seconds: gitTimeout }
  const upstreamsOf = (plan: FleetPlan) => upstreamsOfPlan(plan, fleet.library(plan).library, kptfileIn)
  const removals =
    revision === undefined || dependencies === undefined
      ? []
      : findingsOf(() => removalFindings(dependencies, clusters, dir, revision, host))
  const outOf = (config: KrmObject) => faultsOfOut(config, allowOutside ? undefined : host.locate(dir))
  const { results, cloned, unverified, plan } = await checkFolder({
    list,
    folder: dir,
    dependencies,
    clusters,
    ...(isPlaced && { upstreamsOf, outOf, places: filesBeside(fleet, host) }),
  })
  const ofPlan = plan === undefined || !isPlaced ? [] : planFindings(fleet, plan, revision, host)
  const isRun = refusesOtherYaml(target) || !list.items.some(isOfFleet) ? () => true : undefined
  const ran = hasErrors(fleet.optionFaults) ? [] : await packageFindings(fleet, [...read.results, ...results], { isRun, cloned }, host)
  const ahead = plan === undefined || !isPlaced ? NO_SETTERS_AHEAD : settersOfPlan(fleet, plan)
  const ofPackages = ran.filter((result) => !ahead.says(result))
  const all = [...read.results, ...faults, ...results, ...ofPackages, ...ofPlan, ...ahead.results, ...removals]
  const found = findingsFor(target, all, list.items)
  return { read, results: distinctResults(withoutVagueWorkspaces(found)), unverified }
}

/**
 * Returns the findings about rings since a revision, if one is given, about injections that are not up to date, and about the places of
 * packages.
 */
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

/** Drops a finding about a workspace where another finding knows the PackageRevisions and names the right value. Returns the others. */
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
