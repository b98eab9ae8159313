import { checkObjects, type RequiredPackage, requiredPackages } from '../../src/dependencies/check-objects.ts'
import { inputOf, readList } from '../../src/dependencies/config/catalogs.ts'
import {
  decodeSettings,
  SHARED_SETTINGS,
  type SharedFields,
  type SharedOptions,
  sharedOptions,
  toResults,
  unknownRules,
} from '../../src/dependencies/config/options.ts'
import { describeRemovals } from '../../src/dependencies/resolve-objects.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import type { Result } from '../../src/result.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { decode } from '../../src/schema/validate.ts'
import { CHECK_DEPENDENCIES_SCHEMA } from './schema.ts'

/**
 * Adds a result for each requirement that is missing or in conflict, each object with two owners and each unknown kind among the packages
 * of a list, with proposed fixes. Changes no item.
 */
export function checkDependencies(list: ResourceList): void {
  const options = decodeCheckDependenciesConfig(list.functionConfig)
  const { input, faults } = readList(list, options)
  list.results.push(
    ...unknownKinds(input.objects, PACKAGE_KINDS),
    ...faults,
    ...toResults(checkObjects(input, { downgrades: false }), options),
  )
}

/**
 * Returns the packages that the packages of a list require, under the options in the list's functionConfig.
 *
 * @throws FunctionError when the functionConfig has faults
 */
export function requiredPackagesOf(list: ResourceList): readonly RequiredPackage[] {
  return requiredPackages(inputOf(list, decodeCheckDependenciesConfig(list.functionConfig)))
}

/**
 * Returns a result for each requirement that the removal of an install since an earlier list breaks, and for each object that was installed
 * for a removed install, under the options in the list's functionConfig. Faults of either list are reported elsewhere.
 */
export function removalsSince(list: ResourceList, former: ResourceList): readonly Result[] {
  const options = decodeCheckDependenciesConfig(list.functionConfig)
  return toResults(describeRemovals(readList(former, options).input, readList(list, options).input), options)
}

const NAME = 'check-dependencies'

const READERS: Readonly<Record<string, (config: KrmObject) => SharedFields>> = {
  CheckDependencies: (config) => {
    const rules = ({ spec = {} }: { readonly spec?: SharedFields }) => unknownRules(spec, NAME)
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
  return sharedOptions(config === undefined ? {} : readerFor(config, READERS)(config), config)
}
