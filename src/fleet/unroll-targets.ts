import type { FieldPath } from '../field-path.ts'
import type { PackageVariantSet } from '../kinds/package-variant-set.ts'
import type { ObjectCriteria, RepositoryCriteria, RepositoryList, Target } from '../kinds/target.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { INJECTION_ANNOTATION, REPOSITORY_API } from '../well-known.ts'
import { countOf, inLine, nameFirst } from '../wording.ts'
import { type Fleet, type FleetObject, otherVersions, type SetSurroundings } from './fleet.ts'

/** One place that a target asks for, with the values that the template starts from. */
export interface UnrolledTarget {
  readonly target: Target
  /** The list entry or the selector that gave the place. */
  readonly path: FieldPath
  readonly repoDefault: string
  readonly packageDefault: string
  /** The matched object; undefined for a list of repositories. */
  readonly object?: FleetObject
}

/** The places of a target, the faults of its lookup, and infos about objects that were left out. */
export interface Unrolled {
  readonly target: Target
  readonly places: readonly UnrolledTarget[]
  readonly faults: readonly Result[]
}

/**
 * Returns the places of every target of a set, in the order of the targets; matched objects are sorted by name (seed 001, Target
 * Unrolling). Objects are looked up in the namespace of the set.
 * Example: `repositories: [{name: a, packageNames: [x, y]}]` gives the places `a/x` and `a/y`.
 */
export function unrollTargets(set: PackageVariantSet, surroundings: SetSurroundings): readonly Unrolled[] {
  return set.targets.map((target) => unrollTarget(target, set, surroundings))
}

function unrollTarget(target: Target, set: PackageVariantSet, { fleet, namespace, lookups }: SetSurroundings): Unrolled {
  const { criteria } = target
  switch (criteria.type) {
    case 'repositories':
      return { target, places: unrollList(target, criteria, set.upstream.package), faults: [] }
    case 'repositorySelector': {
      const matched = fleet.objectsOf(REPOSITORY_API, 'Repository', namespace).matching(criteria)
      return { target, places: unrollMatches(target, criteria, matched, set), faults: [] }
    }
    case 'objectSelector': {
      const { apiVersion, kind } = criteria
      const faults = lookups === 'required' && !fleet.kinds.exists(apiVersion, kind) ? [noSuchKind(set, target, criteria, fleet)] : []
      const left = fleet.placeholdersOf(apiVersion, kind, namespace).matching(criteria)
      const places = unrollMatches(target, criteria, fleet.objectsOf(apiVersion, kind, namespace).matching(criteria), set)
      return { target, places, faults: [...faults, ...(left.length === 0 ? [] : [leftOut(set, target, left)])] }
    }
  }
}

/**
 * Returns a place for every repository and each of its package names; without package names, for the upstream's package (seed 000,
 * PackageVariantSet API).
 */
function unrollList(target: Target, { repositories }: RepositoryList, upstreamPackage: string): UnrolledTarget[] {
  return repositories.flatMap(({ name, packageNames }, entry) => {
    const path = [...target.path, 'repositories', entry]
    if (packageNames.length === 0) return [{ target, path, repoDefault: name, packageDefault: upstreamPackage }]
    return packageNames.map((packageDefault, position) => ({
      target,
      path: [...path, 'packageNames', position],
      repoDefault: name,
      packageDefault,
    }))
  })
}

/** Returns a place for every matched object and each package name. The name of the object is the default for the repository. */
function unrollMatches(
  target: Target,
  { type, packageNames }: RepositoryCriteria | ObjectCriteria,
  objects: readonly FleetObject[],
  set: PackageVariantSet,
): UnrolledTarget[] {
  const path = [...target.path, type]
  const names = packageNames.length === 0 ? [set.upstream.package] : packageNames
  return objects.flatMap((object) => names.map((packageDefault) => ({ target, path, repoDefault: object.name, packageDefault, object })))
}

function leftOut(set: PackageVariantSet, { path }: Target, placeholders: readonly FleetObject[]): Result {
  const names = placeholders.map(({ kind, name }) => `${kind} ${name}`)
  return faultToResult(set.object, {
    severity: 'info',
    rule: 'placeholder-object',
    path: [...path, 'objectSelector'],
    message: `leaves out ${countOf(names.length, 'placeholder')} inside packages (${INJECTION_ANNOTATION}): ${nameFirst(names, NAMED)}`,
  })
}

const NAMED = 3

function noSuchKind(set: PackageVariantSet, { path }: Target, criteria: ObjectCriteria, fleet: Fleet): Result {
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

/** Returns a place for messages: the matched object, `Repository edge-07`, or the listed pair, `edge-07/app`. */
export function describePlace({ object, target: { criteria }, repoDefault, packageDefault }: UnrolledTarget): string {
  if (object === undefined || criteria.type === 'repositories') return `${inLine(repoDefault)}/${inLine(packageDefault)}`
  return `${object.kind} ${inLine(object.name)}${criteria.packageNames.length === 0 ? '' : ` with package ${inLine(packageDefault)}`}`
}
