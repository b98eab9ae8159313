import { YamlError } from '../yaml/read/yaml-reader.ts'

/** Characters of all texts of a list that the full parser takes: four seconds of it. */
const MAX_ALL = 4_000_000

/** What the full parser reads of a list. */
export class FullReads {
  readonly #read = new WeakSet<object>()
  #length = 0

  /**
   * Called before it reads a text.
   *
   * @throws YamlError  when that makes too much of it
   */
  count(text: object, length: number): void {
    if (this.#read.has(text)) return
    this.#read.add(text)
    this.#length += length
    if (this.#length > MAX_ALL) throw new YamlError(TOO_MANY, 0)
  }
}

const TOO_MANY = `at most ${MAX_ALL} characters of a list may be laid out otherwise than kpt does it (anchors, '? ', tabs, keys that stand twice)`
