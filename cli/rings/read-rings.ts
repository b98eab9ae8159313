import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { planInSteps } from '../../functions/fan-out/fan-out.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type PackageLocks, packageLocks } from '../../src/fleet/releases/behind.ts'
import { isAnyLocked } from '../../src/fleet/releases/ring-revisions.ts'
import type { NamedFolder } from '../../src/package/named-folder.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { diskPlaces } from '../../src/render/target/disk/disk-places.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { advance } from '../advance.ts'
import { withFunctionConfig } from '../function-config.ts'
import type { Host } from '../host.ts'
import { refuseNoSet } from '../plan/no-set.ts'
import { shownResults } from '../print/print-results.ts'
import { readInput, requireFolder } from '../read-input.ts'
import { configuredOptions, type FleetRenderRequest, outFolder } from '../render/fleet-to-render.ts'
import { UsageError } from '../usage-error.ts'

/** A fleet whose matrices may have rings, with the locks of its packages. */
export interface RingFleet {
  readonly read: FolderPackage
  readonly plan: FleetPlan
  readonly locks: PackageLocks
  /** True if a package of the fleet is known. */
  readonly hasPackages: boolean
  /** The findings of reading and planning, without those of the locks; none of them is an error. */
  readonly results: readonly Result[]
}

/**
 * Reads the fleet in the folder `dir`, plans its variants, and reads the locks of its packages, also outside of the folder.
 *
 * @throws UsageError for stdin; FunctionError with every fault of the fleet
 */
export async function readRingFleet(
  command: string,
  dir: string,
  request: Pick<FleetRenderRequest, 'out' | 'config'>,
  host: Host,
): Promise<RingFleet> {
  if (dir === '-') throw new UsageError(`\`${command}\` must have a folder to read, got -`)
  const read = await readInput(dir, host)
  const plan = await advance(planInSteps(withFunctionConfig(read.list, 'fan-out', dir)), 'variant', host)
  const results = [...read.results, ...refuseNoSet(plan.results, dir, host)]
  if (hasErrors(results)) throw new FunctionError(shownResults(results))
  const { items } = read.list
  const options = configuredOptions(items, dir, host, request.config)
  const out = packagesFolder(dir, request, options, host)
  const locks = packageLocks(plan.fleet, [...items, ...(out === undefined ? [] : kptfilesIn(out, items))])
  return { read, plan, locks, hasPackages: isAnyLocked(plan, locks), results }
}

/** Returns the folder of the packages; undefined if neither the caller nor the options name one. */
export function packagesFolder(
  dir: string,
  request: Pick<FleetRenderRequest, 'out'>,
  options: RenderOptions,
  host: Host,
): NamedFolder | undefined {
  if (request.out === undefined && options.out === undefined) return undefined
  return outFolder({ disk: requireFolder(dir, host), shown: posix.join(dir, '.') }, request, options, host)
}

/** Returns the Kptfiles of the packages in a folder that are not among the objects of the fleet. */
function kptfilesIn(out: NamedFolder, items: readonly KrmObject[]): readonly KrmObject[] {
  if (!existsSync(out.disk)) return []
  const known = new Set(items.map(({ file }) => file?.path))
  return diskPlaces(out)
    .owned.filter(({ folder }) => !known.has(posix.join(out.shown, folder, 'Kptfile')))
    .flatMap((place) => place.kptfile() ?? [])
}
