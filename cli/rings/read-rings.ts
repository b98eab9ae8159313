import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { planInSteps } from '../../functions/fan-out/fan-out.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type PackageLocks, packageLocks } from '../../src/fleet/releases/behind.ts'
import type { KnownLocks } from '../../src/fleet/releases/ring-order.ts'
import { isAnyLocked } from '../../src/fleet/releases/ring-revisions.ts'
import { diskTree } from '../../src/package/file-tree.ts'
import type { NamedFolder } from '../../src/package/named-folder.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { readTree, unreadableDocument } from '../../src/package/read-package.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { diskPlaces } from '../../src/render/target/disk/disk-places.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { WireError } from '../../src/resource-list/wire-error.ts'
import { type FileRef, FunctionError, findingsOf, hasErrors, type Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { advance } from '../advance.ts'
import { withFunctionConfig } from '../function-config.ts'
import type { Host } from '../host.ts'
import { refuseNoSet } from '../plan/no-set.ts'
import { shownResults } from '../print/print-results.ts'
import { type FleetInput, readFleetInput, requireFolder } from '../read-input.ts'
import { configuredOptions, type FleetRenderRequest, outFolder } from '../render/fleet-to-render.ts'
import { UsageError } from '../usage-error.ts'

/** A fleet whose matrices may have rings, with the locks of its packages. */
export interface RingFleet {
  readonly read: FolderPackage
  readonly plan: FleetPlan
  readonly locks: PackageLocks
  /** The locks for judging the order of rings. */
  readonly known: KnownLocks
  /** The findings of reading and planning, without those of the locks. Errors are those of packages that cannot be read, `broken`. */
  readonly results: readonly Result[]
  readonly broken: readonly Result[]
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
  const read = await readFleetInput(dir, host)
  const plan = await advance(planInSteps(withFunctionConfig(read.list, 'fan-out', dir)), 'variant', host)
  const results = [...read.results, ...refuseNoSet(plan.results, dir, host)]
  if (hasErrors(results)) throw new FunctionError(shownResults(results))
  const { items } = read.list
  const options = configuredOptions(items, dir, host, request.config)
  const out = packagesFolder(dir, request, options, host)
  const elsewhere = kptfilesElsewhere(out, read)
  const broken = [...read.broken, ...elsewhere.faults]
  const locks = { ...packageLocks(plan.fleet, [...items, ...elsewhere.kptfiles]), unreadable: unreadableFinder(broken, host) }
  const known = isAnyLocked(plan, locks) ? locks : out === undefined ? 'unknown' : 'none'
  return { read, plan, locks, known, results: [...results, ...broken], broken }
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

/** Refuses a folder of packages that does not exist: a misspelt one would look like one without packages. @throws UsageError */
export function requireOut({ out }: Pick<FleetRenderRequest, 'out'>, host: Host): void {
  if (out !== undefined && out !== '' && !existsSync(host.locate(out))) throw new UsageError(`no folder ${quoteText(out)}`)
}

function filesOf(found: readonly { readonly file?: FileRef | undefined }[]): readonly string[] {
  return found.flatMap(({ file }) => file?.path ?? [])
}

interface KptfilesElsewhere {
  readonly kptfiles: readonly KrmObject[]
  /** The faults of Kptfiles that cannot be read. */
  readonly faults: readonly Result[]
}

/** Returns the Kptfiles of the packages in a folder that were not read with the fleet. */
export function kptfilesElsewhere(out: NamedFolder | undefined, { list, broken }: Pick<FleetInput, 'list' | 'broken'>): KptfilesElsewhere {
  if (out === undefined || !existsSync(out.disk)) return { kptfiles: [], faults: [] }
  const read = new Set(filesOf([...list.items, ...broken]))
  const { owned, faults: ofOwners } = diskPlaces(out)
  const faults = ofOwners.filter(({ file }) => !read.has(file?.path ?? ''))
  const kptfiles = owned.flatMap((place) => {
    const path = posix.join(out.shown, place.folder, KPTFILE)
    if (read.has(path)) return []
    try {
      const kptfile = place.kptfile()
      kptfile?.readAll()
      return kptfile ?? []
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      faults.push(unreadableDocument(path, error))
      return []
    }
  })
  return { kptfiles, faults }
}

/**
 * Returns a function that returns the place of the first file of a package that cannot be read. Only Kptfiles are read of packages outside
 * of the fleet's folder, so that their other files are read when they are asked for.
 */
function unreadableFinder(broken: readonly Result[], host: Host): NonNullable<PackageLocks['unreadable']> {
  return ({ object: { kind, file } }) => {
    if (kind !== KPTFILE || file === undefined) return undefined
    const folder = posix.dirname(file.path)
    const name = (path: string) => posix.join(folder, path)
    const known = broken.filter((result) => result.file?.path.startsWith(`${folder}/`))
    const found = known.length > 0 ? known : findingsOf(() => readTree(diskTree(host.locate(folder)), name).results)
    const first = found.find(({ severity }) => severity === 'error')
    return first && `${first.file?.path ?? folder}:${first.position?.line ?? 1}`
  }
}
