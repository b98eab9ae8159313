import { checkAsAsked } from '../../functions/check-dependencies/check-dependencies.ts'
import { planAsConfigured } from '../../functions/fan-out/fan-out.ts'
import { deploymentFaults, syncFaults } from '../../functions/generate-sync/generate-sync.ts'
import { emptyPackage } from '../../src/catalog/config-findings.ts'
import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { unknownRepositories } from '../../src/fleet/targets/unknown-repositories.ts'
import { groupBy } from '../../src/group-by.ts'
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
import { FunctionError, findingsOf, formatResourceRef, type Result } from '../../src/result.ts'
import type { OtherFiles } from '../../src/sync/deployed-packages.ts'
import { plannedCircles } from '../../src/upstream/chain.ts'
import type { CheckedUpstreams } from '../../src/upstream/check-upstreams.ts'
import { failedRenders } from '../../src/variant/failed-renders.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { OWN_API } from '../../src/well-known.ts'
import { pipelineConfigs, withFunctionConfig } from '../function-config.ts'
import { FUNCTIONS } from '../generated/registry.ts'
import { distinctResults } from '../print/print-results.ts'
import { runnersFor } from '../run/function-runners.ts'
import { objectMetadataFaults } from './object-metadata.ts'
import { objectsTwice } from './object-twice.ts'

/** The input of a check: the resources of a folder, and the options. */
export interface CheckedFolder {
  readonly list: ResourceList
  /** The prefix of the file paths of the resources. */
  readonly folder: string
  /** The list with the options of check-dependencies. */
  readonly dependencies: ResourceList
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
 * Returns every finding of a folder: sets and their fan-out, variants, pipelines, function configs, dependencies. Infos are left out, except for those of
 * `TOLD_INFOS`. A finding that two checks report is returned once.
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
  const results = [
    ...underConfig(withFunctionConfig(list, 'fan-out', folder), (fleet) => fanOutResults(fleet, checkedUpstreams, places)),
    ...list.items.filter(isPackageVariant).flatMap((variant) => findingsOf(() => decodePackageVariant(variant).warnings)),
    ...list.items.filter(isPackageVariant).flatMap(failedRenders),
    ...list.items.filter(isFunctionConfig).flatMap(functionConfigFaults),
    ...list.items.flatMap(appliedObjects).flatMap(objectMetadataFaults),
    ...objectsTwice(list.items),
    ...checkConditions(list.items),
    ...findingsOf(() => checkPipelines(list.items, runners, isBelow(cloned))),
    ...(await checkConfigs(list.items, outOf)),
    ...underConfig(dependencies, (read) => dependencyResults(read, clusters)),
  ]
  return {
    results: distinctResults(results.filter(({ severity, tags }) => severity !== 'info' || TOLD_INFOS.has(tags.rule))),
    cloned,
    plan: planned,
    unverified: results.filter(({ severity, tags }) => severity === 'info' && tags.rule === 'dependency-unverified').length,
  }
}

/** The infos of a check: what a render would refuse, or do otherwise than the original function, and what people changed in generated objects. */
const TOLD_INFOS: ReadonlySet<string> = new Set(['no-runner', 'known-differences', 'generated-edited'])

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

function isGenerateSync({ apiVersion, kind }: KrmObject): boolean {
  return apiVersion === OWN_API && kind === 'GenerateSync'
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

/** A functionConfig of a function of ours, and the Kptfiles that may hold it. */
interface Configured {
  readonly name: string
  readonly config: KrmObject
  readonly kptfiles: readonly KrmObject[]
}

/** Returns the faults of every functionConfig of our functions: those that pipelines name, and objects of the functions' own kinds. */
async function checkConfigs(items: readonly KrmObject[], outOf: CheckedFolder['outOf']): Promise<readonly Result[]> {
  const kptfiles = items.filter(({ kind, file }) => kind === 'Kptfile' && file !== undefined)
  const byPath = groupBy(items, ({ file }) => file?.path)
  const objectAt = (path: string) => byPath.get(path)?.[0]
  const named = kptfiles.flatMap((kptfile) =>
    [...FUNCTIONS.keys()].flatMap((name) =>
      pipelineConfigs(kptfile, name, objectAt).map((config) => ({ name, config, kptfiles: [kptfile] })),
    ),
  )
  const known = new Set(named.map(({ config }) => config))
  const loose = items.flatMap((config) => {
    const name = known.has(config) ? undefined : functionOfKind(config)
    return name === undefined ? [] : [{ name, config, kptfiles: [] }]
  })
  const results = await Promise.all([...named.filter(isOption).map(checkConfig), ...loose.filter(isOption).map(checkLoose)])
  return results.flat()

  /** The tool reads options that no pipeline names, and takes an `out` that the function refuses. */
  async function checkLoose(configured: Configured): Promise<readonly Result[]> {
    const found = await checkConfig(configured)
    if (configured.name !== 'render-variants' || outOf === undefined) return found
    return [...found.filter(({ tags }) => tags.rule !== 'package-path'), ...outOf(configured.config)]
  }
}

/** Returns the function that an object's kind configures, `fan-out` for `FanOut`; undefined for any other kind. */
function functionOfKind({ apiVersion, kind = '' }: KrmObject): string | undefined {
  const name = kind.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
  return apiVersion === OWN_API && FUNCTIONS.has(name) ? name : undefined
}

/**
 * Returns true for a functionConfig that only configures a function. PackageVariants, PackageVariantSets and PackageVariantMatrices are checked as such, in any
 * place, and a GenerateSync with the variants of the fleet.
 */
function isOption({ config }: Configured): boolean {
  const { kind } = config
  return !isGenerateSync(config) && kind !== 'PackageVariant' && kind !== 'PackageVariantSet' && kind !== 'PackageVariantMatrix'
}

/** Runs the function on a package without resources and returns its findings on the functionConfig. */
async function checkConfig({ name, config, kptfiles }: Configured): Promise<readonly Result[]> {
  const run = await FUNCTIONS.get(name)?.()
  const list = ResourceList.of([emptyPackage()], config)
  try {
    run?.(list)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    list.results.push(...error.results)
  }
  const ref = formatResourceRef(config.ref)
  const about = list.results.filter(({ resourceRef }) => resourceRef !== undefined && formatResourceRef(resourceRef) === ref)
  return placeInKptfile(about, () => ResourceList.of(kptfiles, config))
}
