import { readFileSync } from 'node:fs'
import { readPackageFile } from '../src/package/read-package.ts'
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
  const { file, results } = readPackageFile(path, readFileSync(host.locate(path)))
  const [object, ...others] = file?.documents.flatMap((document) => document.object ?? []) ?? []
  if (results.length > 0) throw new FunctionError(results)
  if (object === undefined || others.length > 0) throw new UsageError(`'${path}' must hold one resource, the options of ${name}`)
  return ResourceList.of(list.items, object)
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
