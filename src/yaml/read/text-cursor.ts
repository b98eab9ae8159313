import { AMPERSAND, CARRIAGE_RETURN, DASH, EXCLAMATION_MARK, GREATER_THAN, HASH, LINE_FEED, PIPE, SPACE } from './character.ts'
import type { ScalarNode } from './node.ts'

/** Thrown and caught inside the fast reader: the text needs the full parser. One object, because a stack trace costs more than a read. */
export const REFUSAL = new Error('refused')

export function refuse(): never {
  throw REFUSAL
}

const NO_COLUMN = -1

/** Matches an anchor or a tag at the end of a line: the value is below. */
const PROPERTIES_ONLY = /[&!][!-~]+ *(?=\r?\n)/y

/** An offset in a text, with the moves that reading block YAML needs. Columns count from 0. */
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

  /** Returns the character code at the cursor, or `ahead` characters after it; -1 at the end. */
  code(ahead = 0): number {
    const at = this.offset + ahead
    return at < this.text.length ? this.text.charCodeAt(at) : -1
  }

  /** Returns true at a comment, at a line feed with or without a carriage return before it, and at the end. */
  isLineEnd(): boolean {
    const { text, offset } = this
    if (offset >= text.length) return true
    const code = text.charCodeAt(offset)
    return code === LINE_FEED || code === HASH || (code === CARRIAGE_RETURN && text.charCodeAt(offset + 1) === LINE_FEED)
  }

  isDash(): boolean {
    return this.code() === DASH && isBlank(this.code(1))
  }

  skipSpaces(): void {
    while (this.text.charCodeAt(this.offset) === SPACE) this.offset++
  }

  /** Skips a dash and the spaces after it. Returns the number of columns skipped. */
  skipDash(): number {
    const dash = this.offset
    this.offset++
    this.skipSpaces()
    if (this.code() === HASH && this.offset === dash + 1) refuse()
    return this.offset - dash
  }

  /** Skips spaces, a comment and the line feed. Throws REFUSAL for anything else. */
  endLine(): void {
    const before = this.offset
    this.skipSpaces()
    if (!this.isLineEnd() || (this.code() === HASH && this.offset === before && before > 0)) refuse()
    this.#toNextLine()
  }

  /**
   * Moves to the next content, skipping blank lines and comments. Returns its column, -1 at the end.
   * Does not move from the start of content.
   */
  nextContent(): number {
    for (;;) {
      this.skipSpaces()
      if (this.code() === -1) return -1
      if (!this.isLineEnd()) return this.offset - this.#lineStart
      this.#toNextLine()
    }
  }

  /**
   * Skips the lines of the value of a key at `column`: deeper lines, blank lines, and a sequence in the key's own column. Refuses deeper
   * lines below a value on the key's own line, unless the value is a block scalar: these lines may be misplaced keys.
   */
  skipBelow(column: number): void {
    this.skipSpaces()
    const code = this.code()
    const properties = code === AMPERSAND || code === EXCLAMATION_MARK ? this.endOf(PROPERTIES_ONLY) : -1
    if (properties !== -1) this.offset = properties
    if (this.isLineEnd() || isBlockScalar(this.code())) this.#skipLines(column, column)
    else this.#refuseBelow(column)
  }

  /** Skips the lines of a value like `skipBelow`, in a text that was read before: all deeper lines belong to the value. */
  skipValue(column: number): void {
    this.skipSpaces()
    this.#skipLines(column, this.isLineEnd() ? column : NO_COLUMN)
  }

  #refuseBelow(column: number): void {
    this.#toNextLine()
    if (this.nextContent() > column) refuse()
  }

  /** Skips the lines of an item whose dash is at `column`: deeper lines and blank lines. */
  skipDeeper(column: number): void {
    this.#skipLines(column, NO_COLUMN)
  }

  /** @param dashes  the column in which lines with a dash belong to the value too */
  #skipLines(column: number, dashes: number): void {
    this.#toNextLine()
    while (this.offset < this.text.length) {
      const line = this.offset
      this.skipSpaces()
      const depth = this.offset - line
      if (!this.isLineEnd() && (depth < column || (depth === column && !(dashes === depth && this.isDash())))) {
        this.continueAt(line)
        return
      }
      this.#toNextLine()
    }
  }

  /** Returns the end of a match of the sticky pattern at the cursor, -1 when there is none. */
  endOf(pattern: RegExp): number {
    pattern.lastIndex = this.offset
    return pattern.test(this.text) ? pattern.lastIndex : -1
  }

  /** Returns true at the first character of a line, before any spaces. */
  isLineStart(): boolean {
    return this.offset === this.#lineStart
  }

  /** Returns the plain scalar from the cursor to an offset, and moves the cursor there. */
  plainTo(end: number): ScalarNode {
    const start = this.offset
    this.offset = end
    return { type: 'scalar', style: 'plain', text: this.text.slice(start, end), start, end }
  }

  #toNextLine(): void {
    const lineFeed = this.text.indexOf('\n', this.offset)
    this.offset = lineFeed === -1 ? this.text.length : lineFeed + 1
    this.#lineStart = this.offset
  }

  /** Moves to any offset. Returns its column. */
  moveTo(offset: number): number {
    this.offset = offset
    this.#lineStart = this.text.lastIndexOf('\n', offset - 1) + 1
    return offset - this.#lineStart
  }

  /** Moves to the start of a line. */
  continueAt(line: number): void {
    this.offset = line
    this.#lineStart = line
  }
}

/** Returns true for a space, a line break or the end. A lone carriage return counts too; the next read refuses it. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === -1
}

/** Returns true for the first character of a block scalar, `|` or `>`. */
export function isBlockScalar(code: number): boolean {
  return code === PIPE || code === GREATER_THAN
}
