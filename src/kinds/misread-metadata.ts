import { isRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { describeValue } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { proposeKey } from '../schema/unknown-field.ts'
import { validate } from '../schema/validate.ts'
import { isRepository } from '../well-known.ts'
import { OBJECT_META } from './object-meta-schema.ts'

const FIELDS = Object.keys(OBJECT_META.properties)

/** The fields by which sets find objects. */
const OF_SELECTORS: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations'])

/** Returns true for a misspelt field by which sets find objects. */
export function isOfSelectors({ proposedKey = '' }: Fault): boolean {
  return OF_SELECTORS.has(proposedKey)
}

/**
 * Returns an error for each part of the metadata of an object that no selector sees although its author most likely meant it for one: a
 * misspelt `name`, `namespace`, `labels` or `annotations`, labels or annotations that are no map, a label whose value is no string, and
 * `labels` of a Repository that are not below `metadata`.
 *
 * @throws FunctionError  if an alias of the metadata cannot be read
 */
export function misreadMetadata(object: KrmObject): readonly Fault[] {
  const metadata = object.get(['metadata'])
  if (!isRecord(metadata)) return []
  const misread = (['labels', 'annotations'] as const).flatMap((field) => misreadTexts(object, field, metadata[field] ?? {}))
  const misspelt = misspeltMetadata(object).filter(isOfSelectors)
  return [...misspelt, ...misread, ...misplacedLabels(object)]
}

/**
 * Returns an error for each field of the metadata whose name is near the name of a field that an API server knows.
 *
 * @throws FunctionError  if an alias of the metadata cannot be read
 */
export function misspeltMetadata(object: KrmObject): readonly Fault[] {
  const metadata = object.get(['metadata'])
  if (!isRecord(metadata)) return []
  return Object.keys(metadata).flatMap((key) => {
    const { proposedKey } = FIELDS.includes(key) ? {} : proposeKey(key, FIELDS)
    if (proposedKey === undefined) return []
    const path = ['metadata', key]
    const message = `is not a field of metadata; did you mean '${proposedKey}'?`
    return [{ severity: 'error' as const, rule: 'unknown-field' as const, path, message, proposedKey, place: path, atKey: true }]
  })
}

/** The schema of the texts by which every object is known. */
export const TEXT_NAMES = {
  type: 'object',
  properties: { metadata: { type: 'object', properties: { name: { type: 'string' }, namespace: { type: 'string' } } } },
} as const

/** Matches the text of every number, boolean and null of YAML, and other texts. */
const MAY_BE_TYPED = /^(?:[-+.]?[0-9]|[-+]?\.(?:inf|nan)$|(?:true|false|null|~)$)/i

/**
 * Returns an error for a name and a namespace without quotes that are a number or a boolean: kpt reads them as their text, and an API
 * server refuses the object.
 *
 * @throws FunctionError  if an alias of the object cannot be read
 */
export function typedNames(object: KrmObject): readonly Result[] {
  const { name = '', namespace = '' } = object
  if (!MAY_BE_TYPED.test(name) && !MAY_BE_TYPED.test(namespace)) return []
  return validate(object, { schema: TEXT_NAMES }).filter(({ field, tags }) => tags.rule === 'wrong-type' && field?.currentValue !== null)
}

function misreadTexts(object: KrmObject, field: 'labels' | 'annotations', value: JsonValue): readonly Fault[] {
  if (!isRecord(value)) return [wrongType(object, ['metadata', field], 'a map', value)]
  if (field === 'annotations') return []
  return Object.entries(value).flatMap(([key, each]) =>
    typeof each === 'string' ? [] : [wrongType(object, ['metadata', field, key], 'a string', each)],
  )
}

function misplacedLabels(object: KrmObject): readonly Fault[] {
  if (!isRepository(object) || object.get(['labels']) === undefined) return []
  return [{ severity: 'error', rule: 'unknown-field', path: ['labels'], message: 'must be below `metadata`', atKey: true }]
}

function wrongType(object: KrmObject, path: readonly string[], wanted: string, found: JsonValue): Fault {
  return {
    severity: 'error',
    rule: 'wrong-type',
    path,
    message: `must be ${wanted}, got ${found === null ? 'nothing' : describeValue(found, object.scalars(path)[0]?.text)}`,
  }
}
