import { type CelObjectType, type CelValue, objectType } from '@bufbuild/cel'
import { spend } from '../budget.ts'

/** A point in time, with the UTC offset that it was written with: `string()` prints it. */
export interface Timestamp {
  /** Since 1970. */
  readonly nanoseconds: bigint
  /** Seconds east of UTC. */
  readonly offset: number
}

// The engine's own times cannot hold an offset. It takes objects for types as values, so these carry ours.
const TIMESTAMP = Symbol('timestamp')
const DURATION = Symbol('duration')
const CARRIER = objectType('time')
type TimestampCarrier = CelObjectType & { readonly [TIMESTAMP]: Timestamp }
type DurationCarrier = CelObjectType & { readonly [DURATION]: bigint }

/** A carrier takes the time and memory of some other values. */
const WORK_OF_CARRIER = 20

/** The engine's value for a timestamp. */
export function timestampValue(timestamp: Timestamp): TimestampCarrier {
  spend(WORK_OF_CARRIER)
  return { ...CARRIER, [TIMESTAMP]: timestamp }
}

/** The engine's value for a duration in nanoseconds. */
export function durationValue(nanoseconds: bigint): DurationCarrier {
  spend(WORK_OF_CARRIER)
  return { ...CARRIER, [DURATION]: nanoseconds }
}

export function timestampOf(value: CelValue): Timestamp | undefined {
  return carriesTimestamp(value) ? value[TIMESTAMP] : undefined
}

/** The nanoseconds of a duration. */
export function durationOf(value: CelValue): bigint | undefined {
  return carriesDuration(value) ? value[DURATION] : undefined
}

function carriesTimestamp(value: CelValue): value is TimestampCarrier {
  return typeof value === 'object' && value !== null && TIMESTAMP in value
}

function carriesDuration(value: CelValue): value is DurationCarrier {
  return typeof value === 'object' && value !== null && DURATION in value
}
