import { DELETION_LIMIT_TEXT } from '../../src/fleet/deletion-limit.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { oneOf, readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import type { OptionFields } from './schema.ts'

const OPTIONS: TextOptions<OptionFields> = {
  allowEmpty: TRUE_OR_FALSE,
  maxDeletions: DELETION_LIMIT_TEXT,
  lookups: oneOf('optional', 'required'),
  status: TRUE_OR_FALSE,
}

/**
 * The options in a ConfigMap.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptionsMap(config: KrmObject): OptionFields {
  return readTextOptions(config, 'fan-out', OPTIONS)
}
