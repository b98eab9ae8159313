import { BOOL, BYTES, DOUBLE, DYN, INT, listOf, mapOf, NULL, STRING, type Type, UINT } from '../../../src/cel/check/types.ts'
import { type CelValue, isCelList, isKind, isMap, kindOf, type MapValue, TypeValue, typeValue, Uint } from '../../../src/cel/value.ts'
import { isRecord, type JsonValue } from '../../../src/json.ts'
import { fieldOf } from './spec-test.ts'

// The JSON form of cel.expr.Value and cel.expr.Type, as far as it is not of protobuf messages.

const PRIMITIVES: Readonly<Record<string, Type>> = { BOOL, BYTES, DOUBLE, INT64: INT, STRING, UINT64: UINT }

/** Throws for a type of messages or of an extension. */
export function readType(written: JsonValue | undefined): Type {
  const [kind = '', type] = onlyField(written)
  if (kind === 'dyn') return DYN
  if (kind === 'null') return NULL
  if (kind === 'listType') return listOf(readType(fieldOf(type, 'elemType')))
  if (kind === 'mapType') return mapOf(readType(fieldOf(type, 'keyType')), readType(fieldOf(type, 'valueType')))
  const primitive = kind === 'primitive' && typeof type === 'string' ? PRIMITIVES[type] : undefined
  if (primitive === undefined) throw new Error(`no type of the standard library: ${JSON.stringify(written)}`)
  return primitive
}

/** Throws for a message. */
export function readValue(written: JsonValue | undefined): CelValue {
  const [kind, value] = onlyField(written)
  switch (kind) {
    case 'int64Value':
      return BigInt(String(value))
    case 'uint64Value':
      return new Uint(BigInt(String(value)))
    case 'doubleValue':
      return Number(value)
    case 'bytesValue':
      return new Uint8Array(Buffer.from(String(value), 'base64'))
    case 'listValue':
      return itemsOf(value, 'values').map(readValue)
    case 'mapValue':
      return new Map(itemsOf(value, 'entries').map((entry) => [readValue(fieldOf(entry, 'key')), readValue(fieldOf(entry, 'value'))]))
    case 'typeValue':
      return readTypeName(String(value))
    case 'boolValue':
    case 'nullValue':
    case 'stringValue':
      if (typeof value === 'boolean' || typeof value === 'string' || value === null) return value
  }
  throw new Error(`no value of the standard library: ${JSON.stringify(written)}`)
}

function readTypeName(name: string): CelValue {
  if (!isKind(name)) throw new Error(`no type of the standard library: ${name}`)
  return typeValue(name)
}

function onlyField(written: JsonValue | undefined): readonly [kind?: string, value?: JsonValue] {
  return isRecord(written) ? (Object.entries(written)[0] ?? []) : []
}

function itemsOf(written: JsonValue | undefined, name: string): readonly JsonValue[] {
  const items = fieldOf(written, name)
  return Array.isArray(items) ? items : []
}

/** A value with its types, the same for equal values and for no others. */
export function printValue(value: CelValue): string {
  if (isCelList(value)) return `[${value.map(printValue).join(', ')}]`
  if (isMap(value)) return `{${printEntries(value).sort().join(', ')}}`
  return `${kindOf(value)} ${printScalar(value)}`
}

function printEntries(map: MapValue): string[] {
  return Array.from(map, ([key, value]) => `${printValue(key)}: ${printValue(value)}`)
}

function printScalar(value: CelValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Object.is(value, -0)) return '-0'
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof TypeValue) return value.name
  return value instanceof Uint ? String(value.value) : String(value)
}
