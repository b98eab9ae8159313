import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { oneOf, readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import type { OptionFields } from './schema.ts'

const OPTIONS: TextOptions<OptionFields> = {
  allowEmpty: TRUE_OR_FALSE,
  maxDeletions: { allowed: "a number or a percentage such as '30%'", read: readLimit },
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

function readLimit(text: string): number | string | undefined {
  if (/^[0-9]+%$/.test(text)) return text
  return /^[0-9]+$/.test(text) ? Number(text) : undefined
}
