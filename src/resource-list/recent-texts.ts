/** Characters of text of which trees and values are kept: these take up to ten times as much room. */
const MAX_KEPT = 1_000_000

/** What is kept of the shortest text takes as much room as so many characters of a long one: one that is shorter is sooner read again. */
export const LEAST_KEPT = 100

/** A text, as far as what is kept of it goes. */
interface KeptText {
  /** Lets go of what was read. */
  forget(): void
  /** Writes its edits. */
  write(): void
}

/** What a list keeps of its texts: what was read of those that were read last, and the edits of the one that is being edited. */
export class RecentTexts {
  /** Those that were read last, up to half of what is kept, and those before them: a list of a million texts has no time for an exact order. */
  #recent = new Set<KeptText>()
  #before = new Set<KeptText>()
  #size = 0
  #edited: KeptText | undefined

  /** Something was read of a text that is worth keeping; what is older than that and too much is read again when it is needed. */
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

  /** A text has edits that are not written. One at a time: all others write theirs. */
  edited(text: KeptText): void {
    if (this.#edited === text) return
    this.#edited?.write()
    this.#edited = text
  }
}
