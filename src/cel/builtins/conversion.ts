import { checkLength, spend, spendText } from '../budget.ts'
import { type CelValue, Duration, kindOf, Timestamp, typeValue, Uint } from '../value.ts'
import { EvaluationFailure, noSignature } from './failure.ts'
import { checkInt, checkUint, doubleToInt, doubleToUint, formatDouble, parseDouble, parseInteger } from './numbers.ts'
import {
  formatDuration,
  formatTimestamp,
  NANOSECONDS,
  newDuration,
  newTimestamp,
  parseDuration,
  parseTimestamp,
  wholeSeconds,
} from './time.ts'

/** The functions that convert to a type (cel-spec, Standard Definitions; formats and words of the errors are Go's). */
export const CONVERSIONS: ReadonlyMap<string, (value: CelValue) => CelValue> = new Map<string, (value: CelValue) => CelValue>([
  ['bool', toBool],
  ['bytes', toBytes],
  ['double', toDouble],
  ['duration', toDuration],
  ['dyn', (value) => value],
  ['int', toInt],
  ['string', toText],
  ['timestamp', toTimestamp],
  ['type', (value) => typeValue(kindOf(value))],
  ['uint', toUint],
])

/** A byte array takes some hundred bytes beside its content. */
const WORK_OF_BYTES = 10

const BOOLS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text): [string, boolean] => [text, true]),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text): [string, boolean] => [text, false]),
])

function toBool(value: CelValue): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return BOOLS.get(value) ?? fail('string', 'bool')
  throw noSignature('bool', [value])
}

function toBytes(value: CelValue): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (typeof value !== 'string') throw noSignature('bytes', [value])
  spend(WORK_OF_BYTES + value.length)
  const bytes = new TextEncoder().encode(value)
  checkLength(bytes.length)
  return bytes
}

function toDouble(value: CelValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint) return Number(value.value)
  if (typeof value !== 'string') throw noSignature('double', [value])
  spendText(value.length)
  return parseDouble(value) ?? fail('string', 'double')
}

function toInt(value: CelValue): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return doubleToInt(value)
  if (value instanceof Uint) return checkInt(value.value)
  if (typeof value === 'string') return integerOf(value, 'int', -(2n ** 63n), 2n ** 63n)
  if (value instanceof Timestamp) return wholeSeconds(value.nanoseconds)
  if (value instanceof Duration) return value.nanoseconds
  throw noSignature('int', [value])
}

function toUint(value: CelValue): Uint {
  if (value instanceof Uint) return value
  if (typeof value === 'number') return doubleToUint(value)
  if (typeof value === 'bigint') return checkUint(value)
  if (typeof value !== 'string') throw noSignature('uint', [value])
  return checkUint(/^[+-]/.test(value) ? fail('string', 'uint') : integerOf(value, 'uint', 0n, 2n ** 64n))
}

/** Digits are converted only where they can be a number of 64 bits: BigInt takes long for long texts. */
function integerOf(text: string, type: string, min: bigint, end: bigint): bigint {
  spendText(text.length)
  const value = text.replace(/^([+-]?)0+(?=\d)/, '$1').length <= 21 ? parseInteger(text) : undefined
  return value !== undefined && value >= min && value < end ? value : fail('string', type)
}

function toText(value: CelValue): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return formatDouble(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Uint8Array) return decode(value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value.nanoseconds)
  throw noSignature('string', [value])
}

function decode(bytes: Uint8Array): string {
  spend(WORK_OF_BYTES + bytes.length)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new EvaluationFailure('invalid UTF-8 in bytes, cannot convert to string')
  }
}

function toDuration(value: CelValue): CelValue {
  if (value instanceof Duration) return value
  if (typeof value === 'bigint') return fail('int', 'google.protobuf.Duration')
  if (typeof value !== 'string') throw noSignature('duration', [value])
  spendText(value.length)
  return newDuration(parseDuration(value) ?? fail('string', 'google.protobuf.Duration'))
}

function toTimestamp(value: CelValue): CelValue {
  if (value instanceof Timestamp) return value
  if (typeof value === 'bigint') return newTimestamp(value * NANOSECONDS, 0)
  if (typeof value !== 'string') throw noSignature('timestamp', [value])
  const { nanoseconds, offset } = parseTimestamp(value) ?? fail('string', 'google.protobuf.Timestamp')
  return newTimestamp(nanoseconds, offset)
}

function fail(from: string, to: string): never {
  throw new EvaluationFailure(`type conversion error from '${from}' to '${to}'`)
}
