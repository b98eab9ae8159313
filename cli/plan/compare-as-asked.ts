import type { Earlier } from '../../src/fleet/change-reason.ts'
import type { DeletionOptions } from '../../src/fleet/options.ts'
import { passedOverObjects } from '../../src/fleet/passed-over.ts'
import { type FleetPlan, fleetChangeOf, type SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { formatResourceRef, hasErrors, type Result } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import type { ClusterList } from '../cluster-list.ts'
import type { Host } from '../host.ts'
import type { ComparedVariants } from './compare-variants.ts'
import { compareWithCluster } from './compare-with-cluster.ts'
import { type Comparison, compareWithRevision } from './compare-with-revision.ts'
import type { PlanOptions } from './plan-options.ts'

/** Returns true if a plan can be compared: without errors, or, with a cluster, without errors of reading the folder. */
export function isComparable(
  found: readonly Result[],
  { results }: Pick<FolderPackage, 'results'>,
  cluster: ClusterList | undefined,
): boolean {
  return !hasErrors(found) || (cluster !== undefined && !hasErrors(results))
}

/**
 * Returns a plan without the sets that have errors: what these sets ask for is not known. The other sets are compared with a cluster, since
 * their changes in the folder are not those that the cluster would see.
 */
export function withoutFailed(plan: FleetPlan, results: readonly Result[]): FleetPlan {
  const errors = results.filter(({ severity, resourceRef }) => severity === 'error' && resourceRef !== undefined)
  const failed = new Set(errors.map(({ resourceRef }) => resourceRef && formatResourceRef(resourceRef)))
  return failed.size === 0 ? plan : { ...plan, sets: plan.sets.filter(({ object }) => !failed.has(formatResourceRef(object.ref))) }
}

/** Returns the errors about objects that are passed over, because of which a plan would remove what another state has. */
export function refusePlannedRemovals(list: ResourceList, options: DeletionOptions, sets: readonly SetPlan[] = []): readonly Result[] {
  const changes = sets.flatMap((set) => set.changes)
  const removals = changes.filter(({ op }) => op === 'remove')
  return removals.length === 0 ? [] : passedOverObjects(list, fleetChangeOf(changes, removals, options))
}

/** The changes against another state than that of the folder. */
interface Compared extends Partial<ComparedVariants> {
  readonly earlier?: Earlier
  /** The objects of the other state, and its repository. */
  readonly state?: Comparison['before']
  readonly makerOf?: (set: SetPlan) => string
  readonly results?: readonly Result[]
  readonly notes?: readonly string[]
}

/** Compares a plan with a git revision or a cluster, if the caller asks for it. */
export function compareAsAsked(plan: FleetPlan, cluster: ClusterList | undefined, options: PlanOptions, dir: string, host: Host): Compared {
  const { against, gitTimeout, againstCluster } = options
  if (cluster !== undefined) {
    const { foreign, ...found } = compareWithCluster(plan, cluster)
    const alone = foreign === 0 ? [] : [`left alone: ${countOf(foreign, 'PackageVariant')} of other sets or of no set`]
    return { ...found, notes: [`${againstCluster === '-' ? 'stdin' : againstCluster} has ${cluster.described}`, ...alone] }
  }
  if (against === undefined) return {}
  const { before, isNewFolder, ...compared } = compareWithRevision(plan, { ref: against, seconds: gitTimeout }, dir, host)
  return { ...compared, state: before, notes: isNewFolder ? [`${against} has no such folder, so everything is new`] : [] }
}
