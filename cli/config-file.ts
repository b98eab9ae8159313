import { readFileSync } from 'node:fs'
import { readPackageFile } from '../src/package/read-package.ts'
import type { KrmObject } from '../src/resource-list/krm-object.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import { FunctionError } from '../src/result.ts'
import { withFunctionConfig } from './function-config.ts'
import type { Host } from './host.ts'
import { UsageError } from './usage-error.ts'

/**
 * The list with the functionConfig of a file.
 *
 * @param name  the function whose options they are
 * @throws FunctionError when the file cannot be read as YAML; UsageError when it holds none or several resources
 */
export function withConfigFile(list: ResourceList, name: string, path: string, host: Host): ResourceList {
  const [object, ...others] = readObjects(path, host)
  if (object === undefined || others.length > 0) throw new UsageError(`'${path}' must hold one resource, the options of ${name}`)
  return ResourceList.of(list.items, object)
}

/**
 * The resources of one file.
 *
 * @throws FunctionError when it cannot be read as YAML
 */
export function readObjects(path: string, host: Host): readonly KrmObject[] {
  const { file, results } = readPackageFile(path, readFileSync(host.locate(path)))
  if (results.length > 0) throw new FunctionError(results)
  return file?.documents.flatMap(({ object }) => object ?? []) ?? []
}

/** Where the options of a function are: in the file that the caller names, else where the Kptfile of `dir` says. */
export interface OptionsPlace {
  readonly config: string | undefined
  readonly dir: string
}

/** The list with the functionConfig of a function; throws as `withConfigFile`. */
export function withOptions(list: ResourceList, name: string, { config, dir }: OptionsPlace, host: Host): ResourceList {
  return config === undefined ? withFunctionConfig(list, name, dir) : withConfigFile(list, name, config, host)
}
