import { type CelList, type CelValue, celList, isCelList, isCelMap, isCelUint } from '@bufbuild/cel'
import { spend, spendText } from '../budget.ts'
import { countCodePoints } from '../place.ts'
import { equal } from './comparison.ts'
import { Failure, noKey, noOperation, noOverload } from './failure.ts'
import { type Kind, kindOf } from './kind.ts'
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

/** `container[key]`, and `container.field` with the field's name as key. */
export function index(container: CelValue, key: CelValue): CelValue {
  checkKey(key)
  if (isCelList(container)) return elementAt(container, key)
  const value = isCelMap(container) ? findKey(container, key) : undefined
  if (value !== undefined) return value
  throw isCelMap(container) ? noKey(formatKey(key), container) : new Failure(`no such key: ${formatKey(key)}`)
}

/** What can stand between brackets. Throws Failure. */
export function checkKey(key: CelValue): void {
  const kind = kindOf(key)
  if (!KEYS.has(kind)) throw new Failure(`invalid qualifier type: ${GO_TYPES[kind]}`)
}

function elementAt(list: CelList, key: CelValue): CelValue {
  const position = positionOf(key)
  const element = position >= 0n && position < list.size ? list.get(Number(position)) : undefined
  if (element === undefined) throw new Failure(`index out of bounds: ${formatKey(key)}`)
  return element
}

function positionOf(key: CelValue): bigint {
  if (typeof key === 'bigint') return key
  if (isCelUint(key) && key.value < 2n ** 63n) return key.value
  if (typeof key === 'number' && Number.isInteger(key) && Math.abs(key) < 2 ** 63) return BigInt(key)
  if (typeof key === 'number' || isCelUint(key)) throw new Failure(`unsupported index value ${formatKey(key)} in list`)
  throw new Failure(`unsupported index type '${kindOf(key)}' in list`)
}

function formatKey(key: CelValue): string {
  if (typeof key === 'number') return formatDouble(key)
  return isCelUint(key) ? String(key.value) : String(key)
}

/** `has(container.field)`: false, not an error, where there are no fields at all. */
export function has(container: CelValue, field: CelValue): boolean {
  if (isCelMap(container)) return findKey(container, field) !== undefined
  if (isCelList(container)) positionOf(field)
  return false
}

/** `value in container`: an element of a list, a key of a map. */
export function isIn(value: CelValue, container: CelValue): boolean {
  if (isCelMap(container)) return findKey(container, value) !== undefined
  if (!isCelList(container)) throw noOverload()
  for (let i = 0; i < container.size; i++) {
    spend(1)
    if (equal(value, container.get(i) ?? null)) return true
  }
  return false
}

/** `size(value)`: characters in code points, bytes, elements, keys. */
export function sizeOf(value: CelValue): bigint {
  if (isCelList(value) || isCelMap(value)) return BigInt(value.size)
  if (value instanceof Uint8Array) return BigInt(value.length)
  if (typeof value !== 'string') throw noOperation('size', value)
  spendText(value.length)
  return BigInt(countCodePoints(value))
}

/** What a comprehension goes through: the elements of a list, the keys of a map in their order. */
export function rangeOf(value: CelValue): CelList {
  if (isCelList(value)) return value
  if (isCelMap(value)) return celList([...value.keys()])
  throw new Failure(`got '${GO_TYPES[kindOf(value)]}', expected iterable type`)
}
