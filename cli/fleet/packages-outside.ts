import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type FleetObjects, readPackageOfFleet } from '../../src/fleet/read-fleet-folder.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import { CheckoutGaps } from '../../src/git/checkout-gaps.ts'
import { gapFinding } from '../../src/git/gap-findings.ts'
import type { DiskPlaces } from '../../src/render/disk/disk-places.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../../src/resource-list/package-of.ts'
import { collectFaults, type FileRef, type Result } from '../../src/result.ts'
import { KPTFILE_API } from '../../src/well-known.ts'

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

/** No packages, where no folder is named for them. */
export const NOTHING_OUTSIDE: PackagesOutside = { kptfiles: [], packages: [], faults: [], occupied: [] }

/**
 * Returns the packages in the folder of packages that were not read with the fleet, with the faults of all their files.
 *
 * @param out   the folder of packages
 * @param sets  the variants of these sets are looked for where their packages must be
 */
export function packagesOutside(
  { list, broken }: Pick<FleetObjects, 'list' | 'broken'>,
  out: NamedFolder,
  { owned, faults: ofOwners, at }: DiskPlaces,
  sets: FleetPlan['sets'],
): PackagesOutside {
  const gaps = packageGapsBelow(out)
  if (!existsSync(out.disk)) return { ...NOTHING_OUTSIDE, faults: gaps }
  const read = new Set(filesOf([...list.items, ...broken]))
  const faults = [...gaps, ...ofOwners.filter(({ file }) => !read.has(file?.path ?? ''))]
  // A Kptfile with another kind or version is read as any object: what it names as its upstream may not be that.
  const misread = new Set(filesOf(list.items.filter((item) => isKptfile(item.file?.path ?? '') && !isKnownKptfile(item))))
  const isMisread = ({ folder }: { readonly folder: string }) => misread.has(posix.join(out.shown, folder, KPTFILE))
  faults.push(...owned.filter(isMisread).flatMap((place) => place.kptfileFault() ?? []))
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
    const kptfile = errors.some(({ file }) => file?.path === path) ? undefined : place.kptfile()
    const fault = kptfile === undefined || isKnownKptfile(kptfile) ? undefined : place.kptfileFault()
    if (fault !== undefined) faults.push(fault)
    return kptfile ?? []
  })
  return { kptfiles, packages, faults, occupied: [...new Set(occupied)] }
}

function filesOf(found: readonly { readonly file?: FileRef | undefined }[]): readonly string[] {
  return found.flatMap(({ file }) => file?.path ?? [])
}

/** Returns the error about the files of packages below a folder that the checkout leaves out. */
export function packageGapsBelow({ disk, shown }: NamedFolder): readonly Result[] {
  return gapFinding(new CheckoutGaps().below(disk), (path) => posix.join(shown, path))
}

/** Returns true for a Kptfile of the version that is read. */
function isKnownKptfile({ kind, apiVersion }: KrmObject): boolean {
  return kind === KPTFILE && apiVersion === KPTFILE_API
}
