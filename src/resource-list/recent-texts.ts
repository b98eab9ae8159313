import type { ObjectText } from './object-text.ts'

/** Characters of text of which trees and values are kept: these take up to ten times as much room. */
const MAX_KEPT = 1_000_000

/** What a list keeps of its texts: what was read of those that were read last, and the edits of the one that is being edited. */
export class RecentTexts {
  readonly #read = new Map<ObjectText, number>()
  #size = 0
  #edited: ObjectText | undefined

  /** Something was read of a text that is worth keeping; whatever is older than that and too much is read again when it is needed. */
  keep(text: ObjectText, length: number): void {
    this.#size += length - (this.#read.get(text) ?? 0)
    this.#read.delete(text)
    this.#read.set(text, length)
    for (const [oldest, size] of this.#read) {
      if (this.#size <= MAX_KEPT || oldest === text) return
      this.#read.delete(oldest)
      this.#size -= size
      oldest.forget()
    }
  }

  /** A text has edits that are not written. One at a time: all others write theirs. */
  edited(text: ObjectText): void {
    if (this.#edited === text) return
    this.#edited?.write()
    this.#edited = text
  }
}
