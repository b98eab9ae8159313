import { groupBy } from '../group-by.ts'
import type { PackageVariantSet, Target } from '../kinds/package-variant-set.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { REPOSITORY_API } from '../well-known.ts'
import type { Fleet, Surroundings } from './fleet.ts'
import type { Unrolled } from './unroll-targets.ts'

/** What a selector asks for. */
interface Wanted {
  readonly apiVersion: string
  readonly kind: string
}

const REPOSITORY: Wanted = { apiVersion: REPOSITORY_API, kind: 'Repository' }

/** A warning for each selector that matches nothing, with why where it can be said (seed 001, Empty results handling). */
export function noMatchWarnings(set: PackageVariantSet, unrolled: readonly Unrolled[], surroundings: Surroundings): Result[] {
  const empty = unrolled.filter(({ places, faults }) => places.length === 0 && faults.length === 0)
  return empty.map(({ target }) => noMatch(set, target, surroundings))
}

function noMatch(set: PackageVariantSet, { path, criteria }: Target, { fleet }: Surroundings): Result {
  const wanted = criteria.type === 'objectSelector' ? criteria : REPOSITORY
  const others = otherVersions(wanted, fleet)
  return faultToResult(set.object, {
    severity: 'warning',
    rule: 'no-match',
    path: [...path, criteria.type],
    message: `matches no ${wanted.kind} of the list${others === undefined ? '' : `: ${others}, and ${whatIsServed(wanted, fleet)}`}`,
  })
}

/** Where the list has objects of a kind, but in other versions, how many: `it has 2 of 'example.com/v1alpha1'`. */
export function otherVersions({ apiVersion, kind }: Wanted, fleet: Fleet): string | undefined {
  const all = fleet.allOf(groupOf(apiVersion), kind)
  if (all.length === 0 || fleet.ofVersion(apiVersion, kind).length > 0) return undefined
  const found = groupBy(all, (object) => object.apiVersion)
  return `it has ${Array.from(found, ([version, objects]) => `${objects.length} of '${version}'`).join(', ')}`
}

function whatIsServed({ apiVersion, kind }: Wanted, { kinds }: Fleet): string {
  const served = kinds.servedVersions(groupOf(apiVersion), kind)
  return served === undefined
    ? `no CustomResourceDefinition that serves '${apiVersion}'`
    : `a CustomResourceDefinition that serves ${quoteNames([...served])} only`
}
