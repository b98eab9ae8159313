import { isRecord, type JsonValue } from '../../src/json.ts'
import { reservedKeyFaults } from '../../src/kinds/reserved-context-key.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import { type Fault, faultToResult } from '../../src/schema/fault.ts'

/**
 * The pairs to set in a ConfigMap as functionConfig: `kpt fn eval -- region=eu`, `configMap:` in a pipeline. kpt writes strings
 * that only YAML 1.1 takes for something else without quotes, so what counts is the text of a value.
 *
 * @throws FunctionError with every value that is no scalar, and every reserved key
 */
export function decodePairs(config: KrmObject): ReadonlyMap<string, string> {
  const data = config.get(['data'])
  const values = isRecord(data) ? data : {}
  const texts = new Map(config.scalars(['data']).map(({ path, text }) => [String(path.at(-1)), text]))
  const pairs = Object.entries(values).map(([key, value]) => [key, textOf(value, texts.get(key))] as const)
  const faults = [
    ...Object.entries(values).flatMap(([key, value]) => nestedFaults(key, value)),
    ...reservedKeyFaults({ data: Object.fromEntries(pairs) }, []),
  ]
  if (faults.length > 0) throw new FunctionError(faults.map((fault) => faultToResult(config, fault)))
  return new Map(pairs)
}

function textOf(value: JsonValue, written = ''): string {
  if (typeof value === 'string') return value
  return value === null ? '' : written
}

function nestedFaults(key: string, value: JsonValue): Fault[] {
  if (typeof value !== 'object' || value === null) return []
  const found = Array.isArray(value) ? 'a list' : 'a map'
  return [{ severity: 'error', rule: 'wrong-type', path: ['data', key], message: `must be a string, got ${found}` }]
}
