import type { PackageVariant } from '../../src/kinds/package-variant.ts'
import { reservedKeyFaults } from '../../src/kinds/reserved-context-key.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { check } from '../../src/schema/generated/set-context.js'
import { decode } from '../../src/schema/validate.ts'
import type { ContextChange } from '../../src/variant/context-change.ts'
import { readVariantConfig } from '../../src/variant/variant-config.ts'
import type { VariantPackage } from '../../src/variant/variant-package.ts'
import { decodePairs } from './config-map.ts'
import { SET_CONTEXT_SCHEMA } from './schema.ts'

/** What to do, and whether to make the package context where there is none. */
export interface Options {
  readonly change: ContextChange
  readonly create: boolean
}

/**
 * The options in a functionConfig: a PackageVariant, a SetContext, or a ConfigMap of pairs to set.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptions(list: ResourceList, pkg: VariantPackage): Options {
  return readVariantConfig(list, pkg, {
    variant: (variant) => ({ change: changeOf(variant), create: false }),
    kinds: {
      SetContext: decodeSetContext,
      ConfigMap: (config) => ({
        change: { data: decodePairs(config), removeKeys: [], source: { object: config, path: [] } },
        create: false,
      }),
    },
  })
}

function changeOf({ packageContext, object }: PackageVariant): ContextChange {
  return { ...packageContext, source: { object, path: ['spec', 'packageContext'] } }
}

function decodeSetContext(config: KrmObject, findVariant: () => PackageVariant): Options {
  const { value } = decode(config, {
    schema: SET_CONTEXT_SCHEMA,
    check,
    rules: ({ spec = {} }) => reservedKeyFaults(spec, ['spec']),
  })
  const { data, removeKeys, create = false } = value.spec ?? {}
  if (data === undefined && removeKeys === undefined) return { change: changeOf(findVariant()), create }
  const change = { data: new Map(Object.entries(data ?? {})), removeKeys: removeKeys ?? [], source: { object: config, path: ['spec'] } }
  return { change, create }
}
