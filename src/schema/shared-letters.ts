// Letters of one remainder are counted together: that can only make names look nearer.
const REMAINDERS = 128

/**
 * Says of other texts the least that their distance from a text can be, from their letters alone, in time that grows with the length:
 * what one has more of than the other has to be put in, taken away or replaced, and a swap changes no letter.
 */
export function leastDistanceFrom(text: string): (other: string) => number {
  const left = new Int32Array(REMAINDERS)
  count(left, text)
  return (other) => {
    let shared = 0
    for (let index = 0; index < other.length; index++) {
      const letter = other.charCodeAt(index) % REMAINDERS
      const there = left[letter] ?? 0
      if (there > 0) shared++
      left[letter] = there - 1
    }
    count(left, other)
    return Math.max(text.length, other.length) - shared
  }
}

function count(counts: Int32Array, text: string): void {
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index) % REMAINDERS
    counts[letter] = (counts[letter] ?? 0) + 1
  }
}
