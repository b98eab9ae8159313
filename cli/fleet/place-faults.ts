import { type FleetVariant, readVariants } from '../../src/fleet/fleet-variants.ts'
import { formerDownstreamFinder } from '../../src/fleet/former-downstreams.ts'
import { passedOverObjects } from '../../src/fleet/passed-over.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { plannedVariants } from '../../src/fleet/planned-variants.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import { GitError } from '../../src/git/run-git.ts'
import { notAdopted, refuseRemovals } from '../../src/lifecycle/lifecycle-results.ts'
import { ownerFor } from '../../src/lifecycle/owner-annotation.ts'
import { type LifecyclePlan, planLifecycle } from '../../src/lifecycle/plan-lifecycle.ts'
import { TARGET_RENAMED } from '../../src/lifecycle/target-renames.ts'
import { once } from '../../src/remember.ts'
import type { DiskPlaces } from '../../src/render/disk/disk-places.ts'
import { wantedElsewhere } from '../../src/render/disk/packages-elsewhere.ts'
import { packageChange } from '../../src/render/removed-packages.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import type { RuleId } from '../../src/rules/rule-id.ts'
import { UpstreamLibrary } from '../../src/upstream/upstream-library.ts'
import { searchOf } from '../render/packages-folder.ts'
import type { FleetReading } from './fleet-reading.ts'
import { atSets, isAboutMade, variantObject } from './variants-in-memory.ts'

/** The rules of findings about places that a plan of all packages has. */
export const OF_PLACES: ReadonlySet<RuleId> = new Set([
  ...(['other-fleet', 'downstream-renamed', 'downstream-occupied', TARGET_RENAMED] as const),
  ...(['downstream-duplicate', 'path-nested', 'deletion-guard'] as const),
])

/** The rules whose findings about written variants are those of the variants themselves. */
const OF_VARIANTS: ReadonlySet<RuleId> = new Set(['downstream-duplicate', 'path-nested'] as const)

/**
 * Returns the findings about the places of packages that `render` would have: packages of the fleet that are in another place, places that
 * hold other files or lead through a link, packages of another fleet, variants of one place, too many packages to remove, objects that are
 * passed over and may want one that would be removed, and an `out` that leads outside of the folder.
 */
export function findPlaceFaults(fleet: FleetReading, plan: FleetPlan): readonly Result[] {
  const { out } = fleet
  const outside = fleet.outsideFaults()
  if (outside.length > 0) return outside
  const places = fleet.places()
  if (out === undefined || places === undefined) return refuseEmptyFleet(fleet, plan)
  try {
    return faultsIn(fleet, plan, { out, places })
  } catch (error) {
    // A shallow clone cannot say what a fleet is called that is named by its first commit.
    if (!(error instanceof GitError)) throw error
    return [{ severity: 'error', message: error.message, tags: { rule: 'other-fleet' } }]
  }
}

interface Searched {
  readonly out: NamedFolder
  readonly places: DiskPlaces
}

/**
 * Returns the present folders of packages that the next `render` finds for variants without a package, by the folders that the variants
 * want.
 *
 * @throws GitError when git cannot say what the fleet is called
 */
export function packagesToRename(fleet: FleetReading, plan: FleetPlan): ReadonlyMap<string, string> {
  const { out } = fleet
  const places = fleet.places()
  if (out === undefined || places === undefined) return new Map()
  const { renames } = lifecycleOf(fleet, plan, { out, places })
  return new Map([...renames].map(([variant, { place }]) => [places.folderOf(variant), place.folder]))
}

/** Plans the steps of `render` for the variants of a plan, and their names. Upstream packages are read only where a package is missing. */
function lifecycleOf(fleet: FleetReading, plan: FleetPlan, { out, places }: Searched): LifecyclePlan & { readonly name: string } {
  const { options, read } = fleet
  const { name, hadName } = fleet.names(out)
  const objects = plannedVariants(plan).map(variantObject)
  const { variants } = readVariants(objects)
  const former = formerDownstreamFinder([...read.list.items, ...objects])
  const library = once(() => new UpstreamLibrary(fleet.upstreams({ offline: true }).packageSource, plan.fleet, options))
  const facts = {
    options: { ...options, fleet: name },
    hadName,
    everyVariant: variants,
    others: 0,
    everyOwned: places.owned,
    formerDownstream: ({ object }: FleetVariant, upstreamPackage: string) => former(object, upstreamPackage),
    upstreamDirectory: (variant: FleetVariant) => {
      const found = library().wanted(variant)
      return 'revision' in found ? found.revision.origin.directory : undefined
    },
  }
  // The faults of Kptfiles are those of the packages.
  return { ...planLifecycle(variants, { ...places, faults: [] }, facts), name }
}

function faultsIn(fleet: FleetReading, plan: FleetPlan, { out, places }: Searched): readonly Result[] {
  const { folder: dir, options, read } = fleet
  const { steps, leftovers, results, name } = lifecycleOf(fleet, plan, { out, places })
  // A name by the folder, of a fleet without git, says nothing beside one by git: files may be copied out of a checkout, or into one.
  const isCopy = places.owned.some(({ owner }) => owner?.fleet !== undefined && isOfFolder(owner.fleet) !== isOfFolder(name))
  const found = results
    .filter((result) => isAsked(result, plan))
    .map((result): Result => (result.tags.rule === 'other-fleet' && isCopy ? { ...result, severity: 'warning' } : result))
  // Where no package has an owner, another tool makes the packages of the variants.
  const left = steps.flatMap(({ op, variant, folder }) => {
    const place = op === 'leave' ? places.at(folder) : undefined
    return place === undefined || (place.isPackage && places.owned.length === 0) ? [] : [{ variant, folder, place }]
  })
  const lacking = [...steps.filter(({ op }) => op === 'create'), ...left.filter(({ place }) => !place.isPackage)]
  const wanted = new Map(lacking.map(({ variant, folder }) => [ownerFor(variant).variant, folder]))
  const search = searchOf(fleet.made, { dir, out }, options, fleet.git)
  const severity = search.isOutAsked || options.discardEdits ? 'warning' : 'error'
  const lost = hasErrors(plan.results) ? [] : leftovers
  return [
    ...passedOverObjects(read.list, packageChange({ steps, leftovers: lost, options }, places)),
    ...atSets([...found, ...left.map(({ variant, place }) => notAdopted(variant, place))], plan),
    ...(wanted.size === 0 ? [] : wantedElsewhere(wanted, { dir, out, places, search, severity })),
  ]
}

/**
 * Returns the refusal to remove the packages of a fleet of which no set has a variant, where nothing names the folder of the packages: the
 * folder of the fleet holds them.
 */
function refuseEmptyFleet(fleet: FleetReading, plan: FleetPlan): readonly Result[] {
  const isEmpty = plan.sets.length > 0 && !hasErrors(plan.results) && plannedVariants(plan).length === 0
  if (fleet.dir === '-' || !isEmpty) return []
  const { folder, made, options } = fleet
  const leftovers = made.map((path) => ({ op: 'remove' as const, place: { folder: below(folder, path).shown, owner: undefined } }))
  return refuseRemovals({ variants: 0, existing: made.length, hasOwn: true, leftovers }, options)
}

/** Returns true for a finding about a place. Of sets with errors it is not known which packages they would keep. */
function isAsked(result: Result, plan: FleetPlan): boolean {
  const { rule } = result.tags
  if (OF_VARIANTS.has(rule)) return isAboutMade(result)
  return OF_PLACES.has(rule) && (rule !== 'deletion-guard' || !hasErrors(plan.results))
}

/** Returns true for the name of a fleet without git, by its folder. */
function isOfFolder(name: string): boolean {
  return name.startsWith('folder:')
}
