import { checkObjects } from '../../src/dependencies/check-objects.ts'
import { readCatalogObjects } from '../../src/dependencies/config/catalogs.ts'
import { toResults } from '../../src/dependencies/config/results.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { decodeOptions } from './function-config.ts'

/** Says what is missing, in conflict, owned twice or unknown among the packages of a list, and what would mend it. Changes no item. */
export function checkDependencies(list: ResourceList): void {
  const options = decodeOptions(list.functionConfig)
  const { read, apis, catalog } = options
  const catalogs = [...readCatalogObjects(list.items), ...(catalog === undefined ? [] : [catalog])]
  const findings = checkObjects({ objects: list.items, catalogs, apis, options: read }, { downgrades: false })
  list.results.push(...toResults(findings, options))
}
