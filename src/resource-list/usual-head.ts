import { emitEntry } from '../yaml/emit/emit.ts'
import { NODES } from '../yaml/read/builder.ts'
import { DOUBLE_QUOTE, LINE_FEED, SINGLE_QUOTE } from '../yaml/read/character.ts'
import { type ObjectFrame, readFast } from '../yaml/read/fast-reader.ts'
import { RecentPatterns } from '../yaml/read/recent-patterns.ts'
import { type Captured, ENTRY_DEPTH, type EntryPart, type HeadLines, KEY, PatternOfHead } from './head-lines.ts'
import { HEAD, type Identity, keyOfEntry, knownMap, NO_BLANKS, NO_WIRE, sharedMap, sharedText } from './identity.ts'
import { fileAt } from './wire-annotations.ts'

/** The identity of an object whose first lines are as kpt writes them. */
export interface UsualHead {
  readonly identity: Identity
  /** The start of the first line behind `apiVersion`, `kind` and `metadata`; 0 if `metadata` has other keys. */
  readonly end: number
}

/**
 * Returns the head of an object; undefined if its lines are other than kpt writes them. The objects of a list have few different sequences
 * of keys: a pattern is made of each, and reads all lines of the next such object at once, in a sixth of the time of the fast reader. What
 * the pattern accepts has the same meaning for the fast reader.
 */
export function readUsualHead(text: string, frame: ObjectFrame): UsualHead | undefined {
  if (frame === 'entry' || hasOtherBreak(text)) return undefined
  return frame === 'item' ? ITEMS.read(text) : DOCUMENTS.read(text)
}

/** Returns true for the key of a map of `metadata` to which `withUsualEntry` adds entries. */
export function isEntryPart(key: string | number | undefined): key is EntryPart {
  return key === 'labels' || key === 'annotations'
}

/**
 * Returns the text of an object with a new entry behind the last one of its labels or annotations, as `YamlDocument.set` writes it.
 * Returns undefined if the map is missing or has the key, for a value of several lines, and if the lines of the head are other than kpt
 * writes them.
 */
export function withUsualEntry(
  text: string,
  frame: ObjectFrame,
  part: EntryPart,
  [key, value]: readonly [string, string],
): string | undefined {
  if (frame === 'entry' || hasOtherBreak(text)) return undefined
  const shapes = frame === 'item' ? ITEMS : DOCUMENTS
  const place = shapes.placeBehind(text, part, key)
  if (place === undefined) return undefined
  const column = shapes.column + ENTRY_DEPTH
  const entry = emitEntry(key, value, { column, sequences: 'compact', literals: true })
  return entry.includes('\n') ? undefined : `${text.slice(0, place)}${' '.repeat(column)}${entry}\n${text.slice(place)}`
}

/** Returns true if some reader ends a line at something else than a line feed. */
function hasOtherBreak(text: string): boolean {
  return text.includes('\r') || text.includes('\x85') || text.includes('\u2028') || text.includes('\u2029')
}

/** The patterns of the objects of one frame. */
class HeadShapes {
  /** The column of the keys of an object. */
  readonly column: number
  readonly #frame: ObjectFrame
  readonly #tail: Tail
  readonly #shapes = new RecentPatterns<HeadShape>()

  constructor(frame: ObjectFrame, column: number) {
    this.column = column
    this.#frame = frame
    this.#tail = new Tail(column)
  }

  read(text: string): UsualHead | undefined {
    return this.#shapes.find((shape) => shape.read(text)) ?? (this.#shapes.takeCredit() ? this.#readNew(text) : undefined)
  }

  /** Returns the start of the line behind the labels or annotations of an object; undefined if they are missing or have the key. */
  placeBehind(text: string, part: EntryPart, key: string): number | undefined {
    const find = () => this.#shapes.find((shape) => shape.placeBehind(text, part, key))
    return find() ?? (this.#shapes.takeCredit() && this.#readNew(text) !== undefined ? find() : undefined)
  }

  #readNew(text: string): UsualHead | undefined {
    const root = readFast(text, NODES, { frame: this.#frame, wanted: HEAD })
    const lines = root?.type === 'map' && !root.flow ? new PatternOfHead(this.column).linesOf(root) : undefined
    if (lines === undefined) return undefined
    const shape = new HeadShape(lines, this.#tail, this.column)
    const head = shape.read(text)
    if (head !== undefined) this.#shapes.add(shape)
    return head
  }
}

const NO_ENTRIES: ReadonlyMap<string, string> = new Map()

/** Reads the heads with one sequence of keys. */
class HeadShape {
  readonly #pattern: RegExp
  /** The pattern in two parts, for each map to which an entry was added. */
  readonly #around = new Map<EntryPart, readonly [RegExp, RegExp]>()
  readonly #start: string
  readonly #behind: string
  readonly #tail: Tail
  readonly #lines: HeadLines
  /** The indexes of the captured texts that occur once, -1 for one that the head does not have. */
  readonly #places: Readonly<Record<Exclude<Captured['part'], 'labels' | 'annotations'>, number>>
  /** The captured texts of the head that was read last, as written and as values. Many are equal to those of the next head. */
  readonly #written: string[]
  readonly #values: string[]
  /** The indexes of the captured labels. */
  readonly #firstLabel: number
  readonly #endOfLabels: number
  #labels: ReadonlyMap<string, string> | undefined
  #annotations: ReadonlyMap<string, string> | undefined
  #wire: Identity['wire'] | undefined

  constructor(lines: HeadLines, tail: Tail, column: number) {
    this.#lines = lines
    this.#start = column === 0 ? '' : '- '
    this.#behind = `(?=${' '.repeat(column)}[A-Za-z]|$)`
    this.#pattern = new RegExp(`${this.#start}${lines.source}${this.#behind}`, 'y')
    this.#tail = tail
    const placeOf = (part: Captured['part']) => lines.captured.findIndex((each) => each.part === part)
    this.#places = {
      apiVersion: placeOf('apiVersion'),
      kind: placeOf('kind'),
      name: placeOf('name'),
      namespace: placeOf('namespace'),
      path: placeOf('path'),
      index: placeOf('index'),
      packagePath: placeOf('packagePath'),
    }
    this.#firstLabel = Math.max(0, placeOf('labels'))
    this.#endOfLabels = lines.captured.findLastIndex(({ part }) => part === 'labels') + 1
    this.#written = lines.captured.map(() => '')
    this.#values = lines.captured.map(() => '')
  }

  read(text: string): UsualHead | undefined {
    this.#pattern.lastIndex = 0
    const found = this.#pattern.exec(text)
    const end = this.#pattern.lastIndex
    if (found === null || !this.#tail.isUsual(text, end)) return undefined
    this.#take(found)
    return { identity: this.#identity(), end: this.#lines.isPlain ? end : 0 }
  }

  /** Returns the start of the line behind a map without the key; undefined for another text. */
  placeBehind(text: string, part: EntryPart, key: string): number | undefined {
    const map = this.#lines.maps.get(part)
    if (map === undefined || map.keys.has(key)) return undefined
    const [before, behind] = this.#around.get(part) ?? this.#cutAt(part, map.end)
    const place = endOfMatch(before, text, 0)
    const end = place === -1 ? -1 : endOfMatch(behind, text, place)
    return end === -1 || !this.#tail.isUsual(text, end) ? undefined : place
  }

  #cutAt(part: EntryPart, end: number): readonly [RegExp, RegExp] {
    const { source } = this.#lines
    const parts = [
      new RegExp(`${this.#start}${source.slice(0, end)}`, 'y'),
      new RegExp(`${source.slice(end)}${this.#behind}`, 'y'),
    ] as const
    this.#around.set(part, parts)
    return parts
  }

  /** Keeps the texts that differ from those of the head before. */
  #take(found: RegExpExecArray): void {
    const { captured } = this.#lines
    for (let at = 0; at < captured.length; at++) {
      const written = found[at + 1] ?? ''
      if (written === this.#written[at]) continue
      this.#written[at] = written
      const value = withoutQuotes(written)
      const part = captured[at]?.part
      this.#values[at] = part === 'apiVersion' || part === 'kind' || part === 'namespace' ? (sharedText(value) ?? '') : value
      if (part === 'labels') this.#labels = undefined
      else if (part === 'annotations') this.#annotations = undefined
      else if (part !== 'name') this.#wire = undefined
    }
  }

  #identity(): Identity {
    this.#labels ??= this.#knownLabels() ?? sharedMap(this.#mapOf('labels'))
    this.#annotations ??= this.#mapOf('annotations')
    this.#wire ??= this.#lines.wireCount === 0 ? NO_WIRE : this.#newWire()
    return {
      apiVersion: this.#valueAt(this.#places.apiVersion),
      kind: this.#valueAt(this.#places.kind),
      name: this.#valueAt(this.#places.name),
      namespace: this.#valueAt(this.#places.namespace),
      labels: this.#labels,
      annotations: this.#annotations,
      blanks: NO_BLANKS,
      wire: this.#wire,
    }
  }

  /** Returns a map that equal labels of other objects share, without making one. */
  #knownLabels(): ReadonlyMap<string, string> | undefined {
    let key = ''
    for (let at = this.#firstLabel; at < this.#endOfLabels; at++)
      key += keyOfEntry(this.#lines.captured[at]?.key ?? '', this.#values[at] ?? '')
    return knownMap(key)
  }

  #mapOf(part: 'labels' | 'annotations'): ReadonlyMap<string, string> {
    const { captured } = this.#lines
    const entries = new Map<string, string>()
    for (let at = 0; at < captured.length; at++) {
      const each = captured[at]
      if (each?.part === part) entries.set(each.key, this.#values[at] ?? '')
    }
    return entries.size === 0 ? NO_ENTRIES : entries
  }

  #newWire(): Identity['wire'] {
    const { wireCount, annotationCount } = this.#lines
    // The line of `annotations:` is not in the file either if the map has no other annotations.
    const lineCount = wireCount === annotationCount ? wireCount + 1 : wireCount
    return {
      file: fileAt(this.#valueAt(this.#places.path), this.#valueAt(this.#places.index)),
      packagePath: this.#valueAt(this.#places.packagePath),
      lineCount,
    }
  }

  #valueAt(place: number): string | undefined {
    return place === -1 ? undefined : this.#values[place]
  }
}

/** Returns the end of a match that begins at `start`, -1 if there is none. */
function endOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** Returns the text of a value that `VALUE` matches. */
function withoutQuotes(written: string): string {
  const code = written.charCodeAt(0)
  return code === SINGLE_QUOTE || code === DOUBLE_QUOTE ? written.slice(1, -1) : written
}

/** Matches the lines behind a head without reading them: keys of the object, and values below. */
class Tail {
  readonly #key: RegExp
  readonly #below: RegExp

  /** @param column  of the keys of the object */
  constructor(column: number) {
    const indent = ' '.repeat(column)
    const below = '(?: *| +[#|>][^\\n]*)(?=\\n)'
    const beside = ` +[^ #|>&!\\n][^\\n]*(?:\\n(?=${indent}[A-Za-z])|\\n?$)`
    this.#key = new RegExp(`${indent}(?!(?:apiVersion|kind|metadata):)${KEY}:(?:${below}|${beside})`, 'y')
    this.#below = new RegExp(`\\n(?! {${column + 1}}| {${column}}-(?:[ \\n]|$)| *(?:#[^\\n]*)?(?:\\n|$))`, 'g')
  }

  /** Returns true if the text from the start of a line has only other keys of the object, and lines of their values. */
  isUsual(text: string, start: number): boolean {
    let line = start
    while (line < text.length) {
      this.#key.lastIndex = line
      if (!this.#key.test(text)) return false
      line = this.#key.lastIndex
      if (text.charCodeAt(line) !== LINE_FEED) continue
      this.#below.lastIndex = line
      if (!this.#below.test(text)) return true
      line = this.#below.lastIndex
    }
    return true
  }
}

/** The patterns of the objects of lists in kpt's layout, with dashes in the first column, and of documents. */
const ITEMS = new HeadShapes('item', 2)
const DOCUMENTS = new HeadShapes('document', 0)
