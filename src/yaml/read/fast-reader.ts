import { type Builder, KEYS } from './builder.ts'
import { AMPERSAND, ASTERISK, DOUBLE_QUOTE, EXCLAMATION_MARK, OPENING_BRACE, OPENING_BRACKET, SINGLE_QUOTE } from './character.ts'
import { FlowReader, type NoteUnusual, REPEATED_KEY } from './fast-flow.ts'
import { findPlainKey, isKey, readFurtherLines, readKey, readPlain } from './fast-plain.ts'
import { readBlockScalar, readQuoted } from './fast-scalar.ts'
import { MAX_DEPTH } from './limits.ts'
import { hasOddBreak } from './lines.ts'
import type { AliasNode, Properties, ScalarNode } from './node.ts'
import { isBlockScalar, REFUSAL, refuse, TextCursor } from './text-cursor.ts'
import type { Wanted } from './wanted.ts'

/** The form of an object in its text: an item with its dash, the entry of a key (functionConfig), or a document. */
export type ObjectFrame = 'item' | 'entry' | 'document'

/** The options of a fast reading. */
export interface FastReading {
  readonly frame: ObjectFrame
  /** The keys of the object to read; values of other keys are skipped by their indentation. Absent: all keys. */
  readonly wanted?: Wanted | undefined
  /** Called at anchors, tags, repeated keys and comments between brackets, which kpt does not write. Absent: such texts are refused. */
  readonly unusual?: NoteUnusual | undefined
}

/**
 * Reads a text in the block layout that kpt writes. Returns undefined for all it does not know: the caller then uses the full parser. All
 * it accepts has the same meaning for the full parser. It knows no `?`, merge keys, tabs, nor properties or aliases between brackets.
 *
 * @param builder  NODES, VALUES or TEXTS
 */
export function readFast<Value, OpenMap, OpenList>(
  text: string,
  builder: Builder<Value, OpenMap, OpenList>,
  { frame, wanted, unusual = refuse }: FastReading,
): Value | undefined {
  if (hasOddBreak(text)) return undefined
  try {
    return new FastReader(text, builder, unusual).read(frame, wanted)
  } catch (error) {
    if (error === REFUSAL) return undefined
    throw error
  }
}

/**
 * Returns the offset of the first part of a document that `readFast` does not know; undefined if it knows all.
 *
 * @param unusual  called at unusual parts; without it, these are parts that it does not know
 */
export function findRefused(text: string, unusual: NoteUnusual = refuse): number | undefined {
  const reader = new FastReader(text, KEYS, unusual)
  try {
    reader.read('document', undefined)
    return undefined
  } catch (error) {
    if (error === REFUSAL) return Math.min(reader.offset, text.length - 1)
    throw error
  }
}

const NONE: Properties = {}

/** A recursive descent over one cursor: each method begins at the first character of the part that it reads. */
class FastReader<Value, OpenMap, OpenList> {
  readonly #at: TextCursor
  readonly #builder: Builder<Value, OpenMap, OpenList>
  readonly #flow: FlowReader<Value, OpenMap, OpenList>
  readonly #unusual: NoteUnusual
  #depth = 0
  /** The end of the value read last. */
  #end = 0
  /** The anchor and tag of the next value. */
  #properties: Properties = NONE

  constructor(text: string, builder: Builder<Value, OpenMap, OpenList>, unusual: NoteUnusual) {
    this.#at = new TextCursor(text)
    this.#builder = builder
    this.#unusual = unusual
    this.#flow = new FlowReader(this.#at, builder, unusual)
  }

  /** The place at which the reader is. */
  get offset(): number {
    return this.#at.offset
  }

  read(frame: ObjectFrame, wanted: Wanted | undefined): Value {
    const column = this.#at.nextContent()
    let value: Value
    if (frame === 'document') value = isBracket(this.#at.code()) ? this.#inline(-1) : (this.#block(column, wanted) ?? refuse())
    else {
      this.#depth++
      if (frame === 'entry') readKey(this.#at)
      else if (!this.#at.isDash()) refuse()
      value = frame === 'entry' ? this.#value(column, wanted) : this.#item(column, wanted)
    }
    if (this.#at.nextContent() !== -1) refuse()
    return value
  }

  /** Reads a map or a sequence if one begins at the cursor. */
  #block(column: number, wanted: Wanted | undefined): Value | undefined {
    if (this.#at.isDash()) return this.#sequence(column)
    const key = findPlainKey(this.#at)
    return key === undefined ? undefined : this.#map(column, wanted, key)
  }

  /** Reads a sequence. A key in its own column may end it: the map around it reads that key. */
  #sequence(column: number): Value {
    if (++this.#depth > MAX_DEPTH) refuse()
    const start = this.#at.offset
    const properties = this.#takeProperties()
    const list = this.#builder.openList()
    let next = column
    do {
      this.#builder.addItem(list, this.#at.offset, this.#item(column))
      next = this.#at.nextContent()
    } while (next === column && this.#at.isDash())
    if (next > column) refuse()
    this.#depth--
    return this.#builder.closeList(list, { flow: false, start, end: this.#end, ...properties })
  }

  #item(column: number, wanted?: Wanted): Value {
    const dash = this.#at.offset
    const nested = column + this.#at.skipDash()
    const end = this.#passProperties() ?? dash + 1
    if (!this.#at.isLineEnd()) {
      if (this.#properties !== NONE) return isKey(this.#at) || this.#at.isDash() ? refuse() : this.#inline(column)
      return this.#block(nested, wanted) ?? this.#inline(column)
    }
    const next = this.#at.nextContent()
    if (next <= column) return this.#empty(end)
    return this.#block(next, wanted) ?? this.#onItsOwnLine(column)
  }

  /** Reads an anchor and a tag at the cursor. Returns their end, or undefined when there are none. */
  #passProperties(): number | undefined {
    const code = this.#at.code()
    if (code !== AMPERSAND && code !== EXCLAMATION_MARK) return undefined
    this.#unusual()
    this.#properties = readProperties(this.#at)
    const end = this.#at.offset
    this.#at.skipSpaces()
    return end
  }

  /** Returns the properties for one value and clears them: values inside have their own. */
  #takeProperties(): Properties {
    const properties = this.#properties
    this.#properties = NONE
    return properties
  }

  #map(column: number, wanted: Wanted | undefined, first: ScalarNode): Value {
    if (++this.#depth > MAX_DEPTH) refuse()
    const { start } = first
    const properties = this.#takeProperties()
    const map = this.#builder.openMap()
    let end = start
    for (let key = first; ; key = readKey(this.#at)) {
      if (this.#builder.hasKey(map, key.text)) this.#unusual(REPEATED_KEY)
      if (wanted === undefined || wanted.has(key.text)) {
        this.#builder.addEntry(map, key, this.#value(column, wanted?.get(key.text)))
        end = this.#end
      } else this.#at.skipBelow(column)
      const next = this.#at.nextContent()
      if (next > column) refuse()
      if (next < column) break
    }
    this.#end = end
    this.#depth--
    return this.#builder.closeMap(map, { flow: false, start, end, ...properties })
  }

  /** Reads the value of a key: on the line of the key, on the next lines if these are deeper, or an empty scalar. */
  #value(column: number, wanted: Wanted | undefined): Value {
    const colon = this.#at.offset
    this.#at.skipSpaces()
    const end = this.#passProperties()
    if (!this.#at.isLineEnd()) return this.#inline(column)
    const next = this.#at.nextContent()
    const isBelow = next > column || (next === column && end === undefined && this.#at.isDash())
    if (!isBelow) return this.#empty(end ?? colon)
    // Like #block, which would be one more call for each level of an object.
    if (this.#at.isDash()) return this.#sequence(next)
    const key = findPlainKey(this.#at)
    return key === undefined ? this.#onItsOwnLine(column) : this.#map(next, wanted, key)
  }

  #empty(offset: number): Value {
    return this.#scalar({ type: 'scalar', style: 'plain', text: '', start: offset, end: offset })
  }

  /** Reads a value that begins on a line below its key or dash. */
  #onItsOwnLine(column: number): Value {
    return isBlockScalar(this.#at.code()) ? refuse() : this.#inline(column)
  }

  #scalar(scalar: ScalarNode): Value {
    this.#end = scalar.end
    const properties = this.#takeProperties()
    return this.#builder.scalar(properties === NONE ? scalar : { ...scalar, ...properties })
  }

  /** Reads a value that does not begin with a key or dash. Refuses deeper lines after it, except further lines of a plain scalar. */
  #inline(column: number): Value {
    const code = this.#at.code()
    if (isBracket(code)) return this.#flowValue(column)
    if (code === ASTERISK) return this.#alias(column)
    const isBlock = isBlockScalar(code)
    const isPlain = !isBlock && code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE
    const scalar = isBlock ? readBlockScalar(this.#at, column) : isPlain ? readPlain(this.#at) : readQuoted(this.#at, column)
    if (!isBlock) this.#at.endLine()
    if (this.#at.nextContent() <= column) return this.#scalar(scalar)
    return isPlain ? this.#scalar(readFurtherLines(this.#at, scalar, column)) : refuse()
  }

  #alias(column: number): Value {
    if (this.#properties !== NONE) refuse()
    this.#unusual()
    const alias = readAlias(this.#at)
    this.#end = alias.end
    this.#at.endLine()
    if (this.#at.nextContent() > column) refuse()
    return this.#builder.alias?.(alias) ?? refuse()
  }

  #flowValue(column: number): Value {
    const value = this.#flow.read(this.#depth, column, this.#takeProperties())
    this.#end = this.#at.offset
    this.#at.endLine()
    if (this.#at.nextContent() > column) refuse()
    return value
  }
}

function isBracket(code: number): boolean {
  return code === OPENING_BRACKET || code === OPENING_BRACE
}

/**
 * Matches an anchor and a tag, each at most once, with a blank after them. Does not match verbatim tags, tags with a named handle, and
 * the tag `!` alone.
 */
const PROPERTIES =
  /(?:&([A-Za-z0-9_-]+)(?: +!(!?)([A-Za-z][A-Za-z0-9_-]*))?|!(!?)([A-Za-z][A-Za-z0-9_-]*)(?: +&([A-Za-z0-9_-]+))?)(?=[ \r\n]|$)/y
const ALIAS = /\*([A-Za-z0-9_-]+)(?=[ \r\n]|$)/y

/** The prefix that `!!` abbreviates. */
const YAML_TAGS = 'tag:yaml.org,2002:'

/** Reads the anchor and tag of a value, and moves the cursor after them. */
function readProperties(at: TextCursor): Properties {
  PROPERTIES.lastIndex = at.offset
  const [all, before, second, secondName, first, firstName, behind] = PROPERTIES.exec(at.text) ?? refuse()
  const [anchor, name] = [before ?? behind, secondName ?? firstName]
  at.offset += all.length
  const handle = (second ?? first) === '!' ? YAML_TAGS : '!'
  return { ...(anchor !== undefined && { anchor }), ...(name !== undefined && { tag: `${handle}${name}` }) }
}

/** Reads an alias, and moves the cursor after it. */
function readAlias(at: TextCursor): AliasNode {
  ALIAS.lastIndex = at.offset
  const start = at.offset
  const [all, anchor = ''] = ALIAS.exec(at.text) ?? refuse()
  at.offset += all.length
  return { type: 'alias', anchor, start, end: at.offset }
}
