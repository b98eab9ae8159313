import { spend } from '../budget.ts'
import { type CelValue, Duration, Timestamp } from '../value.ts'
import { EvaluationFailure, noSignature } from './failure.ts'
import { parseWholeNumber } from './number-text.ts'
import { NANOSECONDS, wholeSeconds } from './time-arithmetic.ts'

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
const UNITS: Readonly<Record<string, bigint>> = {
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
  const unit = UNITS[name]
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
  const known = FORMATS.get(zone)
  if (known !== undefined) return known
  const format = newFormat(zone)
  FORMATS.set(zone, format)
  return format
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
