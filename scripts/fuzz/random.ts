/** Random numbers from a seed: the same seed gives the same run on every machine. */
export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number
  /** True once in `n` times. */
  oneIn(n: number): boolean
  pick<T>(from: readonly T[]): T
}

/** The generator mulberry32 (public domain): 32 bits of state, enough to spread cases. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number): number => next() % limit
  return { below, oneIn: (n) => below(n) === 0, pick: (from) => pickAt(from, below(from.length)) }
}

function pickAt<T>(from: readonly T[], index: number): T {
  const found = from[index]
  if (found === undefined) throw new RangeError('nothing to pick from')
  return found
}
