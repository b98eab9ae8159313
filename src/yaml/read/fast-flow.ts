import type { Builder } from './builder.ts'
import { SPACE } from './character.ts'
import { MAX_KEY } from './fast-plain.ts'
import { readQuoted } from './fast-scalar.ts'
import { MAX_DEPTH } from './limits.ts'
import type { ScalarNode } from './node.ts'
import { refuse, type TextCursor } from './text-cursor.ts'

/** A plain scalar inside `{}` or `[]`: a cautious alphabet, in which no reader sees an indicator. */
const PLAIN = /[A-Za-z0-9_./$<=~^()\\][A-Za-z0-9_./$<=>~^()\\+*@%!|-]*(?: [A-Za-z0-9_./$<=>~^()\\+*@%!|-]+){0,100}/y
const NUMBER = /-[0-9][0-9.]*/y

/** Reads flow collections, JSON among them: on one line, or on lines that are deeper than what holds them. No comments. */
export class FlowReader<Value, OpenMap, OpenList> {
  readonly #at: TextCursor
  readonly #builder: Builder<Value, OpenMap, OpenList>
  /** Of the key or dash that holds the collection. */
  #column = 0

  constructor(at: TextCursor, builder: Builder<Value, OpenMap, OpenList>) {
    this.#at = at
    this.#builder = builder
  }

  /**
   * The collection whose bracket is at the cursor, which then stands behind the closing one.
   *
   * @param column  of the key or dash that holds it
   */
  read(depth: number, column: number): Value {
    this.#column = column
    return this.#read(depth)
  }

  #read(depth: number): Value {
    if (depth >= MAX_DEPTH) refuse()
    return this.#at.char() === '{' ? this.#map(depth + 1) : this.#sequence(depth + 1)
  }

  #map(depth: number): Value {
    const start = this.#at.offset
    const map = this.#builder.openMap()
    this.#members('}', () => {
      const key = this.#key()
      if (this.#builder.hasKey(map, key.text)) refuse()
      this.#builder.addEntry(map, key, this.#member(depth))
    })
    return this.#builder.closeMap(map, { flow: true, start, end: this.#at.offset })
  }

  #sequence(depth: number): Value {
    const start = this.#at.offset
    const list = this.#builder.openList()
    this.#members(']', () => {
      this.#builder.addItem(list, this.#at.offset, this.#member(depth))
      this.#skipBlanks()
      if (this.#at.char() === ':') refuse()
    })
    return this.#builder.closeList(list, { flow: true, start, end: this.#at.offset })
  }

  /** What stands between the brackets, separated by commas; one comma more at the end is allowed. */
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

  /** Passes spaces and line breaks; what follows must be deeper than what holds the collection. */
  #skipBlanks(): void {
    const at = this.#at
    at.skipSpaces()
    if (!at.isLineEnd()) return
    const before = at.offset
    if (at.nextContent() <= this.#column || at.text.slice(before, at.offset).includes('#')) refuse()
  }

  /** The colon of a quoted key may stand right before the value, as in JSON. */
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
