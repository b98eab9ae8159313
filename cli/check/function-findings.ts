import { checkAsAsked } from '../../functions/check-dependencies/check-dependencies.ts'
import { planAsConfigured } from '../../functions/fan-out/fan-out.ts'
import { deploymentFaults, syncFaults } from '../../functions/generate-sync/generate-sync.ts'
import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { unknownRepositories } from '../../src/fleet/targets/unknown-repositories.ts'
import { placeInKptfile } from '../../src/kinds/kptfile-config-map.ts'
import { policyResults } from '../../src/policy/judge-policies.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, findingsOf, type Result } from '../../src/result.ts'
import type { OtherFiles } from '../../src/sync/deployed-packages.ts'
import { plannedCircles } from '../../src/upstream/chain.ts'
import { isGenerateSync } from './own-configs.ts'

/**
 * Returns the findings of the sets of a folder and of all that follows from their plan: circles of packages, upstream packages, policies,
 * and the objects that deploy the fleet. That no set exists is no finding: a folder need not have one.
 *
 * @param list         has the options of fan-out
 * @param upstreamsOf  returns the findings about the upstream packages of a plan
 * @param places       the known places of packages, for the objects that deploy them
 */
export function fanOutFindings(
  list: ResourceList,
  upstreamsOf: (plan: FleetPlan) => readonly Result[],
  places: OtherFiles,
): readonly Result[] {
  return underConfig(list, (read) => {
    const plan = planAsConfigured(read)
    return [
      ...plan.results.filter(({ tags }) => tags.rule !== 'no-set'),
      ...unknownRepositories(plan),
      ...plannedCircles(plan),
      ...findingsOf(() => upstreamsOf(plan)),
      ...policyResults(read.items, plan),
      ...read.items.filter(isGenerateSync).flatMap((config) => syncFaults(config, plan, read.items, places)),
      ...deploymentFaults(plan, read.items, places),
    ]
  })
}

/**
 * Returns the findings of the packages that a list requires.
 *
 * @param list  has the options of check-dependencies
 */
export function dependencyFindings(list: ResourceList, clusters: AskedClusters): readonly Result[] {
  return underConfig(list, ({ items, functionConfig }) => {
    const read = ResourceList.of(items, functionConfig)
    checkAsAsked(read, clusters)
    return read.results
  })
}

/** Returns the findings of a function. If the function's config has faults, returns the faults and the findings without the config. */
function underConfig(list: ResourceList, find: (list: ResourceList) => readonly Result[]): readonly Result[] {
  try {
    return find(list)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    const without = list.functionConfig === undefined ? [] : findingsOf(() => find(ResourceList.of(list.items)))
    return [...placeInKptfile(error.results, () => list), ...without]
  }
}
