import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { oneOf, readTextOptions, type TextOption, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import type { OptionFields } from './function-config.ts'

const VERSION = filled('a version')

/** The options that are one text, each under its own name, and the fields that each sets. */
const OPTIONS: TextOptions<Record<string, OptionFields>> = {
  universe: setting(oneOf('open', 'closed'), (universe) => ({ universe })),
  carvelSemver: setting(oneOf('2024', '2026'), (carvelSemver) => ({ carvelSemver })),
  crossplaneSemantics: setting(oneOf('current', 'seed'), (crossplaneSemantics) => ({ crossplaneSemantics })),
  strict: setting(TRUE_OR_FALSE, (strict) => ({ strict })),
  kubernetesVersion: setting(VERSION, (kubernetesVersion) => ({ cluster: { kubernetesVersion } })),
  crossplaneVersion: setting(VERSION, (crossplaneVersion) => ({ cluster: { crossplaneVersion } })),
  kappControllerVersion: setting(VERSION, (kappControllerVersion) => ({ cluster: { kappControllerVersion } })),
  globalPackageNamespace: setting(filled('a namespace'), (globalPackageNamespace) => ({ cluster: { globalPackageNamespace } })),
}

function filled(allowed: string): TextOption<string> {
  return { allowed, read: (text) => text || undefined }
}

function setting<Value>({ allowed, read }: TextOption<Value>, fieldsOf: (value: Value) => OptionFields): TextOption<OptionFields> {
  return {
    allowed,
    read: (text) => {
      const value = read(text)
      return value === undefined ? undefined : fieldsOf(value)
    },
  }
}

/**
 * The options in a ConfigMap.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptionsMap(config: KrmObject): OptionFields {
  const read = readTextOptions<Record<string, OptionFields>>(config, 'check-dependencies', OPTIONS)
  return Object.values(read).reduce<OptionFields>(mergeFields, {})
}

function mergeFields(all: OptionFields, { cluster, ...fields }: OptionFields = {}): OptionFields {
  return { ...all, ...fields, ...(cluster && { cluster: { ...all.cluster, ...cluster } }) }
}
