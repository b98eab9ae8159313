import { compileRegularExpression } from '../cel/re2-expression.ts'
import { type RegularExpression, RegularExpressionError } from '../cel/regular-expression.ts'
import { compareText, type FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError } from '../result.ts'
import { isNestedValue, scalarTexts } from '../schema/config-map-pairs.ts'
import { describeChoice, describeValue, quoteNames, quoteText } from '../schema/describe-value.ts'
import { duplicateKeyFaults } from '../schema/document-faults.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'
import { didYouMean, nearestName } from '../schema/nearest-name.ts'
import { proposeKey } from '../schema/unknown-field.ts'
import { CATALOG_API } from './catalog-kind.ts'
import { wrongType } from './field-places.ts'

/** The kinds of functionConfig that a function accepts: a ConfigMap, and its own kinds. */
export interface ConfigKinds {
  readonly kinds: readonly string[]
  /** False if the function accepts no ConfigMap. */
  readonly takesConfigMap?: boolean
  /** True if a ConfigMap must have the apiVersion v1; by default the apiVersion of a ConfigMap counts for nothing. */
  readonly hasExactConfigMap?: boolean
  /** Returns true if an apiVersion belongs to the function's own kinds. Default: exactly `fn.kpt.dev/v1alpha1`. */
  readonly isOwnApi?: (apiVersion: string) => boolean
}

/**
 * Returns the functionConfig of a list.
 *
 * @throws FunctionError  when there is none, it is too long, or the function does not accept its kind
 */
export function catalogConfig(
  { functionConfig: config }: ResourceList,
  { kinds, takesConfigMap = true, hasExactConfigMap = false, isOwnApi = isCatalogApi }: ConfigKinds,
): KrmObject {
  const allowed = takesConfigMap ? ['ConfigMap', ...kinds] : kinds
  if (config?.isMap() !== true) throw missingConfig(allowed)
  checkConfigSize(config)
  const { apiVersion = '', kind = '' } = config
  if (kind === 'ConfigMap' && hasExactConfigMap && apiVersion !== 'v1')
    throw refusedConfig(config, ['apiVersion'], `must be 'v1' for a ConfigMap, got ${quoteText(apiVersion)}`)
  if (kind === 'ConfigMap' && takesConfigMap) return config
  if (!kinds.includes(kind)) throw refusedConfig(config, ['kind'], `must be ${describeChoice(allowed)}, got ${quoteText(kind)}`)
  if (!isOwnApi(apiVersion)) throw refusedConfig(config, ['apiVersion'], `must be '${CATALOG_API}', got ${quoteText(apiVersion)}`)
  return config
}

/** The most characters of a functionConfig: more than an API server takes as one object. */
const MAX_CONFIG = 2_000_000

/** Throws FunctionError for a functionConfig that is too long to be read with the places of all its values. */
export function checkConfigSize(config: KrmObject): void {
  const { length } = config.toText()
  if (length <= MAX_CONFIG) return
  const message = `a functionConfig must have at most ${MAX_CONFIG} characters, got ${length}`
  throw new FunctionError([{ severity: 'error', message, resourceRef: config.ref, tags: { rule: 'function-config' } }])
}

/** Returns the error for a list without functionConfig, with the place where kpt and the tool find one. */
export function missingConfig(kinds: readonly string[]): FunctionError {
  const message = `a functionConfig must be given, of kind ${quoteNames(kinds)}: as configMap or configPath of the function in the Kptfile's pipeline, or in the ResourceList`
  return new FunctionError([{ severity: 'error', message, tags: { rule: 'function-config' } }])
}

function isCatalogApi(apiVersion: string): boolean {
  return apiVersion === CATALOG_API
}

/** Returns the error about a field of a functionConfig. */
function refusedConfig(config: KrmObject, path: FieldPath, message: string): FunctionError {
  return fieldError(config, { rule: 'function-config', path, message })
}

/**
 * Returns the text of a required field of a functionConfig.
 *
 * @throws FunctionError  when the field is missing, empty or no string, or its parent is no map
 */
export function requiredText(config: KrmObject, path: FieldPath): string {
  const holder = path.length > 1 ? config.get(path.slice(0, -1)) : config.toJson()
  if (holder !== undefined && !isRecord(holder)) throw wrongType(config, path.slice(0, -1), 'a map', holder)
  const value = config.get(path)
  if (typeof value === 'string' && value !== '') return value
  if (value !== undefined && value !== '') throw wrongType(config, path, 'a string', value)
  throw fieldError(config, { rule: 'required', path, message: 'must be set' })
}

/** Returns the text of a field of a functionConfig, '' if it is missing or null. @throws FunctionError  for another value */
export function optionalText(config: KrmObject, path: FieldPath): string {
  const value = config.get(path) ?? ''
  if (typeof value !== 'string') throw wrongType(config, path, 'a string', value)
  return value
}

/**
 * Returns the texts of a map in a functionConfig, sorted by key; none if the map is missing. A key with null has the text ''.
 *
 * @param scalars  if true, numbers and booleans count as their spelling: for a ConfigMap, whose quotes kpt omits
 * @throws FunctionError  with every duplicate key and every value without a text
 */
export function textPairs(config: KrmObject, path: FieldPath, scalars: boolean): ReadonlyMap<string, string> {
  const values = config.get(path) ?? {}
  if (!isRecord(values)) throw wrongType(config, path, 'a map', values)
  const isWrong = (value: JsonValue) => (scalars ? isNestedValue(value) : value !== null && typeof value !== 'string')
  const wrong = Object.keys(values).filter((key) => isWrong(lookup(values, key) ?? null))
  const faults: readonly Fault[] = [
    ...duplicateKeyFaults(config),
    ...wrong.map((key) => ({
      ...WRONG_TYPE,
      path: [...path, key],
      message: `must be a string, got ${describeValue(lookup(values, key) ?? null)}`,
    })),
  ]
  if (faults.length > 0) throw new FunctionError(faults.map((fault) => faultToResult(config, fault)))
  const texts = scalarTexts(config, path, values)
  return new Map([...texts.keys()].sort(compareText).map((key) => [key, texts.get(key) ?? '']))
}

/**
 * Returns the texts of the `data` of a ConfigMap, or of the field of a function's own kind, as `textPairs` does.
 *
 * @param missing  the message for a config without any
 * @throws FunctionError  when there is none; as `textPairs`
 */
export function requiredPairs(config: KrmObject, field: string, missing: string): ReadonlyMap<string, string> {
  const path = config.kind === 'ConfigMap' ? ['data'] : [field]
  const pairs = textPairs(config, path, true)
  if (pairs.size > 0) return pairs
  throw fieldError(config, { rule: 'required', path, message: missing })
}

/**
 * Returns the texts of the `data` of a ConfigMap, as `textPairs` does.
 *
 * @param keys  the keys that the function knows
 * @throws FunctionError  with every other key; as `textPairs`
 */
export function knownPairs(config: KrmObject, keys: readonly string[]): ReadonlyMap<string, string> {
  const pairs = textPairs(config, ['data'], true)
  const unknown = [...pairs.keys()].filter((key) => !keys.includes(key))
  if (unknown.length === 0) return pairs
  throw new FunctionError(
    unknown.map((key) =>
      faultToResult(config, {
        severity: 'error',
        rule: 'unknown-field',
        path: ['data', key],
        message: `is not an option of this function; its options are ${quoteNames(keys)}${didYouMean(key, keys)}`,
        atKey: true,
        ...proposeKey(key, keys),
      }),
    ),
  )
}

/** Returns the error about one field of an object; that of a missing field names the key that was most likely meant to be it. */
export function fieldError(object: KrmObject, fault: Omit<Fault, 'severity'>): FunctionError {
  const message = `${fault.message}${fault.rule === 'required' ? misspeltKey(object, fault.path) : ''}`
  return new FunctionError([faultToResult(object, { severity: 'error', ...fault, message })])
}

function misspeltKey(object: KrmObject, path: FieldPath): string {
  const holder = object.get(path.slice(0, -1))
  const key = String(path.at(-1))
  if (!isRecord(holder) || lookup(holder, key) !== undefined) return ''
  // A much longer key is another field: `namespaceMatcher`.
  const near = nearestName(
    key,
    Object.keys(holder).filter((each) => each.length <= key.length + 2),
  )
  return near === undefined ? '' : `, found ${quoteText(near)} in its place`
}

/**
 * Compiles a regular expression of a functionConfig.
 *
 * @param text  the expression, if it is not the value of the field alone
 * @throws FunctionError  at the field
 */
export function configExpression(config: KrmObject, path: FieldPath, text: string): RegularExpression {
  return withExpression(config, path, () => compileRegularExpression(text))
}

/** Runs what uses a regular expression of a functionConfig. @throws FunctionError  once, at the field of the expression */
export function withExpression<T>(config: KrmObject | undefined, path: FieldPath, use: () => T): T {
  try {
    return use()
  } catch (error) {
    if (!(error instanceof RegularExpressionError) || config === undefined) throw error
    throw fieldError(config, { rule: 'search-pattern', path, message: error.message })
  }
}

const WRONG_TYPE = { severity: 'error', rule: 'wrong-type' } as const
