import type { PlaceExclusion, VariantSet } from '../../kinds/variant-set.ts'
import { remember } from '../../remember.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { asQuestion } from '../../schema/nearest-name.ts'
import { REPOSITORY_API } from '../../well-known.ts'
import type { FleetObject, SetSurroundings } from '../fleet.ts'
import { unknownPackage } from '../upstream.ts'
import type { UnrolledTarget } from './unrolled-target.ts'

/** The exclusions of a set, by the repositories and objects that they select. */
export interface Exclusions {
  /** Returns the first exclusion, in the order of the set, that takes away a place; undefined if none does. */
  readonly of: (place: Pick<UnrolledTarget, 'repoDefault' | 'object'> & { readonly upstreamPackage: string }) => PlaceExclusion | undefined
  /** Returns a warning for each exclusion that took away none of the places asked about. */
  readonly warnings: () => readonly Result[]
}

export const NO_EXCLUSIONS: Exclusions = { of: () => undefined, warnings: () => [] }

/**
 * Reads the exclusions of a set. An exclusion by repository takes away the places whose target gives the repository, before a template
 * gives the place another one; an exclusion by object those of the object.
 */
export function readExclusions(set: VariantSet, surroundings: SetSurroundings): Exclusions {
  if (set.exclusions.length === 0) return NO_EXCLUSIONS
  const byRepo = new Map<string, number[]>()
  const byObject = new Map<unknown, number[]>()
  for (const [index, exclusion] of set.exclusions.entries()) {
    const { repositories, objects } = selectedBy(exclusion, surroundings)
    for (const name of repositories) remember(byRepo, name, (): number[] => []).push(index)
    for (const { object } of objects) remember(byObject, object, (): number[] => []).push(index)
  }
  const used = new Set<PlaceExclusion>()
  const asked = new Set<string>()
  const of: Exclusions['of'] = ({ repoDefault, object, upstreamPackage }) => {
    asked.add(repoDefault)
    const found = [...(byRepo.get(repoDefault) ?? []), ...((object && byObject.get(object.object)) ?? [])]
    const holding = found
      .sort((a, b) => a - b)
      .flatMap((index) => set.exclusions[index] ?? [])
      .filter(({ packages }) => packages.size === 0 || packages.has(upstreamPackage))
    for (const exclusion of holding) used.add(exclusion)
    return holding[0]
  }
  return {
    of,
    warnings: () =>
      set.exclusions.flatMap((exclusion) => (used.has(exclusion) ? [] : [nothingExcluded(set, exclusion, asked, surroundings)])),
  }
}

/** Returns what an exclusion selects: the names of repositories, or objects. */
function selectedBy(
  { criteria }: PlaceExclusion,
  { fleet, namespace }: SetSurroundings,
): { readonly repositories: readonly string[]; readonly objects: readonly FleetObject[] } {
  switch (criteria.type) {
    case 'repositories':
      return { repositories: criteria.repositories.map(({ name }) => name), objects: [] }
    case 'repositorySelector':
      return {
        repositories: fleet
          .objectsOf(REPOSITORY_API, 'Repository', namespace)
          .matching(criteria)
          .map(({ name }) => name),
        objects: [],
      }
    case 'objectSelector':
      return { repositories: [], objects: fleet.objectsOf(criteria.apiVersion, criteria.kind, namespace).matching(criteria) }
  }
}

/** Returns the warning about an exclusion that takes nothing away: the name that nothing has, with the nearest one. */
function nothingExcluded(
  set: VariantSet,
  { path, criteria, packages }: PlaceExclusion,
  asked: ReadonlySet<string>,
  { fleet }: SetSurroundings,
): Result {
  const known = [...new Set(set.upstreams.map((upstream) => upstream.package))]
  const unknown = unknownPackage(packages, known, fleet.nearestAmong)
  const listed = criteria.type === 'repositories' ? criteria.repositories.map(({ name }) => name) : []
  const missing = listed.find((name) => !asked.has(name))
  const why =
    unknown ??
    (missing === undefined
      ? 'no target gives what it selects'
      : `no target gives the repository ${quoteText(missing)}${asQuestion(fleet.nearestAmong([...asked])(missing))}`)
  return faultToResult(set.object, { severity: 'warning', rule: 'nothing-excluded', path, message: `takes nothing away: ${why}` })
}
