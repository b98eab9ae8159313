import { reservedKeyFaults } from '../../src/kinds/reserved-context-key.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import { configMapPairs } from '../../src/schema/config-map-pairs.ts'
import { faultToResult } from '../../src/schema/fault.ts'

/**
 * The pairs to set in a ConfigMap as functionConfig.
 *
 * @throws FunctionError with every fault of it, and every reserved key
 */
export function decodePairs(config: KrmObject): ReadonlyMap<string, string> {
  const { pairs, faults } = configMapPairs(config)
  const named = pairs.map(({ name, text }) => [name, text] as const)
  const all = [...faults, ...reservedKeyFaults({ data: Object.fromEntries(named) }, [])]
  if (all.length > 0) throw new FunctionError(all.map((fault) => faultToResult(config, fault)))
  return new Map(named)
}
