import { DASH, DOUBLE_QUOTE, HASH, LINE_FEED, OPENING_BRACKET, SINGLE_QUOTE, SPACE } from './character.ts'
import { RecentPatterns } from './recent-patterns.ts'

const [COLON, BACKSLASH, TILDE] = [58, 92, 126]

/** Kinds by character code: 1 may begin a key or a plain value, 2 may be inside both, 3 inside a value only. */
const KINDS = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_') KINDS[letter.charCodeAt(0)] = 1
for (const sign of './-') KINDS[sign.charCodeAt(0)] = 2
for (const sign of ':@+=,;()') KINDS[sign.charCodeAt(0)] = 3

/** The limits beyond which the reader is as fast. */
const [MOST_KEYS, MOST_LEVELS] = [64, 32]

/**
 * Returns true for an object of only maps and lists, in which each key and item has a line of its own with no value, a short scalar or a
 * list of scalars after it, and no key is repeated. False means nothing: lists of lists, braces, long texts, anchors and texts that are
 * not YAML are left to the readers, which take five times as long. A fleet has tens of thousands of objects, nearly all of them such maps.
 *
 * @param text    an item with its dash, or a document
 * @param passed  the lines that a reader has checked, which are skipped
 */
export function isOfPlainMaps(text: string, passed?: PassedLines): boolean {
  return patternFor(text, passed) !== undefined || hasNewPlainLines(text, passed)
}

/**
 * Returns true for an object of `isOfPlainMaps` if no key behind the passed lines contains one of some texts. False means nothing. The
 * keys of an object whose lines match a known pattern are those of the pattern, so they are searched instead of the object.
 */
export function isOfPlainMapsWithout(parts: readonly string[], text: string, passed?: PassedLines): boolean {
  const pattern = patternFor(text, passed)
  if (pattern !== undefined) return !parts.some((part) => pattern.keys.includes(part))
  return !parts.some((part) => text.includes(part)) && hasNewPlainLines(text, passed)
}

/** The lines of an object, or those behind its identity, with any scalars. */
interface LinesPattern {
  readonly expression: RegExp
  /** The lines without their values and comments. */
  readonly keys: string
}

/** Patterns of the lines behind the identity of objects: most objects of a list have the keys of another object. */
const PATTERNS = new RecentPatterns<LinesPattern>()

/** Patterns of the lines of whole objects: apart from those above, since behind an identity its keys would be repeated. */
const WHOLE_PATTERNS = new RecentPatterns<LinesPattern>()

function patternsFrom(start: number): RecentPatterns<LinesPattern> {
  return start === 0 ? WHOLE_PATTERNS : PATTERNS
}

/** The most characters of a text that a pattern is made of. */
export const LONGEST_PATTERN = 4000

/** Returns the pattern that the lines behind the passed ones match; undefined if there is none. */
function patternFor(text: string, passed: PassedLines | undefined): LinesPattern | undefined {
  const start = passed?.end ?? 0
  return patternsFrom(start).find((pattern) => (matchesFrom(pattern.expression, text, start) ? pattern : undefined))
}

/** Returns true for an object of plain maps that matches no pattern yet, and makes a pattern of the lines behind the passed ones. */
function hasNewPlainLines(text: string, passed: PassedLines | undefined): boolean {
  const start = passed?.end ?? 0
  if (!hasPlainLines(text, passed)) return false
  const patterns = patternsFrom(start)
  if (text.length - start <= LONGEST_PATTERN && patterns.takeCredit()) patterns.add(patternOf(text, start))
  return true
}

function matchesFrom(expression: RegExp, text: string, start: number): boolean {
  expression.lastIndex = start
  return expression.test(text)
}

/** The parts of a line: its spaces, dashes and key, and a value. `hasPlainLines` accepts each value that the pattern of a value matches. */
const LINE = /^( *(?:- )*(?:[A-Za-z0-9_][A-Za-z0-9_./-]*:(?= |$))?)(?: *)(.*)$/
const SCALAR = `(?:'[ -&(-~]*'|"[ !#-[\\]-~]*"|[A-Za-z0-9_](?:[A-Za-z0-9_./@+=,;()-]|[: ](?=[A-Za-z0-9_])){0,200})`
const COMMENT = '(?: +#[ -~]*)?'

/** Returns the pattern of texts with the same keys and items as a text that `hasPlainLines` accepts, and any scalars. */
function patternOf(text: string, start: number): LinesPattern {
  const lines = plainLines(text, start)
  return { expression: expressionOf(lines, () => false), keys: lines.map(({ before }) => before).join('\n') }
}

/** A line of an object of plain maps. */
export interface PlainLine {
  /** The spaces, dashes and key. */
  readonly before: string
  /** The value with the comment behind it. */
  readonly value: string
  /** The offset of the value. */
  readonly start: number
}

/** Returns the lines from an offset of a text that `hasPlainLines` accepts. */
export function plainLines(text: string, start: number): readonly PlainLine[] {
  const lines = text.slice(start).split('\n')
  if (lines.at(-1) === '') lines.pop()
  let end = start - 1
  return lines.map((line) => {
    const [, before = '', value = ''] = LINE.exec(line) ?? []
    end += line.length + 1
    return { before, value, start: end - value.length }
  })
}

/**
 * Returns the expression of lines with the same keys and items as some lines, and any scalars.
 *
 * @param isCaptured  returns true for a line whose scalar becomes a group
 */
export function expressionOf(lines: readonly PlainLine[], isCaptured: (line: PlainLine) => boolean): RegExp {
  return new RegExp(`${lines.map((line) => linePattern(line, isCaptured(line))).join('\\n')}\\n?$`, 'y')
}

function linePattern({ before, value }: PlainLine, isCaptured: boolean): string {
  const head = before.replaceAll('.', '\\.')
  const between = before.endsWith(':') ? ' +' : ''
  if (value === '') return `${head} *${COMMENT}`
  if (value.startsWith('#')) return `${head}${between}#[ -~]*`
  if (value.startsWith('[')) return `${head}${between}${SHORT_LIST.source}${COMMENT}`
  return `${head}${between}${isCaptured ? `(${SCALAR})` : SCALAR}${COMMENT}`
}

/** Returns true for an object of `isOfPlainMaps`, without the patterns of other objects. */
export function hasPlainLines(text: string, passed: PassedLines | undefined): boolean {
  const maps = new OpenMaps()
  const root = text.startsWith('- ') ? 2 : 0
  const start = passed?.end ?? 0
  if (start > 0) for (const key of passed?.root ?? []) maps.addKey(root, sumOf(key, 0, key.length))
  for (let at = start; at !== -1; ) {
    if (at >= text.length) return true
    at = lineEnd(text, at, at === 0 ? root : behindSpaces(text, at), maps)
  }
  return false
}

/** Returns the start of the next line; -1 for another kind of line. The line begins at `start`, its first character is at `from`. */
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

/** The lines at the start of an object that need no check. */
export interface PassedLines {
  /** The root keys whose lines these may be. */
  readonly root: readonly string[]
  /** The start of the first line behind; 0 for none. */
  readonly end: number
}

/** The maps and lists around a line, the innermost last. */
class OpenMaps {
  /** Their columns, doubled; that of a list is the column of its dashes plus a half, because the map around it may have the same column. */
  readonly #columns: number[] = []
  /** The index in `#sums` of the first key of each map. */
  readonly #firsts: number[] = []
  /** A hash of each key of each map. Two keys with one hash count as repeated, so the object is read. */
  readonly #sums: number[] = []
  /** The innermost of `#columns` and of `#firsts`. */
  #column = -1
  #first = 0
  /** True if the key above has no value on its line, so that a map or list may begin here. */
  mayGoDeeper = true

  /** Adds a key. Returns false if it belongs to no open or new map, may be repeated, or if a limit is exceeded. */
  addKey(column: number, sum: number): boolean {
    return this.#enter(2 * column) && this.#isNew(sum)
  }

  /** Adds an item. Returns false if it belongs to no open or new list. A map or a scalar may begin after its dash. */
  addItem(dash: number): boolean {
    const isEntered = this.#enter(2 * dash + 1)
    this.mayGoDeeper = true
    return isEntered
  }

  #enter(column: number): boolean {
    if (column === this.#column) return true
    if (column > this.#column) return this.mayGoDeeper && this.#open(column)
    while (column < this.#column) this.#close()
    return column === this.#column
  }

  #open(column: number): boolean {
    this.#columns.push(column)
    this.#firsts.push(this.#sums.length)
    this.#column = column
    this.#first = this.#sums.length
    return this.#columns.length <= MOST_LEVELS
  }

  #close(): void {
    this.#columns.pop()
    this.#firsts.pop()
    this.#sums.length = this.#first
    this.#column = this.#columns.at(-1) ?? -1
    this.#first = this.#firsts.at(-1) ?? 0
  }

  #isNew(sum: number): boolean {
    for (let at = this.#first; at < this.#sums.length; at++) if (this.#sums[at] === sum) return false
    this.#sums.push(sum)
    return this.#sums.length - this.#first <= MOST_KEYS
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

/** Returns the offset of the colon after a plain key, -1 when there is no key. */
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

/** Returns the end of the value after a colon: `behind` itself for no value, -1 for a value that is not a short scalar. */
function valueEnd(text: string, behind: number): number {
  const start = behindSpaces(text, behind)
  const code = text.charCodeAt(start)
  if (isLineEnd(text, start) || code === HASH) return behind
  if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) return quoteEnd(text, start, code)
  if (code === OPENING_BRACKET) return shortListEnd(text, start)
  return KINDS[code] === 1 ? plainEnd(text, start) : -1
}

/** Matches a list of scalars on one line: words of letters, or texts in quotes without an escape. */
const SHORT_LIST = /\[(?:(?:[A-Za-z][A-Za-z0-9_./-]*|'[ -&(-~]*'|"[ !#-[\]-~]*")(?:, (?=[A-Za-z'"])|(?=\]))){1,20}\](?=[ \n]|$)/y

/** Returns the end of a list of scalars on the line, -1 for any other flow collection. */
function shortListEnd(text: string, start: number): number {
  SHORT_LIST.lastIndex = start
  return SHORT_LIST.test(text) ? SHORT_LIST.lastIndex : -1
}

/** Returns the end of a quoted text, -1 for one with a backslash. A doubled quote ends the text here too, but not its line. */
function quoteEnd(text: string, start: number, quote: number): number {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return text.charCodeAt(at + 1) === HASH ? -1 : at + 1
    if (!(code >= SPACE && code <= TILDE) || code === BACKSLASH) return -1
  }
}

/** Returns the end of a plain value of one or more words, -1 if a colon at the end of a word would make a key. */
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

/** Returns the start of the next line if only an ASCII comment or nothing is before it, otherwise -1. */
function commentEnd(text: string, start: number): number {
  let at = start
  if (text.charCodeAt(at) === HASH) while (text.charCodeAt(at) >= SPACE && text.charCodeAt(at) <= TILDE) at++
  return isLineEnd(text, at) ? at + 1 : -1
}
