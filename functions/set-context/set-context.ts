import type { PackageVariant } from '../../src/kinds/package-variant.ts'
import { reservedKeyFaults } from '../../src/kinds/reserved-context-key.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError } from '../../src/result.ts'
import { configMapPairs } from '../../src/schema/config-map-pairs.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { decode } from '../../src/schema/validate.ts'
import { rootPackage } from '../../src/variant/list-packages.ts'
import { type ContextChange, changePackageContext, contextChangeOf } from '../../src/variant/package-context.ts'
import { readVariantConfig } from '../../src/variant/variant-config.ts'
import { SET_CONTEXT_SCHEMA } from './schema.ts'

/** Writes a variant's package context into the ConfigMap kptfile.kpt.dev of the package (seed 000, Package Context Injection). */
export function setContext(list: ResourceList): void {
  const pkg = rootPackage(list)
  const change = readVariantConfig<ContextChange>(list, pkg, {
    variant: contextChangeOf,
    kinds: {
      SetContext: decodeSetContext,
      ConfigMap: (config) => ({ data: decodePairs(config), removeKeys: [], source: { object: config, path: [] } }),
    },
  })
  list.results.push(...changePackageContext(pkg, change))
}

function decodeSetContext(config: KrmObject, findVariant: () => PackageVariant): ContextChange {
  const { value } = decode(config, {
    schema: SET_CONTEXT_SCHEMA,
    rules: ({ spec = {} }) => reservedKeyFaults(spec, ['spec']),
  })
  const { data, removeKeys, create = false } = value.spec ?? {}
  if (data === undefined && removeKeys === undefined) return { ...contextChangeOf(findVariant()), create }
  return { data: new Map(Object.entries(data ?? {})), removeKeys: removeKeys ?? [], create, source: { object: config, path: ['spec'] } }
}

/**
 * Returns the pairs to set, from a ConfigMap as functionConfig.
 *
 * @throws FunctionError with every fault of the ConfigMap, and every reserved key
 */
function decodePairs(config: KrmObject): ReadonlyMap<string, string> {
  const { pairs, faults } = configMapPairs(config)
  const named = pairs.map(({ name, text }) => [name, text] as const)
  const all = [...faults, ...reservedKeyFaults({ data: Object.fromEntries(named) }, [])]
  if (all.length > 0) throw new FunctionError(all.map((fault) => faultToResult(config, fault)))
  return new Map(named)
}
