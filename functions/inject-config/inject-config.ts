import type { FieldPath } from '../../src/field-path.ts'
import type { PackageVariant } from '../../src/kinds/package-variant.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import { decode } from '../../src/schema/validate.ts'
import { checkInjection, type InjectionChange, injectionChangeOf } from '../../src/variant/injection/inject.ts'
import { readSources } from '../../src/variant/injection/injection-source.ts'
import { itemsBelow, rootPackage } from '../../src/variant/list-packages.ts'
import { mutateInjection } from '../../src/variant/mutate.ts'
import { readVariantConfig } from '../../src/variant/variant-config.ts'
import { SOURCE_FOLDER, type VariantPackage } from '../../src/variant/variant-package.ts'
import { INJECT_CONFIG_SCHEMA, type InjectConfigFields } from './schema.ts'

/** Copies configuration from sources into the injection points of a package (seed 000, Configuration Injection Details). */
export function injectConfig(list: ResourceList): void {
  const options = decodeInjectConfigOptions(list, rootPackage(list))
  const { injection, check } = options
  const pkg = rootPackage(list, options.sources)
  const sources = readSources(itemsBelow(list.items, pkg, options.sources), options.resources)
  list.results.push(...(check ? checkInjection(pkg, injection, sources) : mutateInjection(pkg, { injection }, sources)))
}

type FlatOptions = Pick<InjectConfigFields, 'namespace' | 'strict' | 'check'>

const OPTIONS: TextOptions<FlatOptions> = {
  namespace: { allowed: 'a namespace', read: (text) => text },
  strict: TRUE_OR_FALSE,
  check: TRUE_OR_FALSE,
}

/** The options of inject-config. */
interface InjectConfigOptions {
  readonly injection: InjectionChange
  /** Folders of the package whose resources are taken. */
  readonly sources: readonly string[]
  /** The object that holds further resources, and where. */
  readonly resources?: { readonly object: KrmObject; readonly path: FieldPath }
  readonly check: boolean
}

/**
 * Returns the options in a functionConfig: a PackageVariant, an InjectConfig, or a ConfigMap of texts.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
function decodeInjectConfigOptions(list: ResourceList, pkg: VariantPackage): InjectConfigOptions {
  return readVariantConfig(list, pkg, {
    variant: (variant) => toOptions({}, () => variant),
    kinds: {
      InjectConfig: (config, findVariant) => ({
        ...toOptions(decode(config, { schema: INJECT_CONFIG_SCHEMA }).value.spec ?? {}, findVariant),
        resources: { object: config, path: ['spec', 'resources'] },
      }),
      ConfigMap: (config, findVariant) => toOptions(decodeOptionsMap(config), findVariant),
    },
  })
}

function toOptions(fields: InjectConfigFields, findVariant: () => PackageVariant): InjectConfigOptions {
  const variant = fields.injectors === undefined ? findVariant() : undefined
  const injectors = fields.injectors ?? variant?.injectors ?? []
  const namespace = fields.namespace || variant?.namespace || ''
  return {
    injection: { ...injectionChangeOf({ injectors, namespace }), strict: fields.strict ?? false },
    sources: (fields.sources ?? [SOURCE_FOLDER]).map((folder) => folder.replace(/^\.\/|\/+$/g, '')),
    check: fields.check ?? false,
  }
}

/**
 * Returns the options in a ConfigMap: `kpt fn eval -- check=true`. Injectors are read from the PackageVariant among the items.
 *
 * @throws FunctionError with every fault of the ConfigMap
 */
function decodeOptionsMap(config: KrmObject): FlatOptions {
  return readTextOptions(config, 'inject-config', OPTIONS)
}
