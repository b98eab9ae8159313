import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { planAsConfigured } from '../../functions/fan-out/fan-out.ts'
import { placeInKptfile } from '../../src/kinds/kptfile-config-map.ts'
import { decodePackageVariant } from '../../src/kinds/package-variant.ts'
import { checkConditions } from '../../src/pipeline/condition.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, findingsOf, type Result } from '../../src/result.ts'
import { checkKptfiles } from '../../src/variant/check-kptfile.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { withFunctionConfig } from '../function-config.ts'
import { distinctResults } from '../print/shown-results.ts'
import { checkConfigs } from './check-configs.ts'

/** The input of a check: the resources of a folder, and the options. */
export interface CheckedFolder {
  readonly list: ResourceList
  /** The prefix of the file paths of the resources. */
  readonly folder: string
  /** The list with the options of check-dependencies. */
  readonly dependencies: ResourceList
}

/** Nothing found in nothing would look like a sound folder. */
const NOTHING: Result = {
  severity: 'error',
  message: '`items` must hold resources to check, read none; a folder is read as kpt reads it: *.yaml, *.yml, *.json and Kptfiles',
  tags: { rule: 'nothing-read' },
}

/** The findings of a folder, and how many requirements and packages could not be checked, since nothing is known of them. */
export interface FolderFindings {
  readonly results: readonly Result[]
  readonly unverified: number
}

/**
 * Returns every finding of a folder: sets and their fan-out, variants, pipelines, function configs, dependencies. Infos are left out. A
 * finding that two checks report is returned once.
 */
export async function checkFolder({ list, folder, dependencies }: CheckedFolder): Promise<FolderFindings> {
  if (list.items.length === 0) return { results: [NOTHING], unverified: 0 }
  const results = [
    ...underConfig(withFunctionConfig(list, 'fan-out', folder), fanOutResults),
    ...list.items.filter(isPackageVariant).flatMap((variant) => findingsOf(() => decodePackageVariant(variant).warnings)),
    ...checkKptfiles(list.items),
    ...checkConditions(list.items),
    ...(await checkConfigs(list.items)),
    ...underConfig(dependencies, dependencyResults),
  ]
  return {
    results: distinctResults(results.filter(({ severity }) => severity !== 'info')),
    unverified: results.filter(({ severity, tags }) => severity === 'info' && tags.rule === 'dependency-unverified').length,
  }
}

/** Returns the findings of fan-out, except that no set exists: a folder need not have one. */
function fanOutResults(list: ResourceList): readonly Result[] {
  return planAsConfigured(list).results.filter(({ tags }) => tags.rule !== 'no-set')
}

function dependencyResults({ items, functionConfig }: ResourceList): readonly Result[] {
  const list = ResourceList.of(items, functionConfig)
  checkDependencies(list)
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
