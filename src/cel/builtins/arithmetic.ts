import { Duration, type Kind, kindOf, Uint, type Value } from '../value.ts'
import { concatBytes, concatLists, concatText } from './concatenation.ts'
import { Failure, noOperation, noOverload } from './failure.ts'
import { checkInt, checkUint } from './number-range.ts'
import { addToDuration, addToTimestamp, newDuration, subtractFromDuration, subtractFromTimestamp } from './time-arithmetic.ts'

type Binary = (left: Value, right: Value) => Value
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

/** `-x`. */
export function negate(value: Value): Value {
  if (typeof value === 'bigint') return checkInt(-value)
  if (typeof value === 'number') return -value
  if (typeof value === 'boolean') throw noOverload()
  if (!(value instanceof Duration)) throw noOperation('-_', value)
  return newDuration(-value.nanoseconds)
}

/** `!x`. */
export function not(value: Value): Value {
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

/** The quotient must be an int too: cel-go refuses the smallest int modulo -1. */
function moduloInt(left: bigint, right: bigint): bigint {
  checkInt(left / nonZero(right, 'modulus by zero'))
  return left % right
}

function nonZero(divisor: bigint, message: string): bigint {
  if (divisor === 0n) throw new Failure(message)
  return divisor
}
