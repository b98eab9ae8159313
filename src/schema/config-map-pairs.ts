import type { FieldPath } from '../field-path.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { nodesAlong } from '../yaml/read/node.ts'
import { describeChoice, describeValue, quoteText } from './describe-value.ts'
import { duplicateKeyFaults } from './document-faults.ts'
import { type Fault, faultToResult } from './fault.ts'
import { didYouMean } from './nearest-name.ts'
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
  const values = asRecord(data)
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

/** Returns true for a map or a list. */
export function isNestedValue(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null
}

/**
 * Returns the scalars of a map as texts of the file, null as ''. kpt writes strings without quotes that YAML 1.1 reads as other types,
 * and `1.30` must remain `1.30` in the place of a string (docs/porch.md 27).
 *
 * @param values  the map that the object has at the path
 */
export function scalarTexts(object: KrmObject, path: FieldPath, values: JsonRecord): ReadonlyMap<string, string> {
  const map = nodesAlong(object.written().node, path)[path.length]
  const spelled = new Map<string, string>()
  for (const { key, value } of map?.type === 'map' ? map.entries : []) if (value.type === 'scalar') spelled.set(key.text, value.text)
  const texts = new Map<string, string>()
  for (const key of Object.keys(values)) {
    const value = lookup(values, key) ?? null
    if (!isNestedValue(value)) texts.set(key, value === null ? '' : (spelled.get(key) ?? ''))
  }
  return texts
}

/**
 * Returns the reader for the kind of a functionConfig.
 *
 * @param readers  the readers of all kinds that the function accepts, by kind
 * @param whose    the name of the function, for messages
 * @throws FunctionError  if no reader has the kind
 */
export function readerFor<Reader>(config: KrmObject, readers: Readonly<Record<string, Reader>>, whose = 'this function'): Reader {
  const { kind = '' } = config
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (reader !== undefined) return reader
  const message = `must be ${describeChoice(Object.keys(readers))} in a functionConfig of ${whose}, got ${quoteText(kind)}`
  throw new FunctionError([faultToResult(config, { severity: 'error', rule: 'function-config', path: ['kind'], message })])
}
