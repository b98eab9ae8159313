import { DASH, DOUBLE_QUOTE, HASH, LINE_FEED, SINGLE_QUOTE, SPACE } from './character.ts'

const [COLON, BACKSLASH, TILDE] = [58, 92, 126]

/** By character code: 1 may begin a key or a plain value, 2 may stand inside both, 3 inside a value only. */
const KINDS = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_') KINDS[letter.charCodeAt(0)] = 1
for (const sign of './-') KINDS[sign.charCodeAt(0)] = 2
for (const sign of ':@+=,;()') KINDS[sign.charCodeAt(0)] = 3

/** Of larger maps, and below more levels, the reader is as fast. */
const [MOST_KEYS, MOST_LEVELS] = [64, 32]

/**
 * Returns true for an object that is nothing but maps and lists, in which each key and item has a line of its own with nothing or a short
 * scalar behind it and no key stands twice. False says nothing: lists of lists, braces, long texts, anchors, or whatever is no YAML are left to the readers, which take
 * five times as long. A fleet has ten thousands of objects, nearly all of them such maps.
 *
 * @param text    an item with its dash, or a document
 * @param passed  keys of the object, and those of the last of them, that a reader found to be right: their lines are passed over
 */
export function isOfPlainMaps(text: string, passed?: PassedKeys): boolean {
  const maps = new OpenMaps()
  const root = text.startsWith('- ') ? 2 : 0
  const start = passed === undefined ? 0 : startBehind(text, root, passed)
  if (start > 0) for (const key of passed?.root ?? []) maps.addKey(root, sumOf(key, 0, key.length))
  for (let at = start; at !== -1; ) {
    if (at >= text.length) return true
    at = lineEnd(text, at, at === 0 ? root : behindSpaces(text, at), maps)
  }
  return false
}

/** The start of the line behind the one that begins at `start` and whose first character is at `from`; -1 where it is not such a line. */
function lineEnd(text: string, start: number, from: number, maps: OpenMaps): number {
  const isItem = text.charCodeAt(from) === DASH && text.charCodeAt(from + 1) === SPACE
  if (isItem && !maps.addItem(from - start)) return -1
  const at = isItem ? from + 2 : from
  if (isLineEnd(text, at) || text.charCodeAt(at) === HASH) return isItem ? -1 : commentEnd(text, at)
  const colon = keyEnd(text, at)
  if (colon === -1 ? !isItem : !maps.addKey(at - start, sumOf(text, at, colon))) return -1
  const behind = colon === -1 ? at : colon + 1
  const end = valueEnd(text, behind)
  maps.mayGoDeeper = end === behind
  return end === -1 ? -1 : commentEnd(text, behindSpaces(text, end))
}

/** Keys whose lines need no look: `root` of the object, `below` of the map of the last of these, whatever they hold. */
export interface PassedKeys {
  readonly root: readonly string[]
  readonly below: readonly string[]
}

/** The start of the first line behind those of the passed keys, with which an object begins; 0 where another key is among them. */
function startBehind(text: string, root: number, passed: PassedKeys): number {
  let child = -1
  let start = 0
  for (let at = root; at < text.length; at = behindSpaces(text, start)) {
    const column = at - start
    if (column === root && !hasKeyAt(text, at, passed.root)) return start
    if (column <= root) child = -1
    else if (child === -1) child = column
    const isBelow = column <= child && !isLineEnd(text, at)
    if (column < root || (isBelow && !hasKeyAt(text, at, passed.below))) return 0
    start = text.indexOf('\n', at) + 1 || text.length
  }
  return start
}

function hasKeyAt(text: string, at: number, keys: readonly string[]): boolean {
  return keys.some((key) => text.startsWith(key, at) && text.charCodeAt(at + key.length) === COLON)
}

/** The maps and lists around a line, the innermost last. */
class OpenMaps {
  /** Of a list that of its dashes, which may be that of the map around it; a half more, since it is inside. */
  readonly #columns: number[] = []
  /** Where the keys of each map begin among all. */
  readonly #firsts: number[] = []
  /** A number for each key of each map: two keys of one number are taken for one key, and the object is read. */
  readonly #sums: number[] = []
  /** A map may begin in the line, since nothing stands behind the key above. */
  mayGoDeeper = true

  /** Returns false where the key does not belong to an open map or to a new one, may be in the map already, or where there are many. */
  addKey(column: number, sum: number): boolean {
    return this.#enter(column) && this.#isNew(sum)
  }

  /** Returns false where the item does not belong to an open list or to a new one. A map or a scalar of its own begins behind its dash. */
  addItem(dash: number): boolean {
    const isEntered = this.#enter(dash + 0.5)
    this.mayGoDeeper = true
    return isEntered
  }

  #enter(column: number): boolean {
    if (column > this.#column && this.mayGoDeeper) {
      this.#columns.push(column)
      this.#firsts.push(this.#sums.length)
    }
    while (column < this.#column) {
      this.#columns.pop()
      this.#sums.length = this.#firsts.pop() ?? 0
    }
    return column === this.#column && this.#columns.length <= MOST_LEVELS
  }

  get #column(): number {
    return this.#columns.at(-1) ?? -1
  }

  #isNew(sum: number): boolean {
    const first = this.#firsts.at(-1) ?? 0
    for (let at = first; at < this.#sums.length; at++) if (this.#sums[at] === sum) return false
    this.#sums.push(sum)
    return this.#sums.length - first <= MOST_KEYS
  }
}

function behindSpaces(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === SPACE) at++
  return at
}

function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text.charCodeAt(at) === LINE_FEED
}

/** The offset of the colon behind a plain key, -1 where none is. */
function keyEnd(text: string, start: number): number {
  let at = start
  if (KINDS[text.charCodeAt(at)] !== 1) return -1
  for (let kind = 1; kind === 1 || kind === 2; kind = KINDS[text.charCodeAt(at)] ?? 0) at++
  return text.charCodeAt(at) === COLON && (isLineEnd(text, at + 1) || text.charCodeAt(at + 1) === SPACE) ? at : -1
}

function sumOf(text: string, start: number, end: number): number {
  let sum = 0
  for (let at = start; at < end; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return sum
}

/** Where the value behind a colon ends, `behind` itself where there is none; -1 where the value is no short scalar. */
function valueEnd(text: string, behind: number): number {
  const start = behindSpaces(text, behind)
  const code = text.charCodeAt(start)
  if (isLineEnd(text, start) || code === HASH) return behind
  if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) return quoteEnd(text, start, code)
  return KINDS[code] === 1 ? plainEnd(text, start) : -1
}

/** A quote inside a quoted text ends in something that is no line end: it is doubled, or behind a backslash. */
function quoteEnd(text: string, start: number, quote: number): number {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return text.charCodeAt(at + 1) === HASH ? -1 : at + 1
    if (!(code >= SPACE && code <= TILDE) || code === BACKSLASH) return -1
  }
}

/** The end of a plain value of one or more words; a colon at the end of a word makes a key of it. */
function plainEnd(text: string, start: number): number {
  let at = start
  for (;;) {
    const before = text.charCodeAt(at - 1)
    const code = text.charCodeAt(at)
    if (before === COLON && at > start && (code === SPACE || isLineEnd(text, at))) return -1
    if (isLineEnd(text, at) || (code === SPACE && (KINDS[text.charCodeAt(at + 1)] ?? 0) === 0)) return at
    if (code !== SPACE && (KINDS[code] ?? 0) === 0) return -1
    at++
  }
}

/** The start of the next line, with nothing but a comment of ASCII before it; -1 where something else is. */
function commentEnd(text: string, start: number): number {
  let at = start
  if (text.charCodeAt(at) === HASH) while (text.charCodeAt(at) >= SPACE && text.charCodeAt(at) <= TILDE) at++
  return isLineEnd(text, at) ? at + 1 : -1
}
