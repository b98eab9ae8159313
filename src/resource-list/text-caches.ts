import { SHORT_TEXT } from '../yaml/document.ts'
import type { OpenDocument } from '../yaml/read/text-reading.ts'
import { YamlError } from '../yaml/read/yaml-error.ts'

/** The most characters of text whose nodes and values are cached: these take up to ten times the memory of the text. */
const MAX_KEPT = 1_000_000

/** The texts of a list that have cached nodes and values, and the one text with pending edits. */
export class RecentTexts {
  /**
   * The texts read last, up to half of the limit; `#before` has those read earlier. An exact order would be too slow for a million
   * texts.
   */
  #recent = new Set<OpenDocument>()
  #before = new Set<OpenDocument>()
  #size = 0
  #edited: OpenDocument | undefined

  /** Adds a text that was read, and frees the oldest texts when the cache is full. */
  keep(document: OpenDocument, length: number): void {
    if (this.#recent.has(document)) return
    this.#recent.add(document)
    // A cached document costs more than its length.
    this.#size += length + SHORT_TEXT
    if (this.#size > MAX_KEPT / 2) this.#passOlder()
  }

  #passOlder(): void {
    for (const text of this.#before) if (!this.#recent.has(text)) text.forget()
    this.#before = this.#recent
    this.#recent = new Set()
    this.#size = 0
  }

  /** Records that a text has pending edits. Only one text may have some: the text before writes its edits. */
  edited(text: OpenDocument): void {
    if (this.#edited === text) return
    this.#edited?.write()
    this.#edited = text
  }
}

/** The most characters of one list that the full parser reads: about four seconds of parsing. */
const MAX_ALL = 4_000_000

/** Counts the characters of one list that the full parser reads. */
export class FullReads {
  readonly #read = new WeakSet<object>()
  #length = 0

  /**
   * Counts a text before the full parser reads it. A text counts once.
   *
   * @throws YamlError  if the list exceeds the limit with this text
   */
  count(text: object, length: number): void {
    if (this.#read.has(text)) return
    this.#read.add(text)
    this.#length += length
    if (this.#length > MAX_ALL) throw new YamlError(TOO_MANY, 0)
  }
}

const TOO_MANY = `at most ${MAX_ALL} characters of a list may have another layout than kpt writes (anchors, '? ', tabs, duplicate keys)`
