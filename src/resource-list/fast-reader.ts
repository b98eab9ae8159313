import { readFlow } from './fast-flow.ts'
import { readBlockScalar, readQuoted } from './fast-scalar.ts'
import { MAX_DEPTH } from './limits.ts'
import type { Entry, Node, ScalarNode, SequenceItem } from './node.ts'
import { REFUSAL, refuse, TextCursor } from './text-cursor.ts'

/**
 * Reads the block layout that kpt emits; whatever it does not know it refuses (undefined), and the caller asks the full parser.
 * What it accepts means the same to the full parser: no anchors, tags, `?`, scalars over several lines, duplicate keys, tabs.
 *
 * @param text  one block node: a map, or a sequence (an item's slice is a sequence of one)
 * @param only  root keys of the item to read; the values of others are passed over by their indentation and left out
 */
export function readFast(text: string, only?: ReadonlySet<string>): Node | undefined {
  try {
    const reader = new FastReader(text, only)
    return reader.read()
  } catch (error) {
    if (error === REFUSAL) return undefined
    throw error
  }
}

/** Cursor and grammar are one: a recursive descent in which each method begins at the first character of what it reads. */
class FastReader {
  readonly #at: TextCursor
  readonly #only: ReadonlySet<string> | undefined
  #depth = 0

  constructor(text: string, only: ReadonlySet<string> | undefined) {
    this.#at = new TextCursor(text)
    this.#only = only
  }

  read(): Node {
    const column = this.#at.nextContent()
    const root = this.#block(column, this.#only !== undefined && !this.#at.isDash() ? this.#only : undefined)
    if (this.#at.nextContent() !== -1) refuse()
    return root
  }

  /** A map or a sequence whose first line is the current one. Scalars on their own line are refused by the key that is missing. */
  #block(column: number, only?: ReadonlySet<string>): Node {
    if (++this.#depth > MAX_DEPTH) refuse()
    const node = this.#at.isDash() ? this.#sequence(column) : this.#map(column, only)
    this.#depth--
    return node
  }

  /** A sequence may end where a key of the map around it follows at its own column; the map sees to that. */
  #sequence(column: number): Node {
    const start = this.#at.offset
    const items: SequenceItem[] = []
    do {
      items.push(this.#sequenceItem(column))
    } while (this.#at.nextContent() === column && this.#at.isDash())
    if (this.#at.nextContent() > column) refuse()
    return { type: 'sequence', flow: false, items, start, end: endOf(items.at(-1)?.value, start) }
  }

  #sequenceItem(column: number): SequenceItem {
    const dash = this.#at.offset
    const inner = this.#at.skipDash()
    if (this.#at.isLineEnd()) return { dash, value: this.#below(column, dash + 1, false) }
    const nested = column + inner
    const only = this.#depth === 1 ? this.#only : undefined
    if (this.#at.isDash() || this.#at.isKey()) return { dash, value: this.#block(nested, only) }
    return { dash, value: this.#inline(column) }
  }

  #map(column: number, only?: ReadonlySet<string>): Node {
    const start = this.#at.offset
    const entries: Entry[] = []
    const seen = new Set<string>()
    let end = start
    do {
      const key = this.#key(seen)
      if (only !== undefined && !only.has(key.text)) {
        this.#at.skipBelow(column)
        continue
      }
      const value = this.#value(column)
      entries.push({ key, value })
      end = value.end
    } while (this.#at.nextContent() === column)
    if (this.#at.nextContent() > column) refuse()
    return { type: 'map', flow: false, entries, start, end }
  }

  #key(seen: Set<string>): ScalarNode {
    const key = this.#at.readKey()
    if (seen.has(key.text)) refuse()
    seen.add(key.text)
    return key
  }

  #value(column: number): Node {
    const colon = this.#at.offset
    this.#at.skipSpaces()
    return this.#at.isLineEnd() ? this.#below(column, colon, true) : this.#inline(column)
  }

  /** The value of a key or dash with nothing behind it: what stands deeper on the next lines, or nothing. */
  #below(column: number, empty: number, compact: boolean): Node {
    const next = this.#at.nextContent()
    if (next > column || (compact && next === column && this.#at.isDash())) return this.#block(next)
    return { type: 'scalar', style: 'plain', text: '', start: empty, end: empty }
  }

  /** A value on the line of its key or dash. The next line must not be deeper: it would continue the value. */
  #inline(column: number): Node {
    const node = this.#inlineNode(column)
    if (node.type !== 'scalar' || node.style !== 'literal') this.#at.endLine()
    if (this.#at.nextContent() > column) refuse()
    return node
  }

  #inlineNode(column: number): Node {
    switch (this.#at.char()) {
      case '|':
        return readBlockScalar(this.#at, column)
      case '"':
      case "'":
        return readQuoted(this.#at)
      case '[':
      case '{':
        return readFlow(this.#at, this.#depth)
      default:
        return this.#at.readPlain()
    }
  }
}

function endOf(node: Node | undefined, start: number): number {
  return node === undefined ? start : node.end
}
