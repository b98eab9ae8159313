import type { KrmObject } from '../../resource-list/krm-object.ts'
import { oneOf, readTextOptions, type TextOption, type TextOptions, TRUE_OR_FALSE } from '../../schema/read-text-options.ts'
import type { SharedFields } from './options.ts'

const VERSION = filled('a version')

/** A number from 1. */
export const WHOLE_NUMBER: TextOption<number> = {
  allowed: 'a whole number from 1',
  read: (text) => (/^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined),
}

/** The options of every function on dependencies that the data of a ConfigMap may have, each under its own name. */
export const SHARED_SETTINGS: TextOptions<Record<string, SharedFields>> = {
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

/** Returns the text option whose value becomes fields of the options: `kubernetesVersion: 1.31.2` becomes `cluster.kubernetesVersion`. */
export function setting<Value, Fields>({ allowed, read }: TextOption<Value>, fieldsOf: (value: Value) => Fields): TextOption<Fields> {
  return {
    allowed,
    read: (text) => {
      const value = read(text)
      return value === undefined ? undefined : fieldsOf(value)
    },
  }
}

/**
 * Returns the options in the data of a ConfigMap.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeSettings<Fields extends SharedFields>(
  config: KrmObject,
  functionName: string,
  settings: TextOptions<Record<string, Fields>>,
): Partial<Fields> {
  const read = readTextOptions<Record<string, Fields>>(config, functionName, settings)
  return Object.values(read).reduce<Partial<Fields>>((all, fields) => mergeFields(all, fields), {})
}

// Each text sets one field, or one of those of `cluster`.
function mergeFields<Fields extends SharedFields>(all: Partial<Fields>, fields: Fields | undefined): Partial<Fields> {
  const cluster = fields?.cluster && { cluster: { ...all.cluster, ...fields.cluster } }
  return { ...all, ...fields, ...cluster }
}
