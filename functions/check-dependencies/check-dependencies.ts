import { checkObjects, type RequiredPackage, requiredPackages } from '../../src/dependencies/check-objects.ts'
import { inputOf, readList } from '../../src/dependencies/config/catalogs.ts'
import { toResults } from '../../src/dependencies/config/results.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { decodeCheckDependenciesConfig } from './function-config.ts'

/**
 * Adds a result for each requirement that is missing or in conflict, each object with two owners and each unknown kind among the packages
 * of a list, with proposed fixes. Changes no item.
 */
export function checkDependencies(list: ResourceList): void {
  const options = decodeCheckDependenciesConfig(list.functionConfig)
  const { input, faults } = readList(list, options)
  list.results.push(
    ...unknownKinds(list.items, PACKAGE_KINDS),
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
