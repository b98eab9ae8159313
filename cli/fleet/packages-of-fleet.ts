import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type FleetObjects, readPackageOfFleet } from '../../src/fleet/read-fleet-folder.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import { CheckoutGaps } from '../../src/git/checkout-gaps.ts'
import { gapFinding } from '../../src/git/gap-findings.ts'
import { scalarText } from '../../src/json.ts'
import { diskPlaces } from '../../src/render/disk/disk-places.ts'
import { wantedElsewhere } from '../../src/render/disk/packages-elsewhere.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { collectFaults, type FileRef, FunctionError, type Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { isPackageVariant, namespacedName } from '../../src/variant/find-variant.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import type { Host } from '../host.ts'
import { configuredOptions, type FleetRenderRequest, outFolder, searchOf } from '../render/fleet-to-render.ts'
import { UsageError } from '../usage-error.ts'
import type { FleetChoices } from './fleet-options.ts'
import { namedFolder, requireFolder } from './read-fleet.ts'

/** Returns the folder of the packages; undefined if neither the caller nor the options name one. */
export function packagesFolder(
  dir: string,
  request: Pick<FleetRenderRequest, 'out'>,
  options: RenderOptions,
  host: Host,
): NamedFolder | undefined {
  if (request.out === undefined && options.out === undefined) return undefined
  return outFolder(namedFolder(dir, host), request, options, host)
}

/** Refuses a folder of packages that does not exist: a misspelt one would look like one without packages. @throws UsageError */
export function requireOut({ out }: Pick<FleetRenderRequest, 'out'>, host: Host): void {
  if (out !== undefined && out !== '' && !existsSync(host.locate(out))) throw new UsageError(`no folder ${quoteText(out)}`)
}

function filesOf(found: readonly { readonly file?: FileRef | undefined }[]): readonly string[] {
  return found.flatMap(({ file }) => file?.path ?? [])
}

/** The packages of a fleet that were not read with its folder. */
export interface PackagesOutside {
  /** The Kptfiles, also of packages of which other files cannot be read. */
  readonly kptfiles: readonly KrmObject[]
  /** The content of the packages without faults. */
  readonly packages: readonly FolderPackage[]
  /** The faults of Kptfiles and other files of packages that cannot be read. */
  readonly faults: readonly Result[]
  /** The folders of variants, REPOSITORY/PACKAGE, that hold files without a Kptfile. */
  readonly occupied: readonly string[]
}

/** Returns the warning about a folder of a variant that holds files and no Kptfile. */
function leftAlone(folder: string): Result {
  const message = `there are files and no Kptfile at ${quoteText(folder)}: \`render\` makes no package there and leaves them alone; git may have the Kptfile`
  return { severity: 'warning', message, file: { path: folder, index: 0 }, tags: { rule: 'not-adopted' } }
}

/**
 * Returns the packages in the folder of packages, `out`, that were not read with the fleet, with the faults of all their files.
 *
 * @param sets  the variants of these sets are looked for where their packages must be
 */
export function packagesOutside(
  out: NamedFolder | undefined,
  { list, broken }: Pick<FleetObjects, 'list' | 'broken'>,
  { sets }: Pick<FleetPlan, 'sets'>,
): PackagesOutside {
  if (out === undefined) return { kptfiles: [], packages: [], faults: [], occupied: [] }
  const gaps = packageGapsBelow(out)
  if (!existsSync(out.disk)) return { kptfiles: [], packages: [], faults: gaps, occupied: [] }
  const read = new Set(filesOf([...list.items, ...broken]))
  const { owned, faults: ofOwners, at } = diskPlaces(out)
  const faults = [...gaps, ...ofOwners.filter(({ file }) => !read.has(file?.path ?? ''))]
  // A Kptfile that lost the name of its variant is found where the package of the variant must be.
  const wanted = sets.flatMap(({ changes }) => changes.flatMap(({ why }) => (why === undefined ? [] : [`${why.repo}/${why.package}`])))
  const known = new Set([...read, ...filesOf(faults), ...owned.map(({ folder }) => posix.join(out.shown, folder, KPTFILE))])
  const lost = wanted.filter((folder) => !known.has(posix.join(out.shown, folder, KPTFILE)))
  faults.push(...lost.flatMap((folder) => at(folder)?.kptfileFault() ?? []))
  const occupied = lost.filter((folder) => at(folder)?.isPackage === false && at(folder)?.kptfileFault() === undefined)
  const packages: FolderPackage[] = []
  const kptfiles = owned.flatMap((place) => {
    const path = posix.join(out.shown, place.folder, KPTFILE)
    if (read.has(path)) return []
    const found: Result[] = []
    const content = collectFaults(found, () => readPackageOfFleet(below(out, place.folder)))
    if (content !== undefined) packages.push(content)
    const errors = [...found, ...(content?.results ?? [])].filter(({ severity }) => severity === 'error')
    faults.push(...errors)
    return errors.some(({ file }) => file?.path === path) ? [] : (place.kptfile() ?? [])
  })
  return { kptfiles, packages, faults, occupied: [...new Set(occupied)] }
}

/**
 * Returns the folder of a fleet with its rendered packages, where the options of the fleet or the caller say that these are outside of the
 * folder: they are a part of the fleet that is checked.
 *
 * @throws FunctionError with every file of a package that cannot be read, and the faults of the options
 */
export function withPackagesOutside(read: FleetObjects, dir: string, options: FleetChoices, host: Host): FleetObjects {
  if (dir === '-') return read
  const { items, functionConfig } = read.list
  const out = packagesFolder(dir, options, configuredOptions(items, dir, host, options.config), host)
  if (out === undefined || !existsSync(out.disk)) return read
  const [fleet, root] = [realPlace(requireFolder(dir, host)), realPlace(out.disk)]
  const isAllowed = options.allowOutside === true || options.out !== undefined
  if (root === fleet || root.startsWith(`${fleet}/`) || !isAllowed) return read
  const { packages, faults } = packagesOutside(out, read, { sets: [] })
  if (faults.length > 0) throw new FunctionError(faults)
  return {
    ...read,
    files: [...read.files, ...packages.flatMap(({ files }) => files)],
    list: ResourceList.of([...items, ...packages.flatMap(({ list }) => list.items)], functionConfig),
    results: [...read.results, ...packages.flatMap(({ results }) => results)],
  }
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

/** Returns the folder of the package of a PackageVariant: REPOSITORY/PACKAGE. */
function downstreamFolder(variant: KrmObject): string {
  return ['repo', 'package'].map((key) => scalarText(variant.get(['spec', 'downstream', key]))).join('/')
}

/**
 * Returns the findings about the places of packages that `render` would have: packages of the fleet that are in another place, and places
 * that hold files without a Kptfile.
 */
export function findPlaceFaults(
  { list: { items } }: Pick<FleetObjects, 'list'>,
  { sets }: Pick<FleetPlan, 'sets'>,
  dir: string,
  options: FleetChoices,
  host: Host,
): readonly Result[] {
  const configured = configuredOptions(items, dir, host, options.config)
  const out = packagesFolder(dir, options, configured, host)
  if (out === undefined) return []
  const places = diskPlaces(out)
  const there = new Set(places.owned.map(({ folder }) => folder))
  const changes = sets.flatMap((set) => set.changes)
  const known = new Set(changes.flatMap(({ existing }) => existing?.object ?? []))
  const ofSets = changes.flatMap(({ op, why, namespace, name }) =>
    op === 'remove' || why === undefined ? [] : [[`${namespace}/${name}`, `${why.repo}/${why.package}`] as const],
  )
  const alone = items
    .filter((item) => isPackageVariant(item) && !known.has(item))
    .map((item) => [namespacedName(item), downstreamFolder(item)] as const)
  const wanted = new Map([...ofSets, ...alone].filter(([, folder]) => !there.has(folder)))
  if (wanted.size === 0) return []
  const occupied = [...new Set(wanted.values())].filter((folder) => {
    const place = places.at(folder)
    return place?.isPackage === false && place.kptfileFault() === undefined
  })
  const folder = namedFolder(dir, host)
  const kptfiles = items.filter((item) => item.kind === KPTFILE && item.annotations.has(VARIANT_ANNOTATION))
  const made = kptfiles.flatMap(({ file }) => (file === undefined ? [] : [posix.relative(folder.shown, posix.dirname(file.path))]))
  const search = searchOf(made, { dir: folder, out }, configured)
  const severity = search.isOutAsked ? 'warning' : 'error'
  return [
    ...occupied.map((each) => leftAlone(below(out, each).shown)),
    ...wantedElsewhere(wanted, { dir: folder, out, places, search, severity }),
  ]
}
