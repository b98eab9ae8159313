import type { ScalarNode, ScalarStyle } from './node.ts'

/** Thrown inside the fast reader, and caught by it: this text is for the full parser. Made once, since a stack trace costs more than a read. */
export const REFUSAL = new Error('refused')

export function refuse(): never {
  throw REFUSAL
}

const LINE_FEED = 10
const SPACE = 32
const HASH = 35
const DASH = 45
const DOT = 46
const COLON = 58

/** YAML 1.2.2, 7.4.2: a key on one line has at most 1,024 characters. */
export const MAX_KEY = 1000

/** The quotes that a key or value may begin with. */
const STYLES: ReadonlyMap<number, ScalarStyle> = new Map([
  [34, 'double'],
  [39, 'single'],
])

/** `|` and `>`. */
const BLOCK_HEADERS: ReadonlySet<number> = new Set([124, 62])

/** Characters that cannot begin a plain scalar, or begin something the fast reader leaves to the full parser. */
const INDICATORS = new Uint8Array(65536)
for (const char of '-?:,[]{}#&*!|>\'"%@`') INDICATORS[char.charCodeAt(0)] = 1
/** Line breaks of YAML 1.1 and control characters, on which readers differ. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const DOUBTFUL = /[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029\ufeff\t]/

/**
 * Keys and values as nearly all are: nothing in them is an indicator wherever it stands. A pattern is matched natively, several times
 * as fast as a look at each character; what it does not match is looked at so. The repetitions of a group are bounded, since each
 * takes room on the stack of the engine.
 */
const USUAL_KEY = /[A-Za-z][A-Za-z0-9._/-]*(?=:[ \n])/y
const USUAL_PLAIN = /[A-Za-z0-9/][A-Za-z0-9._/+=@~-]*(?:(?::| (?=[A-Za-z0-9]))[A-Za-z0-9._/+=@~-]+){0,100}(?=\n)/y

/** A place in a text and the moves that block YAML needs. Columns count from 0. */
export class TextCursor {
  readonly text: string
  offset = 0
  #lineStart = 0

  constructor(text: string) {
    this.text = text
  }

  char(): string {
    return this.text[this.offset] ?? ''
  }

  /** The code of the character here, or that many behind; -1 at the end. */
  code(ahead = 0): number {
    return this.#codeAt(this.offset + ahead)
  }

  #codeAt(at: number): number {
    return at < this.text.length ? this.text.charCodeAt(at) : -1
  }

  isLineEnd(): boolean {
    const code = this.code()
    return code === LINE_FEED || code === -1 || code === HASH
  }

  isDash(): boolean {
    return this.code() === DASH && isBlank(this.code(1))
  }

  skipSpaces(): void {
    while (this.code() === SPACE) this.offset++
  }

  /** Passes a dash and the spaces behind it; how many columns that was. */
  skipDash(): number {
    const dash = this.offset
    this.offset++
    this.skipSpaces()
    if (this.code() === HASH && this.offset === dash + 1) refuse()
    return this.offset - dash
  }

  /** Passes spaces, a comment and the line feed; anything else is refused. */
  endLine(): void {
    const before = this.offset
    this.skipSpaces()
    if (!this.isLineEnd() || (this.code() === HASH && this.offset === before && before > 0)) refuse()
    this.#toNextLine()
  }

  /**
   * Moves to the next content, passing blank lines and comments, and gives its column; -1 at the end.
   * At the start of content already, it stays.
   */
  nextContent(): number {
    for (;;) {
      this.skipSpaces()
      const code = this.code()
      if (code === -1) return -1
      if (code !== LINE_FEED && code !== HASH) return this.offset - this.#lineStart
      this.#toNextLine()
    }
  }

  /**
   * Passes all lines that belong to the value of a key at `column`: deeper ones, blank ones, and a sequence at the key's own column.
   * Deeper lines below a value on the key's own line are refused, unless it is a block scalar: they may be misplaced keys.
   */
  skipBelow(column: number): void {
    this.skipSpaces()
    if (this.isLineEnd() || BLOCK_HEADERS.has(this.code())) this.#skipLines(column, true)
    else this.#refuseBelow(column)
  }

  #refuseBelow(column: number): void {
    this.#toNextLine()
    if (this.nextContent() > column) refuse()
  }

  /** Passes all lines that belong to an item whose dash is at `column`: deeper ones and blank ones. */
  skipDeeper(column: number): void {
    this.#skipLines(column, false)
  }

  #skipLines(column: number, dashes: boolean): void {
    this.#toNextLine()
    while (this.offset < this.text.length) {
      const line = this.offset
      this.skipSpaces()
      const depth = this.offset - line
      if (!this.isLineEnd() && (depth < column || (depth === column && !(dashes && this.isDash())))) {
        this.continueAt(line)
        return
      }
      this.#toNextLine()
    }
  }

  /** Whether the line goes on with a key: a plain or quoted scalar and a colon with a blank behind it. */
  isKey(): boolean {
    return this.#keyEnd() !== -1
  }

  /** A key and its colon; the cursor stands behind the colon. */
  readKey(): ScalarNode {
    const start = this.offset
    const usual = this.endOf(USUAL_KEY)
    const end = usual === -1 ? this.#unusualKeyEnd() : usual
    if (end === -1 || end - start > MAX_KEY) refuse()
    const key = usual === -1 ? this.#unusualKey(end) : this.plainTo(end)
    this.offset = end + 1
    return key
  }

  #unusualKey(end: number): ScalarNode {
    const start = this.offset
    const style = STYLES.get(this.code()) ?? 'plain'
    const text = style === 'plain' ? this.text.slice(start, end) : this.text.slice(start + 1, end - 1)
    if (DOUBTFUL.test(text) || text === '<<') refuse()
    return { type: 'scalar', style, text, start, end }
  }

  /** The offset of the colon behind the key that begins here; -1 when none does. */
  #keyEnd(): number {
    const usual = this.endOf(USUAL_KEY)
    return usual === -1 ? this.#unusualKeyEnd() : usual
  }

  /** Where what the pattern matches here ends; -1 when it does not. */
  endOf(pattern: RegExp): number {
    pattern.lastIndex = this.offset
    return pattern.test(this.text) ? pattern.lastIndex : -1
  }

  #unusualKeyEnd(): number {
    const end = STYLES.has(this.code()) ? this.#quotedKeyEnd(this.char()) : this.#plainKeyEnd()
    return end !== -1 && this.text.charCodeAt(end) === COLON && isBlank(this.#codeAt(end + 1)) ? end : -1
  }

  #plainKeyEnd(): number {
    if (!this.#canBeginPlain()) return -1
    let before = 0
    for (let at = this.offset; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at)
      if (code === LINE_FEED || (code === HASH && before === SPACE)) return -1
      if (code === COLON && isBlank(this.#codeAt(at + 1))) return before === SPACE ? -1 : at
      before = code
    }
    return -1
  }

  /** Quoted keys without escapes only. */
  #quotedKeyEnd(quote: string): number {
    const close = this.text.indexOf(quote, this.offset + 1)
    const inner = this.text.slice(this.offset + 1, close)
    return close === -1 || inner.includes('\n') || inner.includes('\\') || this.text[close + 1] === quote ? -1 : close + 1
  }

  /** A plain scalar up to the end of the line or its comment. */
  readPlain(): ScalarNode {
    const usual = this.endOf(USUAL_PLAIN)
    if (usual !== -1) return this.plainTo(usual)
    if (!this.#canBeginPlain()) refuse()
    const scalar = this.plainTo(this.#plainEnd())
    if (DOUBTFUL.test(scalar.text)) refuse()
    return scalar
  }

  /** The plain scalar from here to an offset, where the cursor then stands. */
  plainTo(end: number): ScalarNode {
    const start = this.offset
    this.offset = end
    return { type: 'scalar', style: 'plain', text: this.text.slice(start, end), start, end }
  }

  /** One pass over the line: up to a comment, without blanks at the end. A colon that makes a key of it is refused. */
  #plainEnd(): number {
    let end = this.offset
    let before = 0
    for (let at = this.offset; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at)
      if (code === LINE_FEED || (code === HASH && before === SPACE)) break
      if (before === COLON && code === SPACE) refuse()
      if (code !== SPACE) end = at + 1
      before = code
    }
    if (this.text.charCodeAt(end - 1) === COLON) refuse()
    return end
  }

  #canBeginPlain(): boolean {
    const code = this.code()
    if (code === -1 || INDICATORS[code] === 0) return code !== -1 && code !== LINE_FEED && !(code === DOT && this.#isMarker())
    return (code === DASH || code === COLON || code === 63) && !isBlank(this.code(1)) && !this.#isMarker()
  }

  /** `---` and `...` at the line start are document markers to some readers. */
  #isMarker(): boolean {
    return this.offset === this.#lineStart && (this.text.startsWith('---', this.offset) || this.text.startsWith('...', this.offset))
  }

  #toNextLine(): void {
    const lineFeed = this.text.indexOf('\n', this.offset)
    this.offset = lineFeed === -1 ? this.text.length : lineFeed + 1
    this.#lineStart = this.offset
  }

  /** Goes on at any offset, and gives its column. */
  moveTo(offset: number): number {
    this.offset = offset
    this.#lineStart = this.text.lastIndexOf('\n', offset - 1) + 1
    return offset - this.#lineStart
  }

  /** Goes on at the start of a line that something else has found. */
  continueAt(line: number): void {
    this.offset = line
    this.#lineStart = line
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === -1
}
