import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type PackageLocks, packageLocks } from '../../src/fleet/releases/behind.ts'
import type { KnownLocks } from '../../src/fleet/releases/ring-order.ts'
import { isAnyLocked } from '../../src/fleet/releases/ring-revisions.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { clusterTest, onlyInCluster } from '../fleet/cluster-option.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import { loadFleet } from '../fleet/read-fleet.ts'
import type { Host } from '../host.ts'
import { refuseNoSet } from '../plan/no-set.ts'
import { shownResults } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'

/** A fleet whose matrices may have rings, with the locks of its packages. */
export interface RingFleet {
  readonly reading: FleetReading
  readonly plan: FleetPlan
  readonly locks: PackageLocks
  /** The Kptfiles of packages that are outside of the folder, and those of their subpackages. */
  readonly outside: readonly KrmObject[]
  /** The packages that are outside of the folder, to write into. */
  readonly packages: readonly FolderPackage[]
  /** The locks for judging the order of rings. */
  readonly known: KnownLocks
  /** The findings of reading and planning, without those of the locks. Errors are those of packages that cannot be read, `broken`. */
  readonly results: readonly Result[]
  readonly broken: readonly Result[]
  /** The folders of variants that hold files without a Kptfile, or with one that has a fault: `render` makes no package there. */
  readonly occupied: ReadonlySet<string>
}

/**
 * Reads the fleet in the folder `dir`, plans its variants, and reads the locks of its packages, also outside of the folder.
 *
 * @throws UsageError for stdin; FunctionError with every fault of the fleet
 */
export async function readRingFleet(command: string, dir: string, request: FleetChoices, host: Host): Promise<RingFleet> {
  if (dir === '-') throw new UsageError(`\`${command}\` must have a folder to read, got -`)
  const reading = new FleetReading(await loadFleet(dir, host, 'spare'), dir, request, host)
  const { read } = reading
  const plan = await reading.plan()
  const results = [...read.results, ...refuseNoSet(plan.results, dir, host)]
  if (hasErrors(results)) throw new FunctionError(shownResults(results))
  const { items } = read.list
  const elsewhere = reading.packagesOutside(plan)
  const broken = [...read.broken, ...elsewhere.faults]
  const locks = { ...packageLocks(plan, [...items, ...elsewhere.kptfiles]), unreadable: unreadableFinder(broken) }
  const known = isAnyLocked(plan, locks) ? locks : noLocks(reading.out)
  const sets = onlyInCluster(plan.sets, clusterTest(items, request, plan.sets))
  const found = [...results, ...broken, ...findPlaceFaults(reading, plan)]
  const occupied = new Set([...elsewhere.occupied, ...foldersOfBroken(found, reading.out)])
  const outside = [...elsewhere.packages.flatMap(({ list }) => list.items), ...elsewhere.kptfiles].filter(isFirstKptfile())
  return { reading, plan: { ...plan, sets }, locks, outside, packages: elsewhere.packages, known, results: found, broken, occupied }
}

/** Returns the folders of packages whose Kptfile has a fault, from the folder of all packages: these are there. */
function foldersOfBroken(found: readonly Result[], out: NamedFolder | undefined): readonly string[] {
  const above = out === undefined ? '' : below(out, 'any').shown.slice(0, -'any'.length)
  const kptfiles = found.flatMap(({ severity, file }) =>
    severity === 'error' && file?.path.endsWith(`/${KPTFILE}`) === true ? [file.path] : [],
  )
  return kptfiles.map((path) => posix.dirname(path.startsWith(above) ? path.slice(above.length) : path))
}

/** Returns a test for Kptfiles that is true for the first one of each path. */
function isFirstKptfile(): (item: KrmObject) => boolean {
  const met = new Set<string>()
  return ({ kind, file }) => kind === KPTFILE && file !== undefined && !met.has(file.path) && met.add(file.path) !== undefined
}

/** Returns what is known of packages of which none is found. */
function noLocks(out: NamedFolder | undefined): KnownLocks {
  if (out === undefined) return 'unknown'
  return existsSync(out.disk) ? 'none' : { noFolder: out.shown }
}

/** Returns a function that returns the place of the first file of a package that cannot be read. */
function unreadableFinder(broken: readonly Result[]): NonNullable<PackageLocks['unreadable']> {
  return ({ object: { kind, file } }) => {
    if (kind !== KPTFILE || file === undefined) return undefined
    const folder = posix.dirname(file.path)
    const first = broken.find((result) => result.file?.path.startsWith(`${folder}/`))
    return first && `${first.file?.path ?? folder}:${first.position?.line ?? 1}`
  }
}
