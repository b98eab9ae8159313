import { Timestamp } from '../value.ts'
import { NANOSECONDS, wholeSeconds } from './time-arithmetic.ts'

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

/** Go's time.Parse for RFC 3339, undefined for what it refuses. Hours may have one digit, fractions a comma. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = TIMESTAMP.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const [zoneHour = 0, zoneMinute = 0] = match.slice(9, 11).map((digits) => Number(digits ?? 0))
  const date = utcDate(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || day === 0) return undefined
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 24 || zoneMinute > 60) return undefined
  const offset = (zoneHour * 60 + zoneMinute) * 60 * (match[8] === '-' ? -1 : 1)
  const seconds = BigInt(date.getTime() / 1000 + (hour * 60 + minute) * 60 + second - offset)
  return new Timestamp(seconds * NANOSECONDS + BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0')), offset)
}

/** Date.UTC, which takes years below 100 for the twentieth century's. */
function utcDate(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date
}

/** Go's RFC3339Nano in the timestamp's own offset. */
export function formatTimestamp({ nanoseconds, offset }: Timestamp): string {
  const seconds = wholeSeconds(nanoseconds)
  const fraction = String(nanoseconds - seconds * NANOSECONDS)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const local = new Date((Number(seconds) + offset) * 1000)
  const date = [padded(local.getUTCFullYear(), 4), padded(local.getUTCMonth() + 1, 2), padded(local.getUTCDate(), 2)].join('-')
  const clock = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map((part) => padded(part, 2)).join(':')
  return `${date}T${clock}${fraction === '' ? '' : `.${fraction}`}${formatOffset(offset)}`
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z'
  const minutes = Math.abs(offset) / 60
  return `${offset < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}`
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // U+00B5
  μs: 1_000n, // U+03BC
  ms: 1_000_000n,
  s: NANOSECONDS,
  m: 60n * NANOSECONDS,
  h: 3_600n * NANOSECONDS,
}
const DURATION = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|[\u00b5\u03bc]s|ms|s|m|h))+|0)$/
const PART = /(\d*)\.?(\d*)(ns|us|[\u00b5\u03bc]s|ms|s|m|h)/g
const LIMIT = 2n ** 63n

/** Go's time.ParseDuration in nanoseconds, undefined for what it refuses. */
export function parseDuration(text: string): bigint | undefined {
  const [, sign, parts = ''] = DURATION.exec(text) ?? []
  if (sign === undefined) return undefined
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of parts.matchAll(PART)) {
    total += BigInt(whole) * (UNITS[unit] ?? 1n) + fractionOf(fraction, UNITS[unit] ?? 1n)
  }
  if (total > LIMIT || (total === LIMIT && sign !== '-')) return undefined
  return sign === '-' ? -total : total
}

/** As in Go: digits that do not fit into 63 bits are dropped, the rest is a product of doubles. */
function fractionOf(digits: string, unit: bigint): bigint {
  let kept = digits.slice(0, 19)
  while (BigInt(kept) > LIMIT) kept = kept.slice(0, -1)
  return BigInt(Math.trunc(Number(BigInt(kept)) * (Number(unit) / 10 ** kept.length)))
}

/** Seconds as Go writes a double without exponent, and an `s`. */
export function formatDuration(nanoseconds: bigint): string {
  const seconds = Number(nanoseconds / NANOSECONDS) + Number(nanoseconds % NANOSECONDS) / 1e9
  const small = Math.abs(seconds) < 1e-6 && seconds !== 0
  return `${small ? seconds.toFixed(9).replace(/0+$/, '') : String(seconds)}s`
}
