import { CARRIAGE_RETURN, DASH, GREATER_THAN, HASH, LINE_FEED, PIPE, SPACE } from './character.ts'
import type { ScalarNode } from './node.ts'

/** Thrown inside the fast reader, and caught by it: this text is for the full parser. Made once, since a stack trace costs more than a read. */
export const REFUSAL = new Error('refused')

export function refuse(): never {
  throw REFUSAL
}

const NO_COLUMN = -1

/** An anchor or a tag with nothing behind it: the value stands below. */
const PROPERTIES_ONLY = /[&!][!-~]+ *(?=\r?\n)/y

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

  /** At a comment, at a line feed with or without a carriage return before it, or at the end. */
  isLineEnd(): boolean {
    const code = this.code()
    return code === LINE_FEED || code === -1 || code === HASH || (code === CARRIAGE_RETURN && this.code(1) === LINE_FEED)
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
      if (this.code() === -1) return -1
      if (!this.isLineEnd()) return this.offset - this.#lineStart
      this.#toNextLine()
    }
  }

  /**
   * Passes all lines that belong to the value of a key at `column`: deeper ones, blank ones, and a sequence at the key's own column.
   * Deeper lines below a value on the key's own line are refused, unless it is a block scalar: they may be misplaced keys.
   */
  skipBelow(column: number): void {
    this.skipSpaces()
    const properties = this.endOf(PROPERTIES_ONLY)
    if (properties !== -1) this.offset = properties
    if (this.isLineEnd() || isBlockScalar(this.code())) this.#skipLines(column, column)
    else this.#refuseBelow(column)
  }

  /** The same in a text that was read: what is deeper belongs to the value. */
  skipValue(column: number): void {
    this.skipSpaces()
    this.#skipLines(column, this.isLineEnd() ? column : NO_COLUMN)
  }

  #refuseBelow(column: number): void {
    this.#toNextLine()
    if (this.nextContent() > column) refuse()
  }

  /** Passes all lines that belong to an item whose dash is at `column`: deeper ones and blank ones. */
  skipDeeper(column: number): void {
    this.#skipLines(column, NO_COLUMN)
  }

  /** @param dashes  the column of dashes that belong to it, too */
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

  /** Where what the pattern matches here ends; -1 when it does not. */
  endOf(pattern: RegExp): number {
    pattern.lastIndex = this.offset
    return pattern.test(this.text) ? pattern.lastIndex : -1
  }

  /** Whether nothing of the line is passed yet, not even its spaces. */
  isLineStart(): boolean {
    return this.offset === this.#lineStart
  }

  /** The plain scalar from here to an offset, where the cursor then stands. */
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

/** Whether a character parts words; a carriage return that does not end a line is found out by whoever reads on. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === -1
}

/** Whether a character begins a block scalar where a value may stand. */
export function isBlockScalar(code: number): boolean {
  return code === PIPE || code === GREATER_THAN
}
