import type { Builder } from './builder.ts'
import { SPACE } from './character.ts'
import { MAX_KEY } from './fast-plain.ts'
import { readQuoted } from './fast-scalar.ts'
import { MAX_DEPTH } from './limits.ts'
import type { Properties, ScalarNode } from './node.ts'
import { REPAIRED_COLUMN } from './repair-text.ts'
import { refuse, type TextCursor } from './text-cursor.ts'

/** Matches a plain scalar inside `{}` or `[]`, from an alphabet in which no reader sees an indicator. */
const PLAIN = /[A-Za-z0-9_./$<=~^()\\][A-Za-z0-9_./$<=>~^()\\+*@%!|-]*(?: [A-Za-z0-9_./$<=>~^()\\+*@%!|-]+){0,100}/y
const NUMBER = /-[0-9][0-9.]*/y

/**
 * The characters with which go-yaml begins lines in column 0 inside brackets with comments. repair-text.ts indents these lines for the
 * full parser.
 */
const ODD_STARTS: ReadonlySet<string> = new Set(']},{[')

/** The name of a repeated key, for messages. */
export const REPEATED_KEY = 'a repeated key'

/** Takes a part that kpt does not write, with its name if its line does not show what it is. */
export type NoteUnusual = (name?: string) => void

/** Reads flow collections, also JSON: on one line, or on lines deeper than the key or dash of the collection. */
export class FlowReader<Value, OpenMap, OpenList> {
  readonly #at: TextCursor
  readonly #builder: Builder<Value, OpenMap, OpenList>
  /** The column of the key or dash of the collection. */
  #column = 0
  readonly #unusual: NoteUnusual

  constructor(at: TextCursor, builder: Builder<Value, OpenMap, OpenList>, unusual: NoteUnusual) {
    this.#at = at
    this.#builder = builder
    this.#unusual = unusual
  }

  /**
   * Returns the collection whose opening bracket is at the cursor, and moves the cursor after its closing bracket.
   *
   * @param column  of the key or dash of the collection
   * @param properties  the tag and anchor of the collection
   */
  read(depth: number, column: number, properties: Properties): Value {
    this.#column = column
    return this.#read(depth, properties)
  }

  #read(depth: number, properties?: Properties): Value {
    if (depth >= MAX_DEPTH) refuse()
    return this.#at.char() === '{' ? this.#map(depth + 1, properties) : this.#sequence(depth + 1, properties)
  }

  #map(depth: number, properties: Properties | undefined): Value {
    const start = this.#at.offset
    const map = this.#builder.openMap()
    this.#members('}', () => {
      const key = this.#key()
      if (this.#builder.hasKey(map, key.text)) this.#unusual(REPEATED_KEY)
      this.#builder.addEntry(map, key, this.#member(depth))
    })
    return this.#builder.closeMap(map, { flow: true, start, end: this.#at.offset, ...properties })
  }

  #sequence(depth: number, properties: Properties | undefined): Value {
    const start = this.#at.offset
    const list = this.#builder.openList()
    this.#members(']', () => {
      this.#builder.addItem(list, this.#at.offset, this.#member(depth))
      this.#skipBlanks()
      if (this.#at.char() === ':') refuse()
    })
    return this.#builder.closeList(list, { flow: true, start, end: this.#at.offset, ...properties })
  }

  /** Reads the members between the brackets, separated by commas. One trailing comma is allowed. */
  #members(close: string, readOne: () => void): void {
    const at = this.#at
    at.offset++
    this.#skipBlanks()
    while (at.char() !== close) {
      readOne()
      this.#skipBlanks()
      if (at.char() === ',') at.offset++
      else if (at.char() !== close) refuse()
      this.#skipBlanks()
    }
    at.offset++
  }

  /** Skips spaces, line breaks and comments. The next content must be deeper than the collection's key or dash, or as go-yaml writes it. */
  #skipBlanks(): void {
    const at = this.#at
    at.skipSpaces()
    if (!at.isLineEnd()) return
    const before = at.offset
    if (at.char() === '#' && at.code(-1) !== SPACE) refuse()
    const column = at.nextContent()
    if (column <= this.#column && !(column === 0 && this.#column < REPAIRED_COLUMN && ODD_STARTS.has(at.char()))) refuse()
    if (column <= this.#column || at.text.slice(before, at.offset).includes('#')) this.#unusual()
  }

  /** Reads a key and its colon. After a quoted key, the value may follow the colon without a space, as in JSON. */
  #key(): ScalarNode {
    const key = this.#scalar()
    const isParted = key.style !== 'plain' || this.#at.code(1) === SPACE
    if (this.#at.char() !== ':' || !isParted || key.text === '<<' || key.end - key.start > MAX_KEY) refuse()
    this.#at.offset++
    this.#at.skipSpaces()
    return key
  }

  #member(depth: number): Value {
    const char = this.#at.char()
    return char === '{' || char === '[' ? this.#read(depth) : this.#builder.scalar(this.#scalar())
  }

  #scalar(): ScalarNode {
    const char = this.#at.char()
    if (char === '"' || char === "'") return readQuoted(this.#at)
    const end = this.#at.endOf(char === '-' ? NUMBER : PLAIN)
    return end === -1 ? refuse() : this.#at.plainTo(end)
  }
}
