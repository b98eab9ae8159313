import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { describeValue } from './describe-value.ts'
import { duplicateKeyFaults } from './document-faults.ts'
import type { Fault } from './fault.ts'
import { didYouMean } from './nearest-name.ts'
import { isNestedValue, scalarTexts } from './scalar-texts.ts'
import { proposeKey } from './unknown-field.ts'

/** An entry of a ConfigMap's `data`. */
export interface ConfigMapPair {
  readonly name: string
  readonly value: JsonValue
  /** The text of the value in the file. */
  readonly text: string
}

/**
 * Returns the `data` of a ConfigMap as functionConfig: from `kpt fn eval -- key=value`, or from `configMap:` in a pipeline. kpt sends an
 * empty ConfigMap if there are no options.
 *
 * @returns the pairs whose value is a scalar, and the faults of everything else
 * @throws FunctionError  if the ConfigMap contains an alias
 */
export function configMapPairs(config: KrmObject): { readonly pairs: readonly ConfigMapPair[]; readonly faults: readonly Fault[] } {
  const object = config.toJson()
  const data = object.data ?? {}
  const values = isRecord(data) ? data : {}
  return {
    pairs: [...scalarTexts(config, ['data'], values)].map(([name, text]) => ({ name, value: values[name] ?? null, text })),
    faults: [
      ...duplicateKeyFaults(config),
      ...fieldFaults(object),
      ...(isRecord(data) ? [] : [wrongType(['data'], 'a map', data)]),
      ...Object.entries(values).flatMap(([name, value]) => (isNestedValue(value) ? [wrongType(['data', name], 'a string', value)] : [])),
    ],
  }
}

/** Returns true if a functionConfig is a ConfigMap without options and without faults. */
export function isEmptyConfigMap(config: KrmObject): boolean {
  if (config.kind !== 'ConfigMap') return false
  const { pairs, faults } = configMapPairs(config)
  return pairs.length === 0 && faults.length === 0
}

const FIELDS = ['apiVersion', 'kind', 'metadata', 'data', 'binaryData', 'immutable']

function fieldFaults(object: JsonRecord): Fault[] {
  const unknown = Object.keys(object).filter((key) => !FIELDS.includes(key))
  return unknown.map((key) => ({
    severity: 'error',
    rule: 'unknown-field',
    path: [key],
    message: `is not a field of ConfigMap${didYouMean(key, FIELDS)}`,
    atKey: true,
    ...proposeKey(key, FIELDS),
  }))
}

function wrongType(path: readonly string[], wanted: string, found: JsonValue): Fault {
  return { severity: 'error', rule: 'wrong-type', path, message: `must be ${wanted}, got ${describeValue(found)}` }
}
