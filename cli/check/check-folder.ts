import { checkAsAsked } from '../../functions/check-dependencies/check-dependencies.ts'
import { planAsConfigured } from '../../functions/fan-out/fan-out.ts'
import { deploymentFaults, syncFaults } from '../../functions/generate-sync/generate-sync.ts'
import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import { selectableObjects } from '../../src/fleet/passed-over.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { unknownRepositories } from '../../src/fleet/targets/unknown-repositories.ts'
import type { JsonValue } from '../../src/json.ts'
import { functionConfigFaults, isFunctionConfig } from '../../src/kinds/function-config.ts'
import { placeInKptfile } from '../../src/kinds/kptfile-config-map.ts'
import { decodePackageVariant } from '../../src/kinds/package-variant.ts'
import { checkPipelines } from '../../src/pipeline/check-pipelines.ts'
import { withFoldersAbove } from '../../src/pipeline/check-runs.ts'
import { checkConditions } from '../../src/pipeline/condition.ts'
import { packageFolder } from '../../src/pipeline/package-items.ts'
import { policyResults } from '../../src/policy/judge-policies.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { declaringItems } from '../../src/resource-list/revision-folders.ts'
import { FunctionError, findingsOf, type Result } from '../../src/result.ts'
import type { OtherFiles } from '../../src/sync/deployed-packages.ts'
import { plannedCircles } from '../../src/upstream/chain.ts'
import type { CheckedUpstreams } from '../../src/upstream/check-upstreams.ts'
import { failedRenders } from '../../src/variant/failed-renders.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { withFunctionConfig } from '../function-config.ts'
import { distinctResults } from '../print/print-results.ts'
import { runnersFor } from '../run/function-runners.ts'
import { objectMetadataFaults } from './object-metadata.ts'
import { objectsTwice } from './object-twice.ts'
import { checkOwnConfigs, isGenerateSync } from './own-configs.ts'

/** The input of a check: the resources of a folder, and the options. */
export interface CheckedFolder {
  readonly list: ResourceList
  /** The prefix of the file paths of the resources. */
  readonly folder: string
  /** The list with the options of check-dependencies; undefined if they cannot be read, so that dependencies are not judged. */
  readonly dependencies: ResourceList | undefined
  /** Where clusters are. */
  readonly clusters: AskedClusters
  /** Returns the upstream packages of a plan, with the findings about them; undefined for a list, whose folders are unknown. */
  readonly upstreamsOf?: (plan: FleetPlan) => CheckedUpstreams
  /** Returns the findings about the `out` of options of `render`; undefined for a list, which only the function reads. */
  readonly outOf?: (config: KrmObject) => readonly Result[]
  /** The known places of packages, for the objects that deploy them. */
  readonly places?: OtherFiles
}

/** Nothing found in nothing would look like a sound folder. */
const NOTHING: Result = {
  severity: 'error',
  message: 'the input must hold resources to check, read none; a folder is read as kpt reads it: *.yaml, *.yml, *.json and Kptfiles',
  tags: { rule: 'nothing-read' },
}

/** The findings of a folder, and how many requirements and packages could not be checked, since nothing is known of them. */
export interface FolderFindings {
  readonly results: readonly Result[]
  /** The upstream packages by folder, each with the pipelines of its variants. */
  readonly cloned: ReadonlyMap<string, readonly JsonValue[]>
  readonly unverified: number
  /** The plan of the fleet; undefined if the plan cannot be made. */
  readonly plan?: FleetPlan | undefined
}

/**
 * Returns every finding of a folder: sets and their fan-out, variants, pipelines, function configs, dependencies. Infos are left out,
 * except for those of `SHOWN_INFOS`. A finding that two checks report is returned once.
 */
export async function checkFolder({
  list,
  folder,
  dependencies,
  clusters,
  upstreamsOf,
  outOf,
  places = {},
}: CheckedFolder): Promise<FolderFindings> {
  if (list.items.length === 0) return { results: [NOTHING], cloned: new Map(), unverified: 0 }
  const runners = await runnersFor({}, NO_HOST, () => true)
  const cloned = new Map<string, readonly JsonValue[]>()
  let planned: FleetPlan | undefined
  const checkedUpstreams = (plan: FleetPlan): readonly Result[] => {
    planned = plan
    return findingsOf(() => {
      const found = upstreamsOf?.(plan)
      for (const [kptfile, pipelines] of found?.cloned ?? []) cloned.set(packageFolder(kptfile), pipelines)
      return found?.results ?? []
    })
  }
  const selectable = new Set(selectableObjects(declaringItems(list.items)))
  const results = [
    ...underConfig(withFunctionConfig(list, 'fan-out', folder), (fleet) => fanOutResults(fleet, checkedUpstreams, places)),
    ...list.items.filter(isPackageVariant).flatMap((variant) => findingsOf(() => decodePackageVariant(variant).warnings)),
    ...list.items.filter(isPackageVariant).flatMap(failedRenders),
    ...list.items.filter(isFunctionConfig).flatMap(functionConfigFaults),
    ...list.items.flatMap(appliedObjects).flatMap((object) => objectMetadataFaults(object, selectable.has(object))),
    ...objectsTwice(list.items),
    ...checkConditions(list.items),
    ...findingsOf(() => checkPipelines(list.items, runners, isBelow(cloned))),
    ...(await checkOwnConfigs(list.items, outOf)),
    ...(dependencies === undefined ? [] : underConfig(dependencies, (read) => dependencyResults(read, clusters))),
  ]
  return {
    results: distinctResults(results.filter(({ severity, tags }) => severity !== 'info' || SHOWN_INFOS.has(tags.rule))),
    cloned,
    plan: planned,
    unverified: results.filter(({ severity, tags }) => severity === 'info' && tags.rule === 'dependency-unverified').length,
  }
}

/**
 * The infos of a check: what a render would refuse, or do otherwise than the original function, and what people changed in generated
 * objects.
 */
const SHOWN_INFOS: ReadonlySet<string> = new Set(['no-runner', 'known-differences', 'generated-edited'])

/** Returns true for a folder of an upstream package: one of a variant, or one that is named as a revision. */
export function isBelow(cloned: ReadonlyMap<string, unknown>): (folder: string) => boolean {
  return (folder) => /@[^/]*(?:\/|$)/.test(folder) || withFoldersAbove(folder).some((each) => cloned.has(each))
}

/** Only the built-in functions count: a check allows nothing else to run. */
export const NO_HOST = { environment: {}, locate: (path: string) => path }

/**
 * Returns the findings of fan-out, except that no set exists: a folder need not have one; and those of circles, upstreams, policies and
 * GenerateSyncs after the fan-out.
 */
function fanOutResults(list: ResourceList, upstreamsOf: (plan: FleetPlan) => readonly Result[], places: OtherFiles): readonly Result[] {
  const plan = planAsConfigured(list)
  const syncs = list.items.filter(isGenerateSync)
  return [
    ...plan.results.filter(({ tags }) => tags.rule !== 'no-set'),
    ...unknownRepositories(plan),
    ...plannedCircles(plan),
    ...upstreamsOf(plan),
    ...policyResults(list.items, plan),
    ...syncs.flatMap((config) => syncFaults(config, plan, list.items, places)),
    ...deploymentFaults(plan, list.items, places),
  ]
}

function dependencyResults({ items, functionConfig }: ResourceList, clusters: AskedClusters): readonly Result[] {
  const list = ResourceList.of(items, functionConfig)
  checkAsAsked(list, clusters)
  return list.results
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
