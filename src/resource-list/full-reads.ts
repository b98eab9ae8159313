import { YamlError } from '../yaml/read/yaml-reader.ts'

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

const TOO_MANY = `at most ${MAX_ALL} characters of a list may be laid out otherwise than kpt does it (anchors, '? ', tabs, keys that stand twice)`
