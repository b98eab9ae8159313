/** The factors of the suffixes of quantities (apimachinery pkg/api/resource): `Ki` is 1024, `k` is 1000. */
const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** Compares two quantities such as `10Gi` and `1.5e3`. A text that is no quantity counts as 0. */
export function compareQuantities(a: string, b: string): number {
  return amountOf(a) - amountOf(b)
}

/** Returns a quantity as a number: `500m` is 0.5. */
export function amountOf(text: string): number {
  const [, number = '0', suffix = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([A-Za-z]*)$/.exec(text.trim()) ?? []
  return Number(number) * (FACTORS[suffix] ?? 0)
}
