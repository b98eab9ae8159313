import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { describeTypes, describeValue, quoteText } from './describe-value.ts'
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
  const hint = typeof proposedValue === 'string' ? `; write ${JSON.stringify(proposedValue)}` : missingSign(types, value)
  const found = `${describeValue(value, source)}${typeof value === 'bigint' ? ', which is beyond 2^53' : ''}`
  return {
    rule: 'wrong-type',
    message: `must be ${describeTypes(types)}, got ${found}${hint}`,
    ...(proposedValue !== undefined && { proposedValue }),
  }
}

/**
 * Returns a hint about a missing character. A map on one line without the space after its colon is read as a text, a list without its
 * dash as a map.
 */
function missingSign(types: readonly TypeName[], value: JsonValue): string {
  const [, key, rest] = (typeof value === 'string' && types.includes('object') && /^([A-Za-z][\w./-]*):([^\s/].*)$/.exec(value)) || []
  if (key !== undefined) return `; a space must stand behind the colon: ${quoteText(`${key}: ${rest}`)}`
  return isRecord(value) && types.includes('array') ? "; a '- ' must stand before its first key" : ''
}

type Proposal = (types: readonly TypeName[], schema: Schema, value: JsonValue, source: string | undefined) => JsonValue | undefined

const PROPOSALS: readonly Proposal[] = [
  // a number or boolean that lacks its quotes keeps its spelling: 0644 is '0644'
  (types, _, value, source) =>
    types.includes('string') && isPlainScalar(value) && !(types.includes('integer') && isFraction(value))
      ? (source ?? String(value))
      : undefined,
  // an integer in quotes
  (types, _, value) => (types.includes('integer') && typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined),
  // one entry where a list is wanted
  (types, { items }, value) => (types.includes('array') && items && hasType(value, typesOf(items)) ? [value] : undefined),
  // a list of key and value where a map is wanted
  (types, _, value) => (types.includes('object') && Array.isArray(value) ? mapOfPairs(value) : undefined),
]

function isPlainScalar(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
}

/** Returns true for a fraction: if an integer is wanted, a proposal of the fraction as a text would be wrong. */
function isFraction(value: JsonValue): boolean {
  return typeof value === 'number' && !Number.isInteger(value)
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
