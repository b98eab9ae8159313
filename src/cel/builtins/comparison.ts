import { type CelList, type CelMap, type CelValue, isCelList, isCelMap, isCelType, isCelUint } from '@bufbuild/cel'
import { spend, spendText } from '../budget.ts'
import { Failure, noOperation, noOverload } from './failure.ts'
import { type Kind, kindOf } from './kind.ts'
import { findKey } from './map.ts'
import { durationOf, timestampOf } from './time.ts'

/** Below, equal, above: -1, 0, 1, or any numbers of these signs. */
type Compare = (left: CelValue, right: CelValue) => number

const COMPARE: Readonly<Partial<Record<Kind, Compare>>> = {
  int: compareNumbers,
  uint: compareNumbers,
  double: compareNumbers,
  bool: (left, right) => (typeof right === 'boolean' ? Number(left) - Number(right) : refuse()),
  string: (left, right) => (typeof left === 'string' && typeof right === 'string' ? compareText(left, right) : refuse()),
  bytes: (left, right) => (left instanceof Uint8Array && right instanceof Uint8Array ? compareBytes(left, right) : refuse()),
  'google.protobuf.Duration': (left, right) => compareTimes(durationOf(left), durationOf(right)),
  'google.protobuf.Timestamp': (left, right) => compareTimes(timestampOf(left)?.nanoseconds, timestampOf(right)?.nanoseconds),
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
  if (Number.isNaN(a) || Number.isNaN(b)) throw new Failure('NaN values cannot be ordered')
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
  return isCelUint(value) ? value.value : undefined
}

/** By code point, where JavaScript would compare UTF-16 units. */
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

function compareTimes(left: bigint | undefined, right: bigint | undefined): number {
  if (left === undefined || right === undefined) throw noOverload()
  return order(left, right)
}

/** `==` for values of any types (cel-spec, Equality): numbers by value, others only within their type. */
export function equal(left: CelValue, right: CelValue): boolean {
  if (typeof left === 'string') return typeof right === 'string' && equalText(left, right)
  const a = numberOf(left)
  const b = numberOf(right)
  if (a !== undefined && b !== undefined) return !Number.isNaN(a) && !Number.isNaN(b) && order(a, b) === 0
  if (isCelList(left)) return isCelList(right) && equalLists(left, right)
  if (isCelMap(left)) return isCelMap(right) && equalMaps(left, right)
  const kind = kindOf(left)
  if (kind !== kindOf(right)) return false
  if (kind === 'type') return isCelType(left) && isCelType(right) && left.name === right.name
  return kind === 'null_type' || COMPARE[kind]?.(left, right) === 0
}

function equalText(left: string, right: string): boolean {
  if (left.length === right.length) spendText(left.length)
  return left === right
}

function equalLists(left: CelList, right: CelList): boolean {
  if (left.size !== right.size) return false
  spend(left.size)
  for (let i = 0; i < left.size; i++) if (!equal(left.get(i) ?? null, right.get(i) ?? null)) return false
  return true
}

function equalMaps(left: CelMap, right: CelMap): boolean {
  if (left.size !== right.size) return false
  spend(left.size)
  for (const [key, value] of left) {
    const other = findKey(right, key)
    if (other === undefined || !equal(value, other)) return false
  }
  return true
}
