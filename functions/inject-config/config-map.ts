import { isRecord, type JsonValue } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import { quoteNames, quoteText } from '../../src/schema/describe-value.ts'
import { type Fault, faultToResult } from '../../src/schema/fault.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import type { OptionFields } from './function-config.ts'

type FlatOptions = Pick<OptionFields, 'namespace' | 'strict' | 'check'>

/** How the flat options are read from a text; undefined when the text is not allowed. */
const READERS: { readonly [Key in keyof FlatOptions]-?: (text: string) => FlatOptions[Key] } = {
  namespace: (text) => text,
  strict: readBoolean,
  check: readBoolean,
}

/**
 * The options in a ConfigMap: `kpt fn eval -- check=true`. Injectors come from the PackageVariant among the items.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptionsMap(config: KrmObject): FlatOptions {
  const data = config.get(['data'])
  const entries = isRecord(data) ? Object.entries(data) : []
  const faults = entries.flatMap(([key, value]) => faultsOf(key, value))
  if (faults.length > 0) throw new FunctionError(faults.map((fault) => faultToResult(config, fault)))
  return Object.fromEntries(entries.map(([key, value]) => [key, isOption(key) ? READERS[key](String(value)) : undefined]))
}

function faultsOf(key: string, value: JsonValue): Fault[] {
  const path = ['data', key]
  const names = Object.keys(READERS)
  if (!isOption(key)) {
    const message = `is not an option of inject-config in a ConfigMap; its options there are ${quoteNames(names)}${didYouMean(key, names)}`
    return [{ severity: 'error', rule: 'unknown-field', path, message, atKey: true }]
  }
  if (READERS[key](String(value)) !== undefined) return []
  const message = `must be one of 'true', 'false', got ${quoteText(String(value))}`
  return [{ severity: 'error', rule: 'allowed-values', path, message }]
}

function isOption(key: string): key is keyof FlatOptions {
  return Object.hasOwn(READERS, key)
}

function readBoolean(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}
