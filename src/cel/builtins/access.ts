import { spend, spendText } from '../budget.ts'
import { countCodePoints } from '../expression-position.ts'
import { type CelValue, isCelList, isMap, type Kind, kindOf, type ListValue, OptionalValue, Uint } from '../value.ts'
import { equal } from './comparison.ts'
import { EvaluationFailure, noOperation, noOverload } from './failure.ts'
import { findMapKey } from './map.ts'
import { formatDouble } from './numbers.ts'

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
  optional_type: '*types.Optional',
  string: 'types.String',
  type: '*types.Type',
  uint: 'types.Uint',
}

const KEYS: ReadonlySet<Kind> = new Set<Kind>(['bool', 'double', 'int', 'string', 'uint'])

/** Returns `container[key]`. Throws EvaluationFailure for an invalid key or a missing member. */
export function index(container: CelValue, key: CelValue): CelValue {
  checkKey(key)
  return member(container, key)
}

/** Throws EvaluationFailure if a value's kind cannot be a key between brackets. */
export function checkKey(key: CelValue): void {
  const kind = kindOf(key)
  if (!KEYS.has(kind)) throw new EvaluationFailure(`invalid qualifier type: ${GO_TYPES[kind]}`)
}

/** Returns `container[key]`; for `container.field` the key is the field's name. Throws EvaluationFailure if there is no such member. */
export function member(container: CelValue, key: CelValue): CelValue {
  if (container instanceof OptionalValue) return optionalMember(container, key)
  if (isCelList(container)) return elementAt(container, key)
  const map = isMap(container) ? container : undefined
  const value = map && findMapKey(map, key)
  if (value !== undefined) return value
  const name = formatKey(key)
  throw new EvaluationFailure(`no such key: ${name}`, map && { key: name, map })
}

/** Returns `container[?key]` for a key of any kind. */
export function optionalIndex(container: CelValue, key: CelValue): CelValue {
  checkKey(key)
  return optionalMember(container, key)
}

/** Returns `container.?key`: the optional value of a member. What is no map or list has no members. */
export function optionalMember(container: CelValue, key: CelValue): OptionalValue {
  if (container instanceof OptionalValue) return container.value === undefined ? container : optionalMember(container.value, key)
  if (isMap(container)) return new OptionalValue(findMapKey(container, key))
  return new OptionalValue(isCelList(container) ? container[Number(positionOf(key))] : undefined)
}

function elementAt(list: ListValue, key: CelValue): CelValue {
  const element = list[Number(positionOf(key))]
  if (element === undefined) throw new EvaluationFailure(`index out of bounds: ${formatKey(key)}`)
  return element
}

function positionOf(key: CelValue): bigint {
  if (typeof key === 'bigint') return key
  if (key instanceof Uint && key.value < 2n ** 63n) return key.value
  if (typeof key === 'number' && Number.isInteger(key) && Math.abs(key) < 2 ** 63) return BigInt(key)
  if (typeof key === 'number' || key instanceof Uint) throw new EvaluationFailure(`unsupported index value ${formatKey(key)} in list`)
  throw new EvaluationFailure(`unsupported index type '${kindOf(key)}' in list`)
}

/** Returns a key as messages show it: as Go prints it with `%v`. */
export function formatKey(key: CelValue): string {
  if (typeof key === 'number') return formatDouble(key)
  return key instanceof Uint ? String(key.value) : String(key)
}

/** Returns `has(container.field)`: false, not an error, if the container has no fields. */
export function has(container: CelValue, field: CelValue): boolean {
  if (container instanceof OptionalValue) return container.value !== undefined && has(container.value, field)
  if (isMap(container)) return findMapKey(container, field) !== undefined
  if (isCelList(container)) positionOf(field)
  return false
}

/** Returns `value in container`: an element of a list, a key of a map. Throws EvaluationFailure for other containers. */
export function isIn(value: CelValue, container: CelValue): boolean {
  if (isMap(container)) return findMapKey(container, value) !== undefined
  if (!isCelList(container)) throw noOverload()
  return container.some((element) => {
    spend(1)
    return equal(value, element)
  })
}

/** Returns `size(value)`: characters in code points, bytes, elements, keys. */
export function sizeOfValue(value: CelValue): bigint {
  if (isMap(value)) return BigInt(value.size)
  if (isCelList(value) || value instanceof Uint8Array) return BigInt(value.length)
  if (typeof value !== 'string') throw noOperation('size', value)
  spendText(value.length)
  return BigInt(countCodePoints(value))
}

/**
 * Returns the values that a comprehension loops over: the elements of a list, the keys of a map in their order. Throws EvaluationFailure
 * for any other value.
 *
 * @param hasSecond  true for a comprehension with two variables, whose failure has other words
 */
export function rangeOf(value: CelValue, hasSecond: boolean): Iterable<CelValue> {
  if (isCelList(value)) return value
  if (isMap(value)) return value.keys()
  const type = GO_TYPES[kindOf(value)]
  throw new EvaluationFailure(hasSecond ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`)
}
