import { clusterOfRepository } from '../../src/dependencies/config/clusters.ts'
import type { VariantChange } from '../../src/fleet/change.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { memberOf, scalarText } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { quoteNames } from '../../src/schema/describe-value.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { UsageError } from '../usage-error.ts'
import type { FleetChoices } from './fleet-options.ts'

/** @throws UsageError for an empty name of a cluster */
export function refuseEmptyCluster(cluster: string | undefined): void {
  if (cluster === '') throw new UsageError('`--cluster` must be the name of a cluster, got an empty text')
}

/**
 * Returns a function that returns true for the repositories of the cluster that the caller chose; undefined if none is chosen. A repository
 * without a Repository object is a cluster of its name.
 *
 * @param sets  sets whose variants are not among the items
 * @throws UsageError when no repository is of that cluster
 */
export function clusterTest(
  items: readonly KrmObject[],
  { cluster }: Pick<FleetChoices, 'cluster'>,
  sets: readonly SetPlan[] = [],
): ((repository: string) => boolean) | undefined {
  if (cluster === undefined) return undefined
  refuseEmptyCluster(cluster)
  const clusters = clusterOfRepository(items)
  const written = items.filter(isPackageVariant).map((item) => scalarText(item.get(['spec', 'downstream', 'repo'])))
  const used = [...written, ...sets.flatMap(({ changes }) => changes.map(downstreamOfChange))]
  const names = [...new Set([...clusters.values(), ...used.filter((repository) => !clusters.has(repository))])]
  if (!names.includes(cluster)) {
    const known =
      didYouMean(cluster, names) || (names.length === 0 ? '; the fleet has no cluster' : `; the clusters are ${quoteNames(names)}`)
    throw new UsageError(`\`--cluster\` must be the name of a cluster, got '${cluster}'${known}`)
  }
  return (repository) => (clusters.get(repository) ?? repository) === cluster
}

/** Returns a function that returns the cluster of a variant. A repository without a Repository object is a cluster of its name. */
export function clusterFinder(items: readonly KrmObject[]): (change: Pick<VariantChange, 'why' | 'after' | 'before'>) => string {
  const clusters = clusterOfRepository(items)
  return (change) => {
    const repository = downstreamOfChange(change)
    return clusters.get(repository) ?? repository
  }
}

/** Returns sets with the variants in chosen Repositories; all sets as they are if none is chosen. */
export function onlyInCluster(sets: readonly SetPlan[], isAsked: ((repository: string) => boolean) | undefined): readonly SetPlan[] {
  if (isAsked === undefined) return sets
  return sets.map((set) => ({ ...set, changes: set.changes.filter((change) => isAsked(downstreamOfChange(change))) }))
}

/** Returns the downstream repository of a variant, before a removal and after any other change. */
export function downstreamOfChange({ why, after, before }: Pick<VariantChange, 'why' | 'after' | 'before'>): string {
  return why?.repo ?? scalarText(memberOf(memberOf(after ?? before, 'downstream'), 'repo'))
}
