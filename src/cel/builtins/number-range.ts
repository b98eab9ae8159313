import { Uint } from '../value.ts'
import { EvaluationFailure } from './failure.ts'

const MIN_INT = -(2n ** 63n)
const MAX_INT = 2n ** 63n - 1n
const MAX_UINT = 2n ** 64n - 1n

/** An int of 64 bits. Throws Failure for any other number. */
export function checkInt(value: bigint): bigint {
  if (value < MIN_INT || value > MAX_INT) throw new EvaluationFailure('integer overflow')
  return value
}

/** A uint of 64 bits. Throws Failure for any other number. */
export function checkUint(value: bigint): Uint {
  if (value < 0n || value > MAX_UINT) throw new EvaluationFailure('unsigned integer overflow')
  return new Uint(value)
}

/** A double's whole part. As in cel-go, the smallest int is out of range. Throws Failure. */
export function doubleToInt(value: number): bigint {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new EvaluationFailure('integer overflow')
  return BigInt(Math.trunc(value))
}

/** A double's whole part. Throws Failure. */
export function doubleToUint(value: number): Uint {
  if (!(value >= 0 && value < 2 ** 64)) throw new EvaluationFailure('unsigned integer overflow')
  return new Uint(BigInt(Math.trunc(value)))
}
