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

/** apiVersion and kind of an item. */
export interface UsualStart {
  readonly apiVersion: string
  readonly kind: string
}

/** Matches the first two lines of an item as kpt writes them. `kind: null` does not match, because null is not a text. */
const TWO_LINES = /^- apiVersion: (?!(?:null|Null|NULL)\n)([A-Za-z0-9./-]+)\n {2}kind: (?!(?:null|Null|NULL)\n)([A-Za-z0-9]+)\n$/

/** Matches the next key of the item, or the end: a deeper line, also one after empty lines, would continue the value of `kind`. */
const NEXT_KEY = / {2}[A-Za-z]|$/y

/** A cache of the first two lines of items: a list has many items of few kinds, so each pair of lines is parsed once. */
export class UsualStarts {
  readonly #known = new Map<string, UsualStart | undefined>()
  /** The two lines read last: items of one kind mostly follow each other. */
  #lines = ''
  #start: UsualStart | undefined

  /** Returns apiVersion and kind from the first two lines of an item if kpt would write them so, undefined for any other text. */
  of(text: string): UsualStart | undefined {
    const isSame = this.#lines !== '' && text.startsWith(this.#lines)
    const end = isSame ? this.#lines.length : text.indexOf('\n', text.indexOf('\n') + 1) + 1
    NEXT_KEY.lastIndex = end
    if (!NEXT_KEY.test(text)) return undefined
    if (isSame) return this.#start
    const lines = text.slice(0, end)
    if (!this.#known.has(lines)) {
      const [, apiVersion, kind] = TWO_LINES.exec(lines) ?? []
      this.#known.set(lines, apiVersion === undefined || kind === undefined ? undefined : { apiVersion, kind })
    }
    this.#start = this.#known.get(lines)
    this.#lines = lines
    return this.#start
  }
}
