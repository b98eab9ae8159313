import type { FieldPath } from '../../src/field-path.ts'
import type { PackageVariant } from '../../src/kinds/package-variant.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { check } from '../../src/schema/generated/inject-config.js'
import { decode } from '../../src/schema/validate.ts'
import { type InjectionChange, injectionChangeOf } from '../../src/variant/injection/inject.ts'
import { readVariantConfig } from '../../src/variant/variant-config.ts'
import { SOURCE_FOLDER, type VariantPackage } from '../../src/variant/variant-package.ts'
import { decodeOptionsMap } from './config-map.ts'
import { INJECT_CONFIG_SCHEMA, type OptionFields } from './schema.ts'

/** The options of inject-config. */
export interface Options {
  readonly injection: InjectionChange
  /** Folders of the package whose resources are taken. */
  readonly sources: readonly string[]
  /** The object that holds further resources, and where. */
  readonly resources?: { readonly object: KrmObject; readonly path: FieldPath }
  readonly check: boolean
}

/**
 * The options in a functionConfig: a PackageVariant, an InjectConfig, or a ConfigMap of texts.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptions(list: ResourceList, pkg: VariantPackage): Options {
  return readVariantConfig(list, pkg, {
    variant: (variant) => toOptions({}, () => variant),
    kinds: {
      InjectConfig: (config, findVariant) => ({
        ...toOptions(decode(config, { schema: INJECT_CONFIG_SCHEMA, check }).value.spec ?? {}, findVariant),
        resources: { object: config, path: ['spec', 'resources'] },
      }),
      ConfigMap: (config, findVariant) => toOptions(decodeOptionsMap(config), findVariant),
    },
  })
}

function toOptions(fields: OptionFields, findVariant: () => PackageVariant): Options {
  const variant = fields.injectors === undefined ? findVariant() : undefined
  const injectors = fields.injectors ?? variant?.injectors ?? []
  const namespace = fields.namespace || variant?.namespace || ''
  return {
    injection: { ...injectionChangeOf({ injectors, namespace }), strict: fields.strict ?? false },
    sources: (fields.sources ?? [SOURCE_FOLDER]).map((folder) => folder.replace(/^\.\/|\/+$/g, '')),
    check: fields.check ?? false,
  }
}
