import { realPlace } from '../../folder/inside-folder.ts'
import type { NamedFolder } from '../../folder/named-folder.ts'
import { holdsAnything } from '../../folder/scan-packages.ts'
import type { FleetGit } from '../../git/fleet-git.ts'
import { type FleetNames, fleetNames } from '../../git/fleet-identity.ts'
import { type FoundKptfile, kptfilesIn, shownPlace } from '../../git/tracked-kptfiles.ts'
import { groupBy } from '../../group-by.ts'
import { ownerFor } from '../../lifecycle/owner-annotation.ts'
import type { DownstreamPlaces } from '../../lifecycle/package-steps.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { Result, Severity } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { shellPath } from '../../shell-word.ts'
import { countOf } from '../../wording.ts'
import type { RenderPlan } from '../plan-render.ts'
import { readingOwner } from './disk-places.ts'

/** The known packages of a fleet outside of the folder that they are rendered to. */
export interface PackageSearch {
  /** The folders of packages that were made for variants, below the folder of the fleet. */
  readonly made: readonly string[]
  /** The name that the options give the fleet. */
  readonly fleet: string | undefined
  /** True if the caller named another folder for the packages than the options: the packages may be meant to be in both. */
  readonly isOutAsked: boolean
  readonly git: FleetGit
}

interface Searching {
  readonly dir: NamedFolder
  readonly out: NamedFolder
  readonly places: Pick<DownstreamPlaces, 'owned'>
  readonly search?: PackageSearch
}

/** A package of the fleet in another place than the one that it is about to be made in. */
interface PackageElsewhere extends Pick<FoundKptfile, 'folder' | 'isOnDisk'> {
  /** The folder of the step, below `out`. */
  readonly wanted: string
  /** The folder of all packages there; the package itself if it has another path below it. */
  readonly root: string
}

/**
 * Returns a finding for the packages that are about to be made although the fleet has them elsewhere: in another folder on disk, or in
 * the index of git. Most likely the folder of the packages, or `out`, was renamed. What people changed would stay behind.
 */
export function packagesElsewhere(plan: RenderPlan, searching: Searching): readonly Result[] {
  const creates = plan.steps.filter(({ op }) => op === 'create')
  if (searching.search === undefined || creates.length === 0) return []
  const wanted = new Map(creates.map(({ variant, folder }) => [ownerFor(variant).variant, folder]))
  const inputs = new Set(plan.steps.flatMap(({ upstream: { source } }) => source.disk ?? []))
  const isAllowed = plan.renderContext.options.discardEdits || searching.search.isOutAsked
  return wantedElsewhere(wanted, { ...searching, search: searching.search, inputs, severity: isAllowed ? 'warning' : 'error' })
}

/** The input of a search for the packages of some variants. */
interface VariantSearch extends Required<Searching> {
  /** The folders of packages that are upstreams. */
  readonly inputs?: ReadonlySet<string>
  readonly severity: Severity
}

/**
 * Returns the findings of `packagesElsewhere` for variants without a package.
 *
 * @param wanted  the folder of the package of each, by `NAMESPACE/NAME`
 */
export function wantedElsewhere(
  wanted: ReadonlyMap<string, string>,
  { dir, out, places, search, inputs, severity }: VariantSearch,
): readonly Result[] {
  const kptfiles = [...kptfilesIn(dir.disk, search.made), ...search.git.kptfiles(out.disk)]
  const found = new Map<string, PackageElsewhere>()
  for (const kptfile of kptfiles) {
    const place = inputs?.has(kptfile.folder) === true ? undefined : elsewhereOf(kptfile, wanted, { dir, out, places, search })
    if (place !== undefined && found.get(place.wanted)?.isOnDisk !== true) found.set(place.wanted, place)
  }
  return [...groupBy([...found.values()], ({ root, isOnDisk }) => `${root} ${isOnDisk}`).values()].map((group) => ({
    severity,
    message: messageOf(group, { dir, out }),
    tags: { rule: 'package-elsewhere' },
  }))
}

/**
 * Returns the place of a package that is about to be made elsewhere; undefined for another package. Packages on disk below `out` are those
 * that the plan knows.
 */
function elsewhereOf(
  { folder, isOnDisk, text }: FoundKptfile,
  wanted: ReadonlyMap<string, string>,
  { dir, out, places, search }: Required<Searching>,
): PackageElsewhere | undefined {
  const { owner } = readingOwner(text, KPTFILE)
  const step = wanted.get(owner?.variant ?? '')
  if (owner === undefined || step === undefined) return undefined
  const top = realPlace(out.disk)
  if (folder === `${top}/${step}` || (isOnDisk && folder.startsWith(`${top}/`))) return undefined
  const root = folder.endsWith(`/${step}`) ? folder.slice(0, -step.length - 1) : folder
  const fleet = realPlace(dir.disk)
  const above = root.slice(0, root.lastIndexOf('/') + 1)
  // A package outside of the fleet's folder may be of a copy of the fleet, unless it is beside this fleet, which has no other packages.
  const isBeside = owner.fleet !== undefined && places.owned.length === 0 && [fleet, top].some((each) => `${each}/`.startsWith(above))
  if (!folder.startsWith(`${fleet}/`) && !isBeside) return undefined
  // The name of a fleet, now and earlier, depends on the folder of its packages too.
  const isName = (name: string) => [root, out.disk].some((each) => hasName(fleetNames(dir.disk, each, search.fleet, search.git.name), name))
  const isOwn = owner.fleet === undefined || isName(owner.fleet)
  return isOwn ? { folder, isOnDisk, wanted: step, root } : undefined
}

function hasName(names: FleetNames, name: string): boolean {
  return name === names.name || names.hadName(name)
}

function messageOf(group: readonly [PackageElsewhere, ...PackageElsewhere[]], { dir, out }: Pick<Searching, 'dir' | 'out'>): string {
  const [first, ...others] = group
  const isWhole = first.root !== first.folder
  const from = shownPlace(dir, isWhole ? first.root : first.folder)
  const more = others.length === 0 ? '' : ` and ${countOf(others.length, 'other package')} of the fleet`
  const there = first.isOnDisk ? '' : ", by git's index, and not on disk"
  const what = `${quoteText(shownPlace(dir, first.folder))}${more} ${others.length === 0 ? 'is' : 'are'} below ${quoteText(from)}${there}`
  const consequence = `would be made anew below ${quoteText(out.shown)}, without what people changed`
  if (!first.isOnDisk)
    return `${what}, and ${consequence}: \`git restore ${shellPath(from)}\` brings the files back; \`git rm -r --cached ${shellPath(from)}\` and --discard-edits make new ones`
  const isFree = isWhole && !holdsAnything(out.disk, '')
  const [moved, to] = isFree ? [from, out.shown] : [shownPlace(dir, first.folder), `${out.shown}/${first.wanted}`]
  return `${what}, and ${consequence}: move them by \`git mv ${shellPath(moved)} ${shellPath(to)}\`, or name that folder in \`spec.out\` of the RenderVariants (--out); --discard-edits makes new ones`
}
