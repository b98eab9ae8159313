/** The powers of ten of the decimal suffixes of quantities (apimachinery pkg/api/resource suffix.go): `k` is 1000. */
const DECIMAL: Readonly<Record<string, number>> = { '': 0, n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }

/** The powers of two of the binary suffixes: `Ki` is 1024. */
const BINARY: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n }

/** The power of ten of the smallest part of a quantity, a nano. */
const NANO = -9

/** The most digits of a number and the greatest power of ten that count, so that `1e999999999` takes no time. */
const MOST_DIGITS = 1000

/** Compares two quantities such as `10Gi` and `1.5e3`. A text that is no quantity counts as 0. */
export function compareQuantities(a: string, b: string): number {
  const [amount, other] = [amountOf(a), amountOf(b)]
  return amount === other ? 0 : amount < other ? -1 : 1
}

/**
 * Returns a quantity in nanos, `500m` as 500000000n. As in the API server a part of a nano counts as a whole one (apimachinery
 * pkg/api/resource/quantity.go ParseQuantity).
 */
export function amountOf(text: string): bigint {
  const found = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?([A-Za-z]*)$/.exec(text.trim())
  const [, sign, whole = '', fraction = '', exponent = '0', suffix = ''] = found ?? []
  const [tens, twos] = [DECIMAL[suffix], BINARY[suffix]]
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '' || (tens === undefined && twos === undefined)) return 0n
  const kept = digits.slice(0, MOST_DIGITS)
  const power = Number(exponent) + (tens ?? 0) - NANO - fraction.length + digits.length - kept.length
  const amount = timesTen(BigInt(kept) << (twos ?? 0n), power)
  return sign === '-' ? -amount : amount
}

/** Returns a number times a power of ten, rounded up to a whole number. */
function timesTen(number: bigint, power: number): bigint {
  if (power >= 0) return number * 10n ** BigInt(Math.min(power, MOST_DIGITS))
  const divisor = 10n ** BigInt(Math.min(-power, 2 * MOST_DIGITS))
  return (number + divisor - 1n) / divisor
}
