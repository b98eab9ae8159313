import { spend, spendText } from '../budget.ts'
import { countCodePoints } from '../place.ts'
import { isList, isMap, type Kind, kindOf, type ListValue, Uint, type Value } from '../value.ts'
import { equal } from './comparison.ts'
import { Failure, noOperation, noOverload } from './failure.ts'
import { findKey } from './map.ts'
import { formatDouble } from './number-text.ts'

/** cel-go's names of the kinds in Go, which two of its messages show. */
const GO_TYPES: Readonly<Record<Kind, string>> = {
  bool: 'types.Bool',
  bytes: 'types.Bytes',
  double: 'types.Double',
  'google.protobuf.Duration': 'types.Duration',
  'google.protobuf.Timestamp': 'types.Timestamp',
  int: 'types.Int',
  list: '*types.baseList',
  map: '*types.baseMap',
  null_type: 'types.Null',
  string: 'types.String',
  type: '*types.Type',
  uint: 'types.Uint',
}
const KEYS: ReadonlySet<Kind> = new Set<Kind>(['bool', 'double', 'int', 'string', 'uint'])

/** `container[key]`. */
export function index(container: Value, key: Value): Value {
  checkKey(key)
  return member(container, key)
}

/** What can stand between brackets. Throws Failure. */
export function checkKey(key: Value): void {
  const kind = kindOf(key)
  if (!KEYS.has(kind)) throw new Failure(`invalid qualifier type: ${GO_TYPES[kind]}`)
}

/** `container.field`, with the field's name as key, and `container[key]` with a key that can be one. */
export function member(container: Value, key: Value): Value {
  if (isList(container)) return elementAt(container, key)
  const map = isMap(container) ? container : undefined
  const value = map && findKey(map, key)
  if (value !== undefined) return value
  const name = formatKey(key)
  throw new Failure(`no such key: ${name}`, map && { key: name, map })
}

function elementAt(list: ListValue, key: Value): Value {
  const element = list[Number(positionOf(key))]
  if (element === undefined) throw new Failure(`index out of bounds: ${formatKey(key)}`)
  return element
}

function positionOf(key: Value): bigint {
  if (typeof key === 'bigint') return key
  if (key instanceof Uint && key.value < 2n ** 63n) return key.value
  if (typeof key === 'number' && Number.isInteger(key) && Math.abs(key) < 2 ** 63) return BigInt(key)
  if (typeof key === 'number' || key instanceof Uint) throw new Failure(`unsupported index value ${formatKey(key)} in list`)
  throw new Failure(`unsupported index type '${kindOf(key)}' in list`)
}

function formatKey(key: Value): string {
  if (typeof key === 'number') return formatDouble(key)
  return key instanceof Uint ? String(key.value) : String(key)
}

/** `has(container.field)`: false, not an error, where there are no fields at all. */
export function has(container: Value, field: Value): boolean {
  if (isMap(container)) return findKey(container, field) !== undefined
  if (isList(container)) positionOf(field)
  return false
}

/** `value in container`: an element of a list, a key of a map. */
export function isIn(value: Value, container: Value): boolean {
  if (isMap(container)) return findKey(container, value) !== undefined
  if (!isList(container)) throw noOverload()
  return container.some((element) => {
    spend(1)
    return equal(value, element)
  })
}

/** `size(value)`: characters in code points, bytes, elements, keys. */
export function sizeOf(value: Value): bigint {
  if (isMap(value)) return BigInt(value.size)
  if (isList(value) || value instanceof Uint8Array) return BigInt(value.length)
  if (typeof value !== 'string') throw noOperation('size', value)
  spendText(value.length)
  return BigInt(countCodePoints(value))
}

/** What a comprehension goes through: the elements of a list, the keys of a map in their order. */
export function rangeOf(value: Value): Iterable<Value> {
  if (isList(value)) return value
  if (isMap(value)) return value.keys()
  throw new Failure(`got '${GO_TYPES[kindOf(value)]}', expected iterable type`)
}
