import type { CelValue } from '@bufbuild/cel'
import { Failure, noOverload } from './failure.ts'
import { checkInt } from './number-range.ts'
import { durationOf, durationValue, type Timestamp, timestampOf, timestampValue } from './time.ts'

export const NANOSECONDS = 1_000_000_000n

/** The years 1 to 9999 (cel-spec, Timestamps), in seconds since 1970. */
const FIRST_SECOND = -62_135_596_800n
const LAST_SECOND = 253_402_300_799n

/** A timestamp within the years that CEL knows. Throws Failure. */
export function checkTimestamp(timestamp: Timestamp): Timestamp {
  const second = wholeSeconds(timestamp.nanoseconds)
  if (second < FIRST_SECOND || second > LAST_SECOND) throw new Failure('timestamp overflow')
  return timestamp
}

/** Seconds rounded down, also before 1970. */
export function wholeSeconds(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / NANOSECONDS
  return nanoseconds < 0n && seconds * NANOSECONDS !== nanoseconds ? seconds - 1n : seconds
}

export function addToTimestamp(left: CelValue, right: CelValue): CelValue {
  const timestamp = timestampOf(left)
  const duration = durationOf(right)
  if (timestamp === undefined || duration === undefined) throw noOverload()
  return shift(timestamp, duration)
}

export function addToDuration(left: CelValue, right: CelValue): CelValue {
  const duration = durationOf(left)
  const timestamp = timestampOf(right)
  const other = durationOf(right)
  if (duration !== undefined && timestamp !== undefined) return shift(timestamp, duration)
  if (duration === undefined || other === undefined) throw noOverload()
  return durationValue(checkInt(duration + other))
}

export function subtractFromTimestamp(left: CelValue, right: CelValue): CelValue {
  const timestamp = timestampOf(left)
  const other = timestampOf(right)
  const duration = durationOf(right)
  if (timestamp !== undefined && duration !== undefined) return shift(timestamp, checkInt(-duration))
  if (timestamp === undefined || other === undefined) throw noOverload()
  return durationValue(checkInt(timestamp.nanoseconds - other.nanoseconds))
}

export function subtractFromDuration(left: CelValue, right: CelValue): CelValue {
  const duration = durationOf(left)
  const other = durationOf(right)
  if (duration === undefined || other === undefined) throw noOverload()
  return durationValue(checkInt(duration - other))
}

function shift({ nanoseconds, offset }: Timestamp, by: bigint): CelValue {
  return timestampValue(checkTimestamp({ nanoseconds: nanoseconds + by, offset }))
}
