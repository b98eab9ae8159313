import type { FieldPath } from '../../field-path.ts'
import { type JsonValue, memberOf } from '../../json.ts'
import type { Position } from '../../result.ts'
import { linkAliases, targetOf } from './alias-targets.ts'
import { type Builder, NODES, TEXTS, type Texts, textsOf, VALUES } from './builder.ts'
import { type ObjectFrame, readFast } from './fast-reader.ts'
import { MAX_UNUSUAL } from './limits.ts'
import { columnOf } from './lines.ts'
import { findChild, type Node, nodesAlong } from './node.ts'
import { AliasError, nodeValue } from './node-value.ts'
import { type FoundPlace, placeInTree } from './place.ts'
import { PlaceFinder } from './place-finder.ts'
import { countPoints } from './position.ts'
import { type Wanted, wantedKeys } from './wanted.ts'
import { mergeAnchor } from './written.ts'
import { readYaml, YamlError } from './yaml-reader.ts'

/** Where the lines of a text begin, found once: a text with many findings is asked for many places. */
export class LineIndex {
  readonly #text: string
  readonly #starts: readonly number[]
  /** The place that was asked for last: the next one is most likely behind it, and lines may be long. */
  #last = { start: 0, offset: 0, points: 0 }

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#text = text
    this.#starts = starts
  }

  /** Line and column of an offset, both from 1; columns count code points. */
  positionAt(offset: number): Position {
    let [low, high] = [0, this.#starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: this.#pointsTo(this.#starts[low] ?? 0, offset) + 1 }
  }

  #pointsTo(start: number, offset: number): number {
    const known = this.#last.start === start && this.#last.offset <= offset ? this.#last : { offset: start, points: 0 }
    const points = known.points + countPoints(this.#text, known.offset, offset)
    this.#last = { start, offset, points }
    return points
  }
}

/** How a text is to be read. */
export interface ReadingOptions {
  readonly frame: ObjectFrame
  /** The root keys that are most asked for, of which there are nodes without a tree of the whole text. */
  readonly head: Wanted
  /** Called when something is read of a text of this length that is worth keeping. */
  keep(length: number): void
  /** Called before the full parser reads a text of this length; throws YamlError when it must not. */
  readFully(length: number): void
}

/** What the readers make of one text, as far as somebody asked, and kept as long as this is. */
export class TextReading {
  readonly #text: string
  readonly #options: ReadingOptions
  #head: Node | undefined
  #root: Node | undefined
  /** Values by root key, undefined for the whole; null: the fast reader refused. */
  #values: Map<string | undefined, { readonly value: JsonValue } | null> | undefined
  #lines: LineIndex | undefined
  #places: PlaceFinder | undefined
  /** Whether the fast reader takes all of the text and finds nothing unusual; undefined: not tried. */
  #usual: boolean | undefined
  #unusual = false

  constructor(text: string, options: ReadingOptions) {
    this.#text = text
    this.#options = options
  }

  /** Lets go of trees and values. Where things stand stays: it takes little room, and is asked for once for each finding. */
  forget(): void {
    this.#head = undefined
    this.#root = undefined
    this.#values = undefined
  }

  /** Whether nothing is known after that. */
  isBlank(): boolean {
    return this.#lines === undefined && this.#places === undefined
  }

  /** The root node, with the keys of the head at least. Throws YamlError when the text is no YAML. */
  head(): Node {
    // What is unusual in one part may have to do with another: an anchor with an alias.
    if (this.#unusual) return this.root()
    if (this.#head === undefined) {
      const head = this.#root ?? this.#readHead()
      // An alias of the head may stand for something behind it.
      this.#head = head === undefined || this.#unusual ? this.root() : head
      this.#options.keep(this.#text.length)
    }
    return this.#head
  }

  #readHead(): Node | undefined {
    const { frame, head } = this.#options
    return readFast(this.#text, NODES, { frame, wanted: head })
  }

  /** The root node, whole. Throws YamlError when the text is no YAML. */
  root(): Node {
    if (this.#root === undefined) {
      this.#root = this.#read(NODES) ?? this.#readAll()
      if (this.#unusual) linkAliases(this.#root)
      this.#options.keep(this.#text.length)
    }
    return this.#root
  }

  /** Reads all of the text, without nodes where there is nothing unusual. Throws YamlError when it is no YAML. */
  check(): void {
    if (!this.#isUsual()) this.root()
  }

  /** Some texts of scalars, read without nodes where there are none. Of most objects nothing more is ever asked, so they are not kept. */
  texts(wanted: Wanted): Texts {
    const known = this.#root ?? this.#head
    if (known !== undefined) return textsOf(known, wanted)
    return this.#read(TEXTS, wanted) ?? textsOf(this.root(), wanted)
  }

  /**
   * The value at a path, undefined when there is none. What stands below other root keys is not looked at.
   *
   * @throws AliasError  when the path leads through an alias that stands for nothing known, or through a merge key, or its value holds one
   */
  valueAt(path: FieldPath): JsonValue | undefined {
    const read = this.#valueOf(typeof path[0] === 'string' ? path[0] : undefined)
    if (read !== null) return path.reduce<JsonValue | undefined>(memberOf, read.value)
    const nodes = this.nodesTo(path)
    return nodes.length > path.length ? nodeValue(nodes.at(-1) ?? this.root(), path) : undefined
  }

  /** The object with its root key at least. */
  #valueOf(key: string | undefined): { readonly value: JsonValue } | null {
    this.#values ??= new Map()
    const known = this.#values.get(undefined) ?? this.#values.get(key)
    if (known !== undefined) return known
    const value = this.#read(VALUES, key === undefined ? undefined : wantedKeys([key]))
    const read = value === undefined ? null : { value }
    this.#values.set(key, read)
    this.#options.keep(this.#text.length)
    return read
  }

  /** The object with what is wanted of it, read once more whenever it is asked for; undefined when only nodes can tell. */
  pick(wanted: Wanted | undefined): JsonValue | undefined {
    return this.#read(VALUES, wanted)
  }

  /** What is unusual may be so in a text that the full parser would take as well. */
  #read<Value, OpenMap, OpenList>(builder: Builder<Value, OpenMap, OpenList>, wanted?: Wanted): Value | undefined {
    let isUnusual = false
    const unusual = () => {
      isUnusual = true
    }
    const isTaken = this.#text.length <= MAX_UNUSUAL
    const read = readFast(this.#text, builder, { frame: this.#options.frame, wanted, unusual: isTaken ? unusual : undefined })
    if (wanted === undefined) this.#usual = read !== undefined && !isUnusual
    if (read !== undefined) this.#unusual ||= isUnusual
    return read
  }

  /** The root node with all that an edit at the path has to know; no more is read than needed. */
  nodeFor(path: FieldPath): Node {
    const head = path.length > 1 && typeof path[0] === 'string' && this.#options.head.has(path[0]) ? this.head() : undefined
    return head !== undefined && nodesAlong(head, path.slice(0, 1)).length === 2 ? head : this.root()
  }

  /**
   * The nodes along a path as far as it exists, read no further than needed.
   *
   * @throws AliasError  when the path leads into an alias that stands for nothing known, or a map with a merge key
   */
  nodesTo(path: FieldPath): readonly Node[] {
    const nodes = [seen(this.nodeFor(path), [])]
    for (const [depth, step] of path.entries()) {
      const above = nodes[depth] ?? this.root()
      const child = findChild(above, step)
      if (child === undefined) {
        refuseMerged(above, path.slice(0, depth))
        break
      }
      nodes.push(seen(child, path.slice(0, depth + 1)))
    }
    return nodes
  }

  /** Whether something was read that kpt does not write: duplicate keys, anchors, aliases, odd layouts. */
  isUnusual(): boolean {
    return this.#unusual
  }

  /** Whether a node is the root, whole. */
  isRoot(node: Node): boolean {
    return node === this.#root
  }

  #readAll(): Node {
    this.#unusual = true
    this.#options.readFully(this.#text.length)
    const object = this.#inFrame(readYaml(this.#text))
    if (object === undefined) throw new YamlError('expected one object', 0)
    return object
  }

  /** The node of the object in what was read of the text around it. */
  #inFrame(node: Node | undefined): Node | undefined {
    const { frame } = this.#options
    if (frame === 'item') return node?.type === 'sequence' && node.items.length === 1 ? node.items[0]?.value : undefined
    if (frame === 'entry') return node?.type === 'map' && node.entries.length === 1 ? node.entries[0]?.value : undefined
    return node
  }

  /** The place of what is at the path, or of its nearest ancestor that is there. */
  placeAt(path: FieldPath): FoundPlace {
    const found = this.#root === undefined ? this.#findPlace(path) : undefined
    return found ?? placeInTree(this.root(), path)
  }

  #findPlace(path: FieldPath): FoundPlace | undefined {
    if (!this.#isUsual()) return undefined
    this.#places ??= new PlaceFinder(this.#text, this.#options.frame)
    return this.#places.find(path)
  }

  #isUsual(): boolean {
    if (this.#usual === undefined) this.#valueOf(undefined)
    return this.#usual === true
  }

  /** Line and column in the text of an offset. */
  positionAt(offset: number): Position {
    this.#lines ??= new LineIndex(this.#text)
    return this.#lines.positionAt(offset)
  }

  /** UTF-16 units between the line start and the offset. */
  columnOf(offset: number): number {
    return columnOf(this.#text, offset)
  }
}

/** A node, or what it stands for. */
function seen(node: Node, path: FieldPath): Node {
  if (node.type !== 'alias') return node
  const target = targetOf(node)
  if (target === undefined) throw new AliasError(node.anchor ?? '', path)
  return target
}

/** What a merge key may bring is not known to be missing. */
function refuseMerged(node: Node, path: FieldPath): void {
  const anchor = mergeAnchor(node)
  if (anchor !== undefined) throw new AliasError(anchor, path)
}
