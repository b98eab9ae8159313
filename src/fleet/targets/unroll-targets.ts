import type { FieldPath } from '../../field-path.ts'
import type { ObjectCriteria, RepositoryCriteria, RepositoryList, Target } from '../../kinds/target.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import type { Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import { INJECTION_ANNOTATION, REPOSITORY_API } from '../../well-known.ts'
import { countOf, nameFirst } from '../../wording.ts'
import { type Fleet, type FleetObject, otherVersions, type SetSurroundings } from '../fleet.ts'
import { layersOf, layerTemplates } from '../templates/layered-template.ts'
import type { ExcludedPlace, Unrolled, UnrolledTarget } from './unrolled-target.ts'
import type { Unrolling } from './unrolling.ts'

/**
 * Returns the places of every target of a set: of each target those of each upstream, in the order of the set; matched objects are sorted
 * by name (seed 001, Target Unrolling). Objects are looked up in the namespace of the set.
 * Example: `repositories: [{name: a, packageNames: [x, y]}]` gives the places `a/x` and `a/y`.
 */
export function unrollTargets(set: VariantSet, unrolling: Unrolling, surroundings: SetSurroundings): readonly Unrolled[] {
  return unrollSelected(selectTargets(set, surroundings), set, unrolling)
}

/** A target with the spots that it selects, each of which is a place for every upstream, and the findings of the lookup. */
export interface SelectedTarget {
  readonly target: Target
  readonly spots: readonly Spot[]
  readonly findings: readonly Result[]
}

/** A place without its upstream. `packageName` is undefined if the package has the name of the upstream's. */
interface Spot {
  readonly path: FieldPath
  readonly repoDefault: string
  readonly packageName: string | undefined
  readonly object: FleetObject | undefined
}

/** Returns the spots of every target of a set. */
export function selectTargets(set: VariantSet, surroundings: SetSurroundings): readonly SelectedTarget[] {
  return set.targets.map((target) => {
    const { criteria } = target
    if (criteria.type === 'repositories') return { target, spots: listedSpots(target, criteria), findings: [] }
    const { objects, findings } = selectObjects(target, criteria, set, surroundings)
    return { target, spots: matchedSpots(target, criteria, objects), findings }
  })
}

/**
 * Returns the places of selected targets with every upstream of the set, in the revision of the target's ring, without those that an
 * exclusion takes away. An excluded target needs no inputs and no ring.
 */
export function unrollSelected(
  selected: readonly SelectedTarget[],
  set: VariantSet,
  { upstreams, exclusions, inputs: inputsOf, rings }: Unrolling,
): readonly Unrolled[] {
  const atHome = (spot: Spot): Pick<UnrolledTarget, 'inputs' | 'ring'> => {
    const inputs = inputsOf.of(spot)
    return { inputs, ring: rings.of(spot, inputs) }
  }
  return selected.map(({ target, spots, findings }) => {
    const places: UnrolledTarget[] = []
    const excluded: ExcludedPlace[] = []
    for (const [index, asked] of set.upstreams.entries()) {
      const template = layerTemplates(layersOf(set, asked, target))
      for (const spot of spots) {
        const { path, repoDefault, packageName = asked.package, object } = spot
        const exclusion = exclusions.of({ repoDefault, object, upstreamPackage: asked.package })
        const { inputs, ring } = exclusion === undefined ? atHome(spot) : NOWHERE
        const upstream = upstreams.of(index, ring)
        const place = { target, path, repoDefault, packageDefault: packageName, object, upstream, inputs, ring, template }
        if (exclusion === undefined) places.push(place)
        else excluded.push({ place, exclusion })
      }
    }
    return { target, places, excluded, findings }
  })
}

/** The inputs and the ring of an excluded target, which are not looked up. */
const NOWHERE = { inputs: undefined, ring: undefined }

/**
 * Returns the fault of a set whose upstreams and targets give more variants than `spec.maxVariants`; undefined for a set without a limit
 * or within it.
 */
export function refuseTooMany(
  { object, upstreams, targets, maxVariants }: VariantSet,
  selected: readonly SelectedTarget[],
): Result | undefined {
  const spots = selected.reduce((sum, each) => sum + each.spots.length, 0)
  const variants = upstreams.length * spots
  if (maxVariants === undefined || variants <= maxVariants) return undefined
  const places = `${countOf(upstreams.length, 'upstream')} for ${countOf(spots, 'place')} of ${countOf(targets.length, 'target')}`
  return faultToResult(object, {
    severity: 'error',
    rule: 'max-variants',
    path: ['spec', 'maxVariants'],
    message: `must be at least ${variants}, the variants of ${places}, got ${maxVariants}; raise it if they are meant, else select less`,
    place: ['spec', 'maxVariants'],
  })
}

/** Returns the objects that a target selects, and the findings of the lookup: an unknown kind, placeholders that were left out. */
function selectObjects(
  target: Target,
  criteria: RepositoryCriteria | ObjectCriteria,
  set: VariantSet,
  { fleet, namespace, lookups }: SetSurroundings,
): { readonly objects: readonly FleetObject[]; readonly findings: readonly Result[] } {
  if (criteria.type === 'repositorySelector')
    return { objects: fleet.objectsOf(REPOSITORY_API, 'Repository', namespace).matching(criteria), findings: [] }
  const { apiVersion, kind } = criteria
  const faults = lookups === 'required' && !fleet.kinds.exists(apiVersion, kind) ? [noSuchKind(set, target, criteria, fleet)] : []
  const left = fleet.placeholdersOf(apiVersion, kind, namespace).matching(criteria)
  const objects = fleet.objectsOf(apiVersion, kind, namespace).matching(criteria)
  return { objects, findings: [...faults, ...(left.length === 0 ? [] : [leftOut(set, target, left)])] }
}

/**
 * Returns a spot for every repository and each of its package names; without package names, one for the upstream's package (seed 000,
 * PackageVariantSet API).
 */
function listedSpots({ path: top }: Target, { repositories }: RepositoryList): readonly Spot[] {
  return repositories.flatMap(({ name: repoDefault, packageNames }, entry): readonly Spot[] => {
    const path = [...top, 'repositories', entry]
    if (packageNames.length === 0) return [{ path, repoDefault, packageName: undefined, object: undefined }]
    return packageNames.map((packageName, position) => {
      return { path: [...path, 'packageNames', position], repoDefault, packageName, object: undefined }
    })
  })
}

/** Returns a spot for every matched object and each package name. The name of the object is the default for the repository. */
function matchedSpots(
  target: Target,
  { type, packageNames }: RepositoryCriteria | ObjectCriteria,
  objects: readonly FleetObject[],
): readonly Spot[] {
  const path = [...target.path, type]
  const names = packageNames.length === 0 ? [undefined] : packageNames
  return objects.flatMap((object) => names.map((packageName) => ({ path, repoDefault: object.name, packageName, object })))
}

function leftOut(set: VariantSet, { path }: Target, placeholders: readonly FleetObject[]): Result {
  const names = placeholders.map(({ kind, name }) => `${kind} ${name}`)
  return faultToResult(set.object, {
    severity: 'info',
    rule: 'placeholder-object',
    path: [...path, 'objectSelector'],
    message: `leaves out ${countOf(names.length, 'placeholder')} inside packages (${INJECTION_ANNOTATION}): ${nameFirst(names, NAMED)}`,
  })
}

const NAMED = 3

function noSuchKind(set: VariantSet, { path }: Target, criteria: ObjectCriteria, fleet: Fleet): Result {
  const { apiVersion, kind } = criteria
  const others = otherVersions(criteria, fleet)
  return faultToResult(set.object, {
    severity: 'error',
    rule: 'no-such-kind',
    path: [...path, 'objectSelector', 'kind'],
    message: `must be a kind that exists: '${kind}' of '${apiVersion}' is not built in, and the list has no CustomResourceDefinition and no object of it${others === undefined ? '' : `; ${others}`}`,
    reason: 'NoMatchingTargets',
  })
}
