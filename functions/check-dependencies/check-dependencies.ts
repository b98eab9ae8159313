import { checkDerivations, checkForms, checkObjects, type RequiredPackage, requiredPackages } from '../../src/dependencies/check-objects.ts'
import {
  type AskedClusters,
  faultsOf,
  inCluster,
  installedParts,
  providedElsewhere,
  readList,
  readParts,
  withFormer,
} from '../../src/dependencies/config/catalogs.ts'
import { likelyPattern } from '../../src/dependencies/config/clusters.ts'
import {
  decodeSettings,
  optionFaults,
  SHARED_SETTINGS,
  type SharedFields,
  type SharedOptions,
  sharedOptions,
  toResults,
} from '../../src/dependencies/config/options.ts'
import { describeRemovals } from '../../src/dependencies/resolve-objects.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { formatResourceRef, formatResult, type Result } from '../../src/result.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { decode } from '../../src/schema/validate.ts'
import { CHECK_DEPENDENCIES_SCHEMA } from './schema.ts'

/**
 * Adds a result for each requirement that is missing or in conflict, each object with two owners and each unknown kind among the packages
 * of a list, with proposed fixes. Changes no item.
 */
export function checkDependencies(list: ResourceList): void {
  checkAsAsked(list, {})
}

/** Does what `checkDependencies` does, where the caller of the tool knows more of the clusters than the list says. */
export function checkAsAsked(list: ResourceList, asked: AskedClusters): void {
  const options = decodeCheckDependenciesConfig(list.functionConfig)
  const parts = readParts(list, options, asked)
  const found = parts.map((part) => {
    const findings = part.isInstalled ? checkObjects(part.input, { downgrades: false }) : checkForms(part.input)
    return { part, results: toResults(findings, options) }
  })
  const whole = readList(list, options).input
  const isOneCluster = parts.length === 1 && options.clusters.length === 0 && asked.cluster === undefined
  // A fault of a Catalog beside the clusters is no fault of each cluster.
  const beside = new Set(found.flatMap(({ part, results }) => (part.cluster === undefined ? results.map(formatResult) : [])))
  list.results.push(
    ...unknownKinds(whole.objects, PACKAGE_KINDS),
    ...faultsOf(parts),
    ...providedElsewhere(options, list, parts, asked),
    ...toResults(checkDerivations(whole), options),
    ...found.flatMap(({ part, results }) =>
      inCluster(
        part,
        part.cluster === undefined
          ? withHints(results, isOneCluster ? whole.objects : [], asked)
          : results.filter((result) => !beside.has(formatResult(result))),
      ),
    ),
  )
}

/**
 * Returns the packages that the packages of a list require, under the options in the list's functionConfig.
 *
 * @throws FunctionError when the functionConfig has faults
 */
export function requiredPackagesOf(list: ResourceList, asked: AskedClusters = {}): readonly RequiredPackage[] {
  const options = decodeCheckDependenciesConfig(list.functionConfig)
  return installedParts(list, options, asked).flatMap(({ cluster, input }) => requiredPackages(input, cluster))
}

/**
 * Returns a result for each requirement that the removal of an install since an earlier list breaks, and for each object that was installed
 * for a removed install, under the options in the list's functionConfig. Faults of either list are reported elsewhere.
 */
export function removalsSince(list: ResourceList, former: ResourceList, asked: AskedClusters = {}): readonly Result[] {
  const options = decodeCheckDependenciesConfig(list.functionConfig)
  return withFormer(readParts(list, options, asked), former, options, asked).flatMap(({ part, before }) =>
    inCluster(part, toResults(describeRemovals(before, part.input), options)),
  )
}

/** The rules that a package on two clusters breaks if both count as one. */
const OF_ONE_CLUSTER: ReadonlySet<string> = new Set(['duplicate-package', 'installation-type'])

/** Returns the results with a hint where one object is in two folders of a tree that names no clusters. */
function withHints(results: readonly Result[], items: readonly KrmObject[], { folder }: AskedClusters): readonly Result[] {
  return results.map((result) => {
    const { resourceRef: ref, file, tags } = result
    if (ref === undefined || file === undefined || !OF_ONE_CLUSTER.has(tags.rule)) return result
    const name = formatResourceRef(ref)
    const other = items.find((item) => item.file !== undefined && item.file.path !== file.path && formatResourceRef(item.ref) === name)
    const pattern = likelyPattern(file.path, other?.file?.path ?? '', folder)
    if (pattern === undefined) return result
    return { ...result, message: `${result.message}; if the folders are clusters, set \`clusters: ['${pattern}']\` in a CheckDependencies` }
  })
}

const NAME = 'check-dependencies'

const READERS: Readonly<Record<string, (config: KrmObject) => SharedFields>> = {
  CheckDependencies: (config) => {
    const rules = ({ spec = {} }: { readonly spec?: SharedFields }) => optionFaults(spec, NAME)
    return decode(config, { schema: CHECK_DEPENDENCIES_SCHEMA, rules }).value.spec ?? {}
  },
  ConfigMap: (config) => decodeSettings(config, NAME, SHARED_SETTINGS),
}

/**
 * Returns the options in a functionConfig: a CheckDependencies, a ConfigMap of texts, or none.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
function decodeCheckDependenciesConfig(config: KrmObject | undefined): SharedOptions {
  const fields: SharedFields = config === undefined ? {} : readerFor(config, READERS)(config)
  return sharedOptions(fields, config)
}
