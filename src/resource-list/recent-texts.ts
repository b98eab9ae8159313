import type { ObjectText } from './object-text.ts'

/** Characters of text of which trees and values are kept: these take up to ten times as much room. */
const MAX_KEPT = 1_000_000

/** What is kept of the shortest text takes as much room as so many characters of a long one. */
const LEAST = 100

interface Kept {
  readonly text: ObjectText
  readonly size: number
}

/** What a list keeps of its texts: what was read of those that were read last, and the edits of the one that is being edited. */
export class RecentTexts {
  /** In the order in which they were read last. */
  readonly #kept = new Map<ObjectText, Kept>()
  /** The same, with those that were read again since: a map is slow to find its first entry. */
  #queue: Kept[] = []
  #first = 0
  #size = 0
  #edited: ObjectText | undefined

  /** Something was read of a text that is worth keeping; whatever is older than that and too much is read again when it is needed. */
  keep(text: ObjectText, length: number): void {
    const kept = { text, size: length + LEAST }
    this.#size += kept.size - (this.#kept.get(text)?.size ?? 0)
    this.#kept.delete(text)
    this.#kept.set(text, kept)
    this.#queue.push(kept)
    while (this.#size > MAX_KEPT && this.#queue[this.#first] !== kept) this.#passFirst()
    if (this.#queue.length > 2 * this.#kept.size + LEAST) this.#shorten()
  }

  #passFirst(): void {
    const oldest = this.#queue[this.#first++]
    if (oldest !== undefined && this.#kept.get(oldest.text) === oldest) this.#forget(oldest)
  }

  #forget({ text, size }: Kept): void {
    this.#kept.delete(text)
    this.#size -= size
    text.forget()
  }

  #shorten(): void {
    this.#queue = [...this.#kept.values()]
    this.#first = 0
  }

  /** A text has edits that are not written. One at a time: all others write theirs. */
  edited(text: ObjectText): void {
    if (this.#edited === text) return
    this.#edited?.write()
    this.#edited = text
  }
}
