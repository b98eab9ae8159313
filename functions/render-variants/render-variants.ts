import { renderList } from '../../src/render/list/render-list.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { decodeOptions } from './function-config.ts'

/** Makes the package of every PackageVariant of the list, or brings it up to date (seed 000, Order of Mutations). */
export function renderVariants(list: ResourceList): void {
  const { options, only } = decodeOptions(list.functionConfig)
  renderList(list, options, only)
}

/**
 * The options in a list's functionConfig.
 *
 * @throws FunctionError when it has faults
 */
export function optionsOf({ functionConfig }: ResourceList): RenderOptions {
  return decodeOptions(functionConfig).options
}
