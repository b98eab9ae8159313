import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { JsonValue } from '../../src/json.ts'
import { checkPipelines } from '../../src/pipeline/check-pipelines.ts'
import { withFoldersAbove } from '../../src/pipeline/check-runs.ts'
import { packageFolder } from '../../src/pipeline/package-items.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { findingsOf, type Result } from '../../src/result.ts'
import type { OtherFiles } from '../../src/sync/deployed-packages.ts'
import type { CheckedUpstreams } from '../../src/upstream/check-upstreams.ts'
import { withFunctionConfig } from '../function-config.ts'
import { distinctResults } from '../print/print-results.ts'
import { runnersFor } from '../run/function-runners.ts'
import { dependencyFindings, fanOutFindings } from './function-findings.ts'
import { objectFindings } from './object-findings.ts'
import { checkOwnConfigs } from './own-configs.ts'

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
    const found = upstreamsOf?.(plan)
    for (const [kptfile, pipelines] of found?.cloned ?? []) cloned.set(packageFolder(kptfile), pipelines)
    return found?.results ?? []
  }
  const results = [
    ...fanOutFindings(withFunctionConfig(list, 'fan-out', folder), checkedUpstreams, places),
    ...objectFindings(list.items),
    ...findingsOf(() => checkPipelines(list.items, runners, isBelow(cloned))),
    ...(await checkOwnConfigs(list.items, outOf)),
    ...(dependencies === undefined ? [] : dependencyFindings(dependencies, clusters)),
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
