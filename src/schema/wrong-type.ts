import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { describeTypes, describeValue, quoteNames, quoteText } from './describe-value.ts'
import type { Fault } from './fault.ts'
import { type Schema, type TypeName, typesOf } from './schema.ts'

/** Returns the fault of a value with none of the schema's types. The fault proposes a value if the intended value can be derived. */
export function wrongTypeFault(
  schema: Schema,
  value: JsonValue,
  source: string | undefined,
): Pick<Fault, 'rule' | 'message' | 'proposedValue'> {
  const types = typesOf(schema)
  const proposedValue = PROPOSALS.map((propose) => propose(types, schema, value, source)).find((proposal) => proposal !== undefined)
  const hint =
    typeof proposedValue === 'string' || (typeof value === 'string' && typeof proposedValue === 'number')
      ? `; write ${JSON.stringify(proposedValue)}`
      : formHint(types, schema, value)
  const found = `${describeValue(value, source)}${typeof value === 'bigint' ? ', which is beyond 2^53' : ''}`
  return {
    rule: 'wrong-type',
    message: `must be ${describeTypes(types)}, got ${found}${hint}`,
    ...(proposedValue !== undefined && { proposedValue }),
  }
}

/**
 * Returns a hint about the form that is wanted. A map on one line without the space after its colon is read as a text, a list without its
 * dash as a map, a dash without its space as a text.
 */
function formHint(types: readonly TypeName[], schema: Schema, value: JsonValue): string {
  if (typeof value === 'string') return formOfText(types, schema, value)
  if (isRecord(value) && types.includes('array')) return "; its first key must begin with '- '"
  if (schema.format === 'cel' && isRecord(value)) return conditionHint(schema, value)
  const fields = Object.keys(schema.properties ?? {})
  if (!Array.isArray(value) || !types.includes('object')) return ''
  if (value.length > 0 && value.every((each) => typeof each === 'string' && PAIR.test(each)))
    return `; write ${value.map((each) => pairOf(String(each))).join(', ')}, without dashes`
  const pairs = fields.length === 0 ? pairsOf(value) : []
  if (pairs.length > 0) return `; write ${pairs.map(([key, text]) => `${key}: ${text}`).join(', ')}, without dashes`
  const [first] = value.flatMap((each) => (isRecord(each) ? [lookup(each, 'name')] : []))
  if (fields.length === 0 && typeof schema.additionalProperties === 'object' && typeof first === 'string')
    return `; write ${quoteText(`${first}: …`)}: its keys are the names`
  return fieldsHint(schema)
}

/** Returns the condition that a label selector stands for: `{matchLabels: {ring: canary}}` is `target.labels.ring == 'canary'`. */
function conditionHint({ examples: [example] = [] }: Schema, value: JsonRecord): string {
  const object = typeof example === 'string' ? /^\w+/.exec(example)?.[0] : undefined
  const labels = lookup(value, 'matchLabels') ?? value
  const [first] = isRecord(labels) ? Object.entries(labels) : []
  if (object === undefined || first === undefined || typeof first[1] !== 'string') return '; it is an expression in CEL'
  return `; write ${JSON.stringify(`${object}.labels.${first[0]} == '${first[1]}'`)}, an expression in CEL`
}

function formOfEntry(entry: Schema, value: string): string {
  if (/^-\S/.test(value)) return '; a space must follow each dash'
  if (typesOf(entry).includes('string')) return `; write [${value}]`
  return typesOf(entry).includes('object') ? namedBy(entry, value, '- ') : ''
}

/** Returns the entries of a list of maps with a text each: of `{env: prod}`, and of `{name: env, value: prod}`. */
function pairsOf(list: readonly JsonValue[]): readonly (readonly [string, string])[] {
  const entries = Object.entries(mapOfPairs(list) ?? (list.every(isRecord) ? Object.assign({}, ...list) : {}))
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return texts.length === entries.length && texts.every(([key]) => key !== 'name') ? texts : []
}

function fieldsHint({ properties = {} }: Schema): string {
  const fields = Object.keys(properties)
  return fields.length === 0 || fields.length > MOST_FIELDS ? '' : `; its fields are ${quoteNames(fields)}`
}

function formOfText(types: readonly TypeName[], schema: Schema, value: string): string {
  if (types.includes('array')) return formOfEntry(schema.items ?? {}, value)
  if (!types.includes('object')) return ''
  const [, key = '', rest] = /^([A-Za-z][\w./-]*):([^\s/].*)$/.exec(value) ?? []
  if (key !== '' && (schema.properties === undefined || schema.properties[key] !== undefined))
    return `; a space must follow the colon: ${quoteText(`${key}: ${rest}`)}`
  if (PAIR.test(value)) return `; write ${schema.properties?.matchLabels === undefined ? pairOf(value) : `matchLabels: {${pairOf(value)}}`}`
  return namedBy(schema, value, '') || fieldsHint(schema)
}

/** Returns the map with a text as its image or name, if the map has one. */
function namedBy({ properties = {} }: Schema, value: string, dash: string): string {
  const field = properties.image !== undefined ? 'image' : properties.name !== undefined ? 'name' : undefined
  return field === undefined || !/^[\w./:@-]+$/.test(value) ? '' : `; write ${quoteText(`${dash}${field}: ${value}`)}`
}

/** Matches a label as kubectl takes it: `region=eu`. */
const PAIR = /^[A-Za-z][\w./-]*=[\w.-]*$/

function pairOf(text: string): string {
  return text.replace('=', ': ')
}

/** More fields than these are no hint. */
const MOST_FIELDS = 6

type Proposal = (types: readonly TypeName[], schema: Schema, value: JsonValue, source: string | undefined) => JsonValue | undefined

const PROPOSALS: readonly Proposal[] = [
  // a number or boolean that lacks its quotes keeps its spelling: 0644 is '0644'
  (types, _, value, source) =>
    types.includes('string') && isPlainScalar(value) && !(types.includes('integer') && isNoInteger(value))
      ? (source ?? String(value))
      : undefined,
  // an integer in quotes, a revision with the letter of its tag: `v2`
  (types, _, value) =>
    types.includes('integer') && typeof value === 'string' && /^v?\d{1,15}$/.test(value) ? Number(value.replace('v', '')) : undefined,
  // one entry where a list is wanted
  (types, { items }, value) => (types.includes('array') && items && hasType(value, typesOf(items)) ? [value] : undefined),
  // a list of key and value where a map is wanted
  (types, _, value) => (types.includes('object') && Array.isArray(value) ? mapOfPairs(value) : undefined),
]

function isPlainScalar(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
}

/** Returns true for a fraction and a number beyond 2^53: if an integer is wanted, a proposal of the number as a text would be wrong. */
function isNoInteger(value: JsonValue): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isInteger(value))
}

function hasType(value: JsonValue, types: readonly TypeName[]): boolean {
  return (isRecord(value) && types.includes('object')) || (typeof value === 'string' && types.includes('string'))
}

function mapOfPairs(list: readonly JsonValue[]): JsonRecord | undefined {
  const pairs = list.flatMap((item) => {
    const key = isRecord(item) ? (lookup(item, 'key') ?? lookup(item, 'name')) : undefined
    const value = isRecord(item) ? lookup(item, 'value') : undefined
    return typeof key === 'string' && value !== undefined ? [[key, value] as const] : []
  })
  return pairs.length > 0 && pairs.length === list.length ? Object.fromEntries(pairs) : undefined
}
