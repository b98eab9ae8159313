import { isRecord, type JsonValue } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { quoteNames, quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import type { OptionFields } from './function-config.ts'

/** How each option is read from a text; undefined when the text is not allowed. */
const READERS: { readonly [Key in keyof OptionFields]-?: { readonly allowed: string; read(text: string): OptionFields[Key] | undefined } } =
  {
    allowEmpty: { allowed: "one of 'true', 'false'", read: readBoolean },
    maxDeletions: { allowed: "a number or a percentage such as '30%'", read: readLimit },
    lookups: { allowed: "one of 'optional', 'required'", read: (text) => (text === 'optional' || text === 'required' ? text : undefined) },
    status: { allowed: "one of 'true', 'false'", read: readBoolean },
  }

/**
 * The options in a ConfigMap, as `kpt fn eval -- key=value` and `configMap:` in a pipeline give them. kpt sends an empty one when
 * there is nothing to say.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptionsMap(config: KrmObject): OptionFields {
  const data = config.get(['data'])
  const entries = isRecord(data) ? Object.entries(data) : []
  const results = entries.flatMap(([key, value]) => faultOf(config, key, value))
  if (hasErrors(results)) throw new FunctionError(results)
  return Object.fromEntries(entries.map(([key, value]) => [key, isOption(key) ? READERS[key].read(String(value)) : undefined]))
}

function faultOf(config: KrmObject, key: string, value: JsonValue): Result[] {
  const path = ['data', key]
  if (!isOption(key)) {
    const message = `is not an option of fan-out; its options are ${quoteNames(Object.keys(READERS))}${didYouMean(key, Object.keys(READERS))}`
    return [faultToResult(config, { severity: 'error', rule: 'unknown-field', path, message, atKey: true })]
  }
  if (READERS[key].read(String(value)) !== undefined) return []
  const message = `must be ${READERS[key].allowed}, got ${quoteText(String(value))}`
  return [faultToResult(config, { severity: 'error', rule: 'allowed-values', path, message })]
}

function isOption(key: string): key is keyof OptionFields {
  return Object.hasOwn(READERS, key)
}

function readBoolean(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

function readLimit(text: string): number | string | undefined {
  if (/^[0-9]+%$/.test(text)) return text
  return /^[0-9]+$/.test(text) ? Number(text) : undefined
}
