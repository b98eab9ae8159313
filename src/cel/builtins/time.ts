import { remember } from '../../remember.ts'
import { spend } from '../budget.ts'
import { type CelValue, Duration, Timestamp } from '../value.ts'
import { EvaluationFailure, noOverload, noSignature } from './failure.ts'
import { checkInt, parseWholeNumber } from './numbers.ts'
export const NANOSECONDS = 1_000_000_000n

/** The years 1 to 9999 (cel-spec, Timestamps), in seconds since 1970. */
const FIRST_SECOND = -62_135_596_800n
const LAST_SECOND = 253_402_300_799n

/** A time takes the time and memory of some other values. */
const WORK_OF_TIME = 20

/** Returns a timestamp within the years that CEL knows. Throws EvaluationFailure. */
export function newTimestamp(nanoseconds: bigint, offset: number): Timestamp {
  spend(WORK_OF_TIME)
  const second = wholeSeconds(nanoseconds)
  if (second < FIRST_SECOND || second > LAST_SECOND) throw new EvaluationFailure('timestamp overflow')
  return new Timestamp(nanoseconds, offset)
}

/** Returns a duration within 64 bits of nanoseconds. Throws EvaluationFailure. */
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

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

/**
 * Returns a timestamp as Go's time.Parse reads RFC 3339; undefined for a text that Parse refuses. Hours may have one digit, fractions a
 * comma.
 */
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

/** Returns a date as Date.UTC does, which would take years below 100 for the twentieth century's. */
function utcDate(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date
}

/** Returns a timestamp in Go's RFC3339Nano, in the offset of the timestamp. */
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

/** Returns a duration in nanoseconds as Go's time.ParseDuration reads it; undefined for a text that ParseDuration refuses. */
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

/** A field of a date whose UTC fields show the local time. */
type Field = (local: Date) => number

const CALENDAR: Readonly<Record<string, Field>> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDayOfYear: dayOfYear,
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDate: (local) => local.getUTCDate(),
  getDayOfWeek: (local) => local.getUTCDay(),
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
}

/** Nanoseconds of the unit that a duration is converted to. */
const CONVERTED_UNITS: Readonly<Record<string, bigint>> = {
  getHours: 3_600n * NANOSECONDS,
  getMinutes: 60n * NANOSECONDS,
  getSeconds: NANOSECONDS,
  getMilliseconds: 1_000_000n,
}

/** The methods of timestamps and durations: `getHours()`, `getHours('Europe/Berlin')` (cel-spec, Timezones). */
export const TIME_FIELDS: ReadonlyMap<string, (...args: readonly CelValue[]) => CelValue> = new Map(
  Object.entries(CALENDAR).map(([name, field]) => [name, (...args) => timeField(name, field, args)]),
)

function timeField(name: string, field: Field, args: readonly CelValue[]): bigint {
  const [value = null, zone = 'UTC'] = args
  const unit = CONVERTED_UNITS[name]
  if (value instanceof Duration && unit !== undefined && args.length === 1) return inUnits(value.nanoseconds, unit)
  if (!(value instanceof Timestamp) || typeof zone !== 'string') throw noSignature(name, args)
  return BigInt(field(localDate(value, zone)))
}

/** As in Go, whole units and the rest are added as doubles, which may round up; milliseconds are exact. */
function inUnits(duration: bigint, unit: bigint): bigint {
  if (unit < NANOSECONDS) return duration / unit
  return BigInt(Math.trunc(Number(duration / unit) + Number(duration % unit) / Number(unit)))
}

function dayOfYear(local: Date): number {
  const newYear = new Date(local)
  newYear.setUTCMonth(0, 1)
  return Math.round((local.getTime() - newYear.getTime()) / 86_400_000)
}

function localDate({ nanoseconds }: Timestamp, zone: string): Date {
  const seconds = Number(wholeSeconds(nanoseconds))
  const milliseconds = Number((nanoseconds - BigInt(seconds) * NANOSECONDS) / 1_000_000n)
  return new Date((seconds + offsetAt(seconds, zone)) * 1000 + milliseconds)
}

/** Seconds east of UTC: of `+02:00` and the like, read as loosely as cel-go does, or of a named zone at that time. */
function offsetAt(seconds: number, zone: string): number {
  const colon = zone.indexOf(':')
  if (colon === -1) return zone === '' || zone === 'UTC' || zone === 'Local' ? 0 : namedOffset(seconds, zone)
  const hours = parseWholeNumber(zone.slice(0, colon))
  const minutes = parseWholeNumber(zone.slice(colon + 1))
  return (hours * 60 + (zone.startsWith('-') ? -minutes : minutes)) * 60
}

const FORMATS = new Map<string, Intl.DateTimeFormat>()
/** Finding the local time of a named zone takes as long as hundreds of nodes. */
const WORK_OF_ZONE = 300

function namedOffset(seconds: number, zone: string): number {
  spend(WORK_OF_ZONE)
  const parts = new Map(
    zoneFormat(zone)
      .formatToParts(seconds * 1000)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const local = new Date(0)
  local.setUTCFullYear(parts.get('era') === 'BC' ? 1 - part('year') : part('year'), part('month') - 1, part('day'))
  local.setUTCHours(part('hour'), part('minute'), part('second'))
  return local.getTime() / 1000 - seconds
}

/**
 * Returns the formatter of a time zone. Throws EvaluationFailure for an unknown name. Formatters are cached: there are some hundreds of
 * zones.
 */
function zoneFormat(zone: string): Intl.DateTimeFormat {
  if (/\.\.|^[/\\]/.test(zone)) throw new EvaluationFailure('time: invalid location name')
  return remember(FORMATS, zone, newFormat)
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric'
  const fields = { era: 'short', year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric } as const
  // JavaScript takes names in any case; those of the time zone database begin each part with a capital.
  if (!/^[A-Z][^/]*(?:\/[A-Z][^/]*)*$/.test(timeZone)) throw new EvaluationFailure(`unknown time zone ${timeZone}`)
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone })
  } catch {
    throw new EvaluationFailure(`unknown time zone ${timeZone}`)
  }
}
