import type { Builder } from './builder.ts'
import { FlowReader } from './fast-flow.ts'
import { isKey, readKey, readPlain } from './fast-plain.ts'
import { readBlockScalar, readQuoted } from './fast-scalar.ts'
import { MAX_DEPTH } from './limits.ts'
import type { ScalarNode } from './node.ts'
import { REFUSAL, refuse, TextCursor } from './text-cursor.ts'
import type { Wanted } from './wanted.ts'

/** How an object stands in its text: an item with its dash, the entry of a key (functionConfig), or a document of its own. */
export type Frame = 'item' | 'entry' | 'document'

/** What to read of a text. */
export interface Reading {
  readonly frame: Frame
  /** Keys of the object to read; the values of others are passed over by their indentation and left out. Absent: all of it. */
  readonly wanted?: Wanted | undefined
}

/**
 * Reads the block layout that kpt emits; whatever it does not know it refuses (undefined), and the caller asks the full parser.
 * What it accepts means the same to the full parser: no anchors, tags, `?`, scalars over several lines, duplicate keys, tabs.
 *
 * @param builder  what to make of it: NODES, VALUES or TEXTS
 */
export function readFast<Value, OpenMap, OpenList>(
  text: string,
  builder: Builder<Value, OpenMap, OpenList>,
  { frame, wanted }: Reading,
): Value | undefined {
  try {
    return new FastReader(text, builder).read(frame, wanted)
  } catch (error) {
    if (error === REFUSAL) return undefined
    throw error
  }
}

/** Cursor and grammar are one: a recursive descent in which each method begins at the first character of what it reads. */
class FastReader<Value, OpenMap, OpenList> {
  readonly #at: TextCursor
  readonly #builder: Builder<Value, OpenMap, OpenList>
  readonly #flow: FlowReader<Value, OpenMap, OpenList>
  #depth = 0
  /** Where the value that was read last ends. */
  #end = 0

  constructor(text: string, builder: Builder<Value, OpenMap, OpenList>) {
    this.#at = new TextCursor(text)
    this.#builder = builder
    this.#flow = new FlowReader(this.#at, builder)
  }

  read(frame: Frame, wanted: Wanted | undefined): Value {
    const column = this.#at.nextContent()
    const value = frame === 'document' ? this.#block(column, wanted) : this.#framed(frame, column, wanted)
    if (this.#at.nextContent() !== -1) refuse()
    return value
  }

  #framed(frame: Frame, column: number, wanted: Wanted | undefined): Value {
    this.#depth++
    if (frame === 'item') return this.#at.isDash() ? this.#item(column, wanted) : refuse()
    readKey(this.#at)
    return this.#value(column, wanted)
  }

  /** A map or a sequence whose first line is the current one. Scalars on their own line are refused by the key that is missing. */
  #block(column: number, wanted: Wanted | undefined): Value {
    if (++this.#depth > MAX_DEPTH) refuse()
    const value = this.#at.isDash() ? this.#sequence(column) : this.#map(column, wanted)
    this.#depth--
    return value
  }

  /** A sequence may end where a key of the map around it follows at its own column; the map sees to that. */
  #sequence(column: number): Value {
    const start = this.#at.offset
    const list = this.#builder.openList()
    let next = column
    do {
      this.#builder.addItem(list, this.#at.offset, this.#item(column))
      next = this.#at.nextContent()
    } while (next === column && this.#at.isDash())
    if (next > column) refuse()
    return this.#builder.closeList(list, { flow: false, start, end: this.#end })
  }

  #item(column: number, wanted?: Wanted): Value {
    const dash = this.#at.offset
    const nested = column + this.#at.skipDash()
    if (this.#at.isLineEnd()) return this.#below(column, dash + 1, false, wanted)
    return this.#at.isDash() || isKey(this.#at) ? this.#block(nested, wanted) : this.#inline(column)
  }

  #map(column: number, wanted: Wanted | undefined): Value {
    const start = this.#at.offset
    const map = this.#builder.openMap()
    let end = start
    let next = column
    do {
      const key = readKey(this.#at)
      if (this.#builder.hasKey(map, key.text)) refuse()
      if (wanted === undefined || wanted.has(key.text)) {
        this.#builder.addEntry(map, key, this.#value(column, wanted?.get(key.text)))
        end = this.#end
      } else this.#at.skipBelow(column)
      next = this.#at.nextContent()
    } while (next === column)
    if (next > column) refuse()
    this.#end = end
    return this.#builder.closeMap(map, { flow: false, start, end })
  }

  #value(column: number, wanted: Wanted | undefined): Value {
    const colon = this.#at.offset
    this.#at.skipSpaces()
    return this.#at.isLineEnd() ? this.#below(column, colon, true, wanted) : this.#inline(column)
  }

  /** The value of a key or dash with nothing behind it: what stands deeper on the next lines, or nothing. */
  #below(column: number, empty: number, compact: boolean, wanted?: Wanted): Value {
    const next = this.#at.nextContent()
    if (next > column || (compact && next === column && this.#at.isDash())) return this.#block(next, wanted)
    return this.#scalar({ type: 'scalar', style: 'plain', text: '', start: empty, end: empty })
  }

  #scalar(scalar: ScalarNode): Value {
    this.#end = scalar.end
    return this.#builder.scalar(scalar)
  }

  /** A value on the line of its key or dash. The next line must not be deeper: it would continue the value. */
  #inline(column: number): Value {
    const value = this.#inlineValue(column)
    if (this.#at.nextContent() > column) refuse()
    return value
  }

  #inlineValue(column: number): Value {
    const char = this.#at.char()
    if (char === '|') return this.#scalar(readBlockScalar(this.#at, column))
    const value = this.#ofOneLine(char)
    this.#at.endLine()
    return value
  }

  #ofOneLine(char: string): Value {
    if (char === '"' || char === "'") return this.#scalar(readQuoted(this.#at))
    if (char !== '[' && char !== '{') return this.#scalar(readPlain(this.#at))
    const value = this.#flow.read(this.#depth)
    this.#end = this.#at.offset
    return value
  }
}
