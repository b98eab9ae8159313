import { spend } from '../budget.ts'
import { type CelValue, Duration, Timestamp } from '../value.ts'
import { EvaluationFailure, noOverload } from './failure.ts'
import { checkInt } from './number-range.ts'

export const NANOSECONDS = 1_000_000_000n

/** The years 1 to 9999 (cel-spec, Timestamps), in seconds since 1970. */
const FIRST_SECOND = -62_135_596_800n
const LAST_SECOND = 253_402_300_799n

/** A time takes the time and memory of some other values. */
const WORK_OF_TIME = 20

/** A timestamp within the years that CEL knows. Throws Failure. */
export function newTimestamp(nanoseconds: bigint, offset: number): Timestamp {
  spend(WORK_OF_TIME)
  const second = wholeSeconds(nanoseconds)
  if (second < FIRST_SECOND || second > LAST_SECOND) throw new EvaluationFailure('timestamp overflow')
  return new Timestamp(nanoseconds, offset)
}

/** A duration within 64 bits of nanoseconds. Throws Failure. */
export function newDuration(nanoseconds: bigint): Duration {
  spend(WORK_OF_TIME)
  return new Duration(checkInt(nanoseconds))
}

/** Seconds rounded down, also before 1970. */
export function wholeSeconds(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / NANOSECONDS
  return nanoseconds < 0n && seconds * NANOSECONDS !== nanoseconds ? seconds - 1n : seconds
}

export function addToTimestamp(left: CelValue, right: CelValue): Timestamp {
  if (!(left instanceof Timestamp && right instanceof Duration)) throw noOverload()
  return shift(left, right.nanoseconds)
}

export function addToDuration(left: CelValue, right: CelValue): Duration | Timestamp {
  if (left instanceof Duration && right instanceof Timestamp) return shift(right, left.nanoseconds)
  if (!(left instanceof Duration && right instanceof Duration)) throw noOverload()
  return newDuration(left.nanoseconds + right.nanoseconds)
}

export function subtractFromTimestamp(left: CelValue, right: CelValue): Duration | Timestamp {
  if (left instanceof Timestamp && right instanceof Duration) return shift(left, checkInt(-right.nanoseconds))
  if (!(left instanceof Timestamp && right instanceof Timestamp)) throw noOverload()
  return newDuration(left.nanoseconds - right.nanoseconds)
}

export function subtractFromDuration(left: CelValue, right: CelValue): Duration {
  if (!(left instanceof Duration && right instanceof Duration)) throw noOverload()
  return newDuration(left.nanoseconds - right.nanoseconds)
}

function shift({ nanoseconds, offset }: Timestamp, by: bigint): Timestamp {
  return newTimestamp(nanoseconds + by, offset)
}
