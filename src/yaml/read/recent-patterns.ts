/** The most patterns that are kept. */
const MOST = 16

/** The number of texts that patterns must match for each pattern beyond the first: to make a pattern takes as long as to read so many. */
const TEXTS_FOR_ONE = 200

/**
 * Patterns that were made of texts and match others like them, the one used last first. The number of patterns that are made is limited
 * by the number of texts that they match, so that texts that are all different cost no more than without patterns.
 */
export class RecentPatterns<Pattern> {
  readonly #patterns: Pattern[] = []
  #credit = MOST * TEXTS_FOR_ONE

  /** Returns the first value that `match` returns for a pattern; undefined if it returns undefined for all. */
  find<Value>(match: (pattern: Pattern) => Value | undefined): Value | undefined {
    for (let index = 0; index < this.#patterns.length; index++) {
      const pattern = this.#patterns[index]
      const value = pattern && match(pattern)
      if (pattern === undefined || value === undefined) continue
      this.#credit++
      if (index > 0) this.#putFirst(pattern, index)
      return value
    }
    return undefined
  }

  /** Returns true if another pattern may be made, and counts it. */
  takeCredit(): boolean {
    if (this.#credit < TEXTS_FOR_ONE) return false
    this.#credit -= TEXTS_FOR_ONE
    return true
  }

  /** Adds a pattern in the place of the one that was not used for the longest time. */
  add(pattern: Pattern): void {
    this.#putFirst(pattern, Math.min(this.#patterns.length, MOST - 1))
  }

  #putFirst(pattern: Pattern, index: number): void {
    for (let at = index; at > 0; at--) this.#patterns[at] = this.#patterns[at - 1] ?? pattern
    this.#patterns[0] = pattern
  }
}
