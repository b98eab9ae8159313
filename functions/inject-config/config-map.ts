import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import type { OptionFields } from './schema.ts'

type FlatOptions = Pick<OptionFields, 'namespace' | 'strict' | 'check'>

const OPTIONS: TextOptions<FlatOptions> = {
  namespace: { allowed: 'a namespace', read: (text) => text },
  strict: TRUE_OR_FALSE,
  check: TRUE_OR_FALSE,
}

/**
 * The options in a ConfigMap: `kpt fn eval -- check=true`. Injectors come from the PackageVariant among the items.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptionsMap(config: KrmObject): FlatOptions {
  return readTextOptions(config, 'inject-config', OPTIONS)
}
