import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { planInSteps } from '../../functions/fan-out/fan-out.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type PackageLocks, packageLocks } from '../../src/fleet/releases/behind.ts'
import type { KnownLocks } from '../../src/fleet/releases/ring-order.ts'
import { isAnyLocked } from '../../src/fleet/releases/ring-revisions.ts'
import { CheckoutGaps } from '../../src/package/checkout-gaps.ts'
import { gapFinding } from '../../src/package/gap-findings.ts'
import { below, type NamedFolder } from '../../src/package/named-folder.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { readTree } from '../../src/package/read-package.ts'
import { fleetTreeInside, withLinksNow } from '../../src/package/tree-inside.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { diskPlaces } from '../../src/render/target/disk/disk-places.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
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
  /** The folders of variants that hold files without a Kptfile: `render` leaves these alone. */
  readonly occupied: ReadonlySet<string>
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
  const elsewhere = kptfilesElsewhere(out, read, plan)
  const broken = [...read.broken, ...elsewhere.faults]
  const locks = { ...packageLocks(plan.fleet, [...items, ...elsewhere.kptfiles]), unreadable: unreadableFinder(broken) }
  const known = isAnyLocked(plan, locks) ? locks : noLocks(out)
  const occupied = new Set(elsewhere.occupied)
  const left = out === undefined ? [] : elsewhere.occupied.map((folder) => leftAlone(below(out, folder).shown))
  return { read, plan, locks, known, results: [...results, ...broken, ...left], broken, occupied }
}

/** Returns what is known of packages of which none is found. */
function noLocks(out: NamedFolder | undefined): KnownLocks {
  if (out === undefined) return 'unknown'
  return existsSync(out.disk) ? 'none' : { noFolder: out.shown }
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
  /** The faults of Kptfiles and other files of packages that cannot be read. */
  readonly faults: readonly Result[]
  /** The folders of variants, REPOSITORY/PACKAGE, that hold files without a Kptfile. */
  readonly occupied: readonly string[]
}

function leftAlone(folder: string): Result {
  const message = `there are files and no Kptfile at ${quoteText(folder)}: \`render\` makes no package there and leaves them alone; git may have the Kptfile`
  return { severity: 'warning', message, file: { path: folder, index: 0 }, tags: { rule: 'not-adopted' } }
}

/** Returns the Kptfiles of the packages in a folder that were not read with the fleet, and the faults of all their files. */
export function kptfilesElsewhere(
  out: NamedFolder | undefined,
  { list, broken }: Pick<FleetInput, 'list' | 'broken'>,
  { sets }: Pick<FleetPlan, 'sets'>,
): KptfilesElsewhere {
  if (out === undefined) return { kptfiles: [], faults: [], occupied: [] }
  const gaps = packageGapsBelow(out)
  if (!existsSync(out.disk)) return { kptfiles: [], faults: gaps, occupied: [] }
  const read = new Set(filesOf([...list.items, ...broken]))
  const { owned, faults: ofOwners, at } = diskPlaces(out)
  const faults = [...gaps, ...ofOwners.filter(({ file }) => !read.has(file?.path ?? ''))]
  // A Kptfile that lost the name of its variant is found where the package of the variant must be.
  const wanted = sets.flatMap(({ changes }) => changes.flatMap(({ why }) => (why === undefined ? [] : [`${why.repo}/${why.package}`])))
  const known = new Set([...read, ...filesOf(faults), ...owned.map(({ folder }) => posix.join(out.shown, folder, KPTFILE))])
  const lost = wanted.filter((folder) => !known.has(posix.join(out.shown, folder, KPTFILE)))
  faults.push(...lost.flatMap((folder) => at(folder)?.kptfileFault() ?? []))
  const occupied = lost.filter((folder) => at(folder)?.isPackage === false && at(folder)?.kptfileFault() === undefined)
  const kptfiles = owned.flatMap((place) => {
    const path = posix.join(out.shown, place.folder, KPTFILE)
    if (read.has(path)) return []
    const found = packageFaults(below(out, place.folder))
    faults.push(...found)
    return found.some(({ file }) => file?.path === path) ? [] : (place.kptfile() ?? [])
  })
  return { kptfiles, faults, occupied: [...new Set(occupied)] }
}

/** Returns the error about the files of packages that the checkout leaves out. */
function packageGapsBelow({ disk, shown }: NamedFolder): readonly Result[] {
  const gaps = new CheckoutGaps().below(disk)
  const [first] = gaps
  return first === undefined
    ? []
    : [
        gapFinding(
          gaps.map(({ path }) => posix.join(shown, path)),
          first.reason,
        ),
      ]
}

/** Returns the errors of the files of a package. */
function packageFaults({ disk, shown }: NamedFolder): readonly Result[] {
  const name = (path: string) => posix.join(shown, path)
  const inside = fleetTreeInside(disk, name)
  return findingsOf(() => withLinksNow(inside, () => readTree(inside.tree, name, { isPackage: true })).results).filter(
    ({ severity }) => severity === 'error',
  )
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
