import { isRecord, type JsonValue } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { quoteNames, quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import type { OptionFields } from './function-config.ts'

/** What an option may be as a text, and the fields it sets; undefined when the text is not allowed. */
interface Reader {
  readonly allowed: string
  read(text: string): OptionFields | undefined
}

const READERS: Readonly<Record<string, Reader>> = {
  universe: oneOf(['open', 'closed'], (universe) => ({ universe })),
  carvelSemver: oneOf(['2024', '2026'], (carvelSemver) => ({ carvelSemver })),
  crossplaneSemantics: oneOf(['current', 'seed'], (crossplaneSemantics) => ({ crossplaneSemantics })),
  strict: oneOf(['true', 'false'], (strict) => ({ strict: strict === 'true' })),
  kubernetesVersion: text((kubernetesVersion) => ({ cluster: { kubernetesVersion } })),
  crossplaneVersion: text((crossplaneVersion) => ({ cluster: { crossplaneVersion } })),
  kappControllerVersion: text((kappControllerVersion) => ({ cluster: { kappControllerVersion } })),
  globalPackageNamespace: text((globalPackageNamespace) => ({ cluster: { globalPackageNamespace } })),
}

function oneOf<const T extends string>(allowed: readonly T[], set: (value: T) => OptionFields): Reader {
  return {
    allowed: `one of ${quoteNames(allowed)}`,
    read: (written) => {
      const value = allowed.find((each) => each === written)
      return value === undefined ? undefined : set(value)
    },
  }
}

function text(set: (value: string) => OptionFields): Reader {
  return { allowed: 'a version', read: (written) => (written === '' ? undefined : set(written)) }
}

/**
 * The options in a ConfigMap: those that are one text, each under its own name. kpt sends an empty one when there is nothing to say.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptionsMap(config: KrmObject): OptionFields {
  const data = config.get(['data'])
  const entries = isRecord(data) ? Object.entries(data) : []
  const results = entries.flatMap(([key, value]) => faultOf(config, key, value))
  if (hasErrors(results)) throw new FunctionError(results)
  return entries.map(([key, value]) => READERS[key]?.read(String(value)) ?? {}).reduce<OptionFields>(mergeFields, {})
}

function mergeFields(all: OptionFields, { cluster, ...fields }: OptionFields): OptionFields {
  return { ...all, ...fields, ...(cluster && { cluster: { ...all.cluster, ...cluster } }) }
}

function faultOf(config: KrmObject, key: string, value: JsonValue): Result[] {
  const path = ['data', key]
  const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined
  if (reader === undefined) {
    const message = `is not an option of check-dependencies in a ConfigMap; its options are ${quoteNames(Object.keys(READERS))}${didYouMean(key, Object.keys(READERS))}`
    return [faultToResult(config, { severity: 'error', rule: 'unknown-field', path, message, atKey: true })]
  }
  if (reader.read(String(value)) !== undefined) return []
  return [
    faultToResult(config, {
      severity: 'error',
      rule: 'allowed-values',
      path,
      message: `must be ${reader.allowed}, got ${quoteText(String(value))}`,
    }),
  ]
}
