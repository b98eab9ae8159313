import { checkLength, spend, spendText } from '../budget.ts'
import { type CelValue, Duration, isCelList, joinBytes, type Kind, kindOf, type ListValue, Uint } from '../value.ts'
import { EvaluationFailure, noOperation, noOverload } from './failure.ts'
import { checkInt, checkUint } from './numbers.ts'
import { addToDuration, addToTimestamp, newDuration, subtractFromDuration, subtractFromTimestamp } from './time.ts'

type Binary = (left: CelValue, right: CelValue) => CelValue
type ByKind<F> = Readonly<Partial<Record<Kind, F>>>

const ADD: ByKind<Binary> = {
  int: ints((a, b) => a + b),
  uint: uints((a, b) => a + b),
  double: doubles((a, b) => a + b),
  string: concatText,
  bytes: concatBytes,
  list: concatLists,
  'google.protobuf.Duration': addToDuration,
  'google.protobuf.Timestamp': addToTimestamp,
}

const SUBTRACT: ByKind<Binary> = {
  int: ints((a, b) => a - b),
  uint: uints((a, b) => a - b),
  double: doubles((a, b) => a - b),
  'google.protobuf.Duration': subtractFromDuration,
  'google.protobuf.Timestamp': subtractFromTimestamp,
}

const MULTIPLY: ByKind<Binary> = {
  int: ints((a, b) => a * b),
  uint: uints((a, b) => a * b),
  double: doubles((a, b) => a * b),
}

const DIVIDE: ByKind<Binary> = {
  int: ints((a, b) => a / nonZero(b, 'division by zero')),
  uint: uints((a, b) => a / nonZero(b, 'division by zero')),
  double: doubles((a, b) => a / b),
}

const MODULO: ByKind<Binary> = {
  int: ints(moduloInt),
  uint: uints((a, b) => a % nonZero(b, 'modulus by zero')),
}

/** The arithmetic operators on two values (cel-spec, Overflow; the words are cel-go's). */
export const BINARY_OPERATORS: ReadonlyMap<string, Binary> = new Map([
  ['_+_', byLeftKind('_+_', ADD)],
  ['_-_', byLeftKind('_-_', SUBTRACT)],
  ['_*_', byLeftKind('_*_', MULTIPLY)],
  ['_/_', byLeftKind('_/_', DIVIDE)],
  ['_%_', byLeftKind('_%_', MODULO)],
])

/** Returns `-x`. */
export function negate(value: CelValue): CelValue {
  if (typeof value === 'bigint') return checkInt(-value)
  if (typeof value === 'number') return -value
  if (typeof value === 'boolean') throw noOverload()
  if (!(value instanceof Duration)) throw noOperation('-_', value)
  return newDuration(-value.nanoseconds)
}

/** Returns `!x`. */
export function not(value: CelValue): CelValue {
  if (typeof value !== 'boolean') throw noOverload()
  return !value
}

function byLeftKind(name: string, operations: ByKind<Binary>): Binary {
  return (left, right) => {
    const operation = operations[kindOf(left)]
    if (operation === undefined) throw noOperation(name, left)
    return operation(left, right)
  }
}

function ints(operation: (left: bigint, right: bigint) => bigint): Binary {
  return (left, right) => {
    if (typeof left !== 'bigint' || typeof right !== 'bigint') throw noOverload()
    return checkInt(operation(left, right))
  }
}

function uints(operation: (left: bigint, right: bigint) => bigint): Binary {
  return (left, right) => {
    if (!(left instanceof Uint && right instanceof Uint)) throw noOverload()
    return checkUint(operation(left.value, right.value))
  }
}

function doubles(operation: (left: number, right: number) => number): Binary {
  return (left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') throw noOverload()
    return operation(left, right)
  }
}

/** Returns `left % right`. The quotient must be an int too: cel-go refuses the smallest int modulo -1. */
function moduloInt(left: bigint, right: bigint): bigint {
  checkInt(left / nonZero(right, 'modulus by zero'))
  return left % right
}

function nonZero(divisor: bigint, message: string): bigint {
  if (divisor === 0n) throw new EvaluationFailure(message)
  return divisor
}

function concatText(left: CelValue, right: CelValue): string {
  if (typeof left !== 'string' || typeof right !== 'string') throw noOverload()
  checkLength(left.length + right.length)
  return left + right
}

function concatBytes(left: CelValue, right: CelValue): Uint8Array {
  if (!(left instanceof Uint8Array) || !(right instanceof Uint8Array)) throw noOverload()
  checkLength(left.length + right.length)
  spendText(left.length + right.length)
  return joinBytes([left, right])
}

function concatLists(left: CelValue, right: CelValue): ListValue {
  if (!isCelList(left) || !isCelList(right)) throw noOverload()
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left
  spend(left.length + right.length)
  return [...left, ...right]
}
