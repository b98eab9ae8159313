import { spend, spendText } from '../budget.ts'
import {
  type CelValue,
  Duration,
  isCelList,
  isMap,
  type Kind,
  kindOf,
  type ListValue,
  type MapValue,
  OptionalValue,
  Timestamp,
  Uint,
} from '../value.ts'
import { EvaluationFailure, noOperation, noOverload } from './failure.ts'
import { findMapKey } from './map.ts'

/** Below, equal, above: -1, 0, 1, or any numbers of these signs. */
type Compare = (left: CelValue, right: CelValue) => number

const COMPARE: Readonly<Partial<Record<Kind, Compare>>> = {
  int: compareNumbers,
  uint: compareNumbers,
  double: compareNumbers,
  bool: (left, right) => (typeof right === 'boolean' ? Number(left) - Number(right) : refuse()),
  string: (left, right) => (typeof left === 'string' && typeof right === 'string' ? compareText(left, right) : refuse()),
  bytes: (left, right) => (left instanceof Uint8Array && right instanceof Uint8Array ? compareBytes(left, right) : refuse()),
  'google.protobuf.Duration': compareTimes,
  'google.protobuf.Timestamp': compareTimes,
}

/** `<`, `<=`, `>`, `>=` (cel-spec, Ordering; the words of the errors are cel-go's). */
export const ORDER_OPERATORS: ReadonlyMap<string, (left: CelValue, right: CelValue) => boolean> = new Map([
  ['_<_', ordered('_<_', (order) => order < 0)],
  ['_<=_', ordered('_<=_', (order) => order <= 0)],
  ['_>_', ordered('_>_', (order) => order > 0)],
  ['_>=_', ordered('_>=_', (order) => order >= 0)],
])

function ordered(name: string, accept: (order: number) => boolean): (left: CelValue, right: CelValue) => boolean {
  return (left, right) => {
    const compare = COMPARE[kindOf(left)]
    if (compare === undefined) throw noOperation(name, left)
    return accept(compare(left, right))
  }
}

function refuse(): never {
  throw noOverload()
}

function compareNumbers(left: CelValue, right: CelValue): number {
  const a = numberOf(left)
  const b = numberOf(right)
  if (Number.isNaN(a) || Number.isNaN(b)) throw new EvaluationFailure('NaN values cannot be ordered')
  if (a === undefined || b === undefined) throw noOverload()
  return order(a, b)
}

/** As in cel-go, an integer beside a double is rounded to a double. */
function order(left: number | bigint, right: number | bigint): number {
  const [a, b] = typeof left === typeof right ? [left, right] : [Number(left), Number(right)]
  return a < b ? -1 : a > b ? 1 : 0
}

function numberOf(value: CelValue): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value instanceof Uint ? value.value : undefined
}

/** Compares texts by code point, where JavaScript would compare UTF-16 units. */
function compareText(left: string, right: string): number {
  spendText(Math.min(left.length, right.length))
  for (let i = 0; i < left.length && i < right.length; i++) {
    const a = left.charCodeAt(i)
    const b = right.charCodeAt(i)
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1
  }
  return left.length - right.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  spendText(Math.min(left.length, right.length))
  const different = left.findIndex((byte, i) => byte !== right[i])
  if (different === -1 || different >= right.length) return left.length - right.length
  return (left[different] ?? 0) - (right[different] ?? 0)
}

function compareTimes(left: CelValue, right: CelValue): number {
  if (left instanceof Duration && right instanceof Duration) return order(left.nanoseconds, right.nanoseconds)
  if (left instanceof Timestamp && right instanceof Timestamp) return order(left.nanoseconds, right.nanoseconds)
  throw noOverload()
}

/** Returns `left == right` for values of any types (cel-spec, Equality): numbers by value, others only within their type. */
export function equal(left: CelValue, right: CelValue): boolean {
  if (typeof left === 'string') return typeof right === 'string' && equalText(left, right)
  const a = numberOf(left)
  const b = numberOf(right)
  if (a !== undefined && b !== undefined) return !Number.isNaN(a) && !Number.isNaN(b) && order(a, b) === 0
  if (isCelList(left)) return isCelList(right) && equalLists(left, right)
  if (isMap(left)) return isMap(right) && equalMaps(left, right)
  if (left instanceof OptionalValue) return right instanceof OptionalValue && equalOptional(left.value, right.value)
  const kind = kindOf(left)
  return left === right || (kind === kindOf(right) && COMPARE[kind]?.(left, right) === 0)
}

function equalOptional(left: CelValue | undefined, right: CelValue | undefined): boolean {
  return left === undefined || right === undefined ? left === right : equal(left, right)
}

function equalText(left: string, right: string): boolean {
  if (left.length === right.length) spendText(left.length)
  return left === right
}

function equalLists(left: ListValue, right: ListValue): boolean {
  if (left.length !== right.length) return false
  spend(left.length)
  return left.every((element, i) => equal(element, right[i] ?? null))
}

function equalMaps(left: MapValue, right: MapValue): boolean {
  if (left.size !== right.size) return false
  spend(left.size)
  for (const [key, value] of left) {
    const other = findMapKey(right, key)
    if (other === undefined || !equal(value, other)) return false
  }
  return true
}
