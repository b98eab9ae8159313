/** The most characters of text whose nodes and values are cached: these take up to ten times the memory of the text. */
const MAX_KEPT = 1_000_000

/** The cost of a cached text besides its length, in characters. Reading a text shorter than this again is cheaper than caching it. */
export const LEAST_KEPT = 100

/** A text with a cache that can be freed. */
interface KeptText {
  /** Frees the cached nodes and values. */
  forget(): void
  /** Writes the pending edits into the text. */
  write(): void
}

/** The texts of a list that have cached nodes and values, and the one text with pending edits. */
export class RecentTexts {
  /**
   * The texts read last, up to half of the limit; `#before` has those read earlier. An exact order would be too slow for a million
   * texts.
   */
  #recent = new Set<KeptText>()
  #before = new Set<KeptText>()
  #size = 0
  #edited: KeptText | undefined

  /** Adds a text that was read, and frees the oldest texts when the cache is full. */
  keep(text: KeptText, length: number): void {
    if (this.#recent.has(text)) return
    this.#recent.add(text)
    this.#size += length + LEAST_KEPT
    if (this.#size > MAX_KEPT / 2) this.#passOlder()
  }

  #passOlder(): void {
    for (const text of this.#before) if (!this.#recent.has(text)) text.forget()
    this.#before = this.#recent
    this.#recent = new Set()
    this.#size = 0
  }

  /** Records that a text has pending edits. Only one text may have some: the text before writes its edits. */
  edited(text: KeptText): void {
    if (this.#edited === text) return
    this.#edited?.write()
    this.#edited = text
  }
}
