import { type JsonValue, newRecord } from '../json.ts'
import { spend, spendText } from './budget.ts'
import { formatDouble } from './builtins/numbers.ts'
import { formatDuration, formatTimestamp } from './builtins/time.ts'
import { type CelValue, Duration, isCelList, isMap, type MapValue, Timestamp, TypeValue, Uint } from './value.ts'

/** A list or map may be in the value many times over. */
const WORK_OF_CONTAINER = 10

/**
 * Returns a value as JSON has it: times, types and what is no number of JSON as text, bytes in base64, keys of maps as text.
 *
 * @throws LimitExceeded where it is too large
 */
export function jsonOf(value: CelValue): JsonValue {
  spend(1)
  if (typeof value === 'string') spendText(value.length)
  if (typeof value === 'number') return Number.isFinite(value) ? value : formatDouble(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint) return value.value
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value.nanoseconds)
  if (value instanceof TypeValue) return value.name
  if (value instanceof Uint8Array) return base64Of(value)
  spend(WORK_OF_CONTAINER)
  return isMap(value) ? recordOf(value) : isCelList(value) ? value.map(jsonOf) : null
}

function recordOf(map: MapValue): JsonValue {
  const record = newRecord()
  for (const [key, value] of map) record[String(jsonOf(key))] = jsonOf(value)
  return record
}

function base64Of(bytes: Uint8Array): string {
  spendText(bytes.length)
  let binary = ''
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS) binary += String.fromCharCode(...bytes.subarray(at, at + MOST_ARGUMENTS))
  return btoa(binary)
}

/** A call with many more arguments would not fit on the stack. */
const MOST_ARGUMENTS = 4096
