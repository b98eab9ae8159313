import { Uint } from '../value.ts'
import { EvaluationFailure } from './failure.ts'

/** Returns a double as Go prints it with %g: `1e+06`, `0.0001`, `+Inf`, `-0`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  const power = Number(exponent)
  if (value === 0 || (power >= -4 && power < 6)) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Returns an integer as Go's strconv.ParseInt reads it with base 10; undefined for a text that ParseInt refuses. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''))
}

/** Returns a number as Go's strconv.Atoi reads it. Throws EvaluationFailure with the words of Atoi. */
export function parseWholeNumber(text: string): number {
  const value = parseInteger(text)
  const quoted = JSON.stringify(text)
  if (value === undefined) throw new EvaluationFailure(`strconv.Atoi: parsing ${quoted}: invalid syntax`)
  if (value !== BigInt.asIntN(64, value)) throw new EvaluationFailure(`strconv.Atoi: parsing ${quoted}: value out of range`)
  return Number(value)
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/
const INFINITY = /^([+-]?)inf(?:inity)?$/i
/** A `_` that is not between two digits. The `0x` prefix counts as a digit. */
const STRAY_UNDERSCORE = /(?<![0-9])_|_(?![0-9])/
const STRAY_UNDERSCORE_HEXADECIMAL = /(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])/

/** Returns the number that Go's strconv.ParseFloat reads; undefined for texts that it refuses and for numbers too large for a double. */
export function parseDouble(text: string): number | undefined {
  if (/^nan$/i.test(text)) return Number.NaN
  const infinity = INFINITY.exec(text)
  if (infinity !== null) return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if ((/^[+-]?0[xX]/.test(text) ? STRAY_UNDERSCORE_HEXADECIMAL : STRAY_UNDERSCORE).test(text)) return undefined
  const bare = text.replaceAll('_', '')
  const value = DECIMAL.test(bare) ? Number(bare) : parseHexadecimal(bare)
  return value !== undefined && Number.isFinite(value) ? value : undefined
}

function parseHexadecimal(text: string): number | undefined {
  const [, sign, whole = '', fraction = '', exponent] = HEXADECIMAL.exec(text) ?? []
  if (whole + fraction === '') return undefined
  const power = Number(exponent) - 4 * fraction.length
  const half = Math.trunc(power / 2)
  const mantissa = BigInt(`0x${whole}${fraction}`)
  // Two factors: one alone may already be 0 or infinite.
  const size = mantissa === 0n ? 0 : Number(mantissa) * 2 ** half * 2 ** (power - half)
  return sign === '-' ? -size : size
}

const MIN_INT = -(2n ** 63n)
const MAX_INT = 2n ** 63n - 1n
const MAX_UINT = 2n ** 64n - 1n

/** Returns an int of 64 bits. Throws EvaluationFailure for any other number. */
export function checkInt(value: bigint): bigint {
  if (value < MIN_INT || value > MAX_INT) throw new EvaluationFailure('integer overflow')
  return value
}

/** Returns a uint of 64 bits. Throws EvaluationFailure for any other number. */
export function checkUint(value: bigint): Uint {
  if (value < 0n || value > MAX_UINT) throw new EvaluationFailure('unsigned integer overflow')
  return new Uint(value)
}

/** Returns a double's whole part. As in cel-go, the smallest int is out of range. Throws EvaluationFailure. */
export function doubleToInt(value: number): bigint {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new EvaluationFailure('integer overflow')
  return BigInt(Math.trunc(value))
}

/** Returns a double's whole part. Throws EvaluationFailure. */
export function doubleToUint(value: number): Uint {
  if (!(value >= 0 && value < 2 ** 64)) throw new EvaluationFailure('unsigned integer overflow')
  return new Uint(BigInt(Math.trunc(value)))
}
