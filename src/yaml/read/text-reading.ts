import { lastThat } from '../../binary-search.ts'
import type { FieldPath } from '../../field-path.ts'
import { type JsonValue, memberOf, newRecord } from '../../json.ts'
import type { Position } from '../../result.ts'
import { AliasError, linkAliases, targetOf } from './alias-targets.ts'
import { type Builder, NODES, TEXTS, type Texts, textsOf, VALUES } from './builder.ts'
import { type ObjectFrame, readFast } from './fast-reader.ts'
import { MAX_UNUSUAL } from './limits.ts'
import { columnOf, countPoints, positionAt } from './lines.ts'
import { mergedEntry, requireMerged } from './merge-keys.ts'
import { findChild, type Node, nodesAlong } from './node.ts'
import { nodeValue } from './node-value.ts'
import { type FoundPlace, PlaceFinder, placeInTree } from './place-finder.ts'
import { type Wanted, wantedKeys } from './wanted.ts'
import { YamlError } from './yaml-error.ts'
import { readYaml } from './yaml-reader.ts'

/** The line starts of a text, computed once, because a text with many findings needs many positions. */
export class LineIndex {
  readonly #text: string
  readonly #starts: readonly number[]
  /** The position asked for last: the next one is usually after it, and lines may be long. */
  #last = { start: 0, offset: 0, points: 0 }

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#text = text
    this.#starts = starts
  }

  /** Returns line and column of an offset, both from 1; columns count code points. */
  positionAt(offset: number): Position {
    const line = lastThat(this.#starts.length, (at) => (this.#starts[at] ?? 0) <= offset)
    return { line: line + 1, column: this.#pointsTo(this.#starts[line] ?? 0, offset) + 1 }
  }

  #pointsTo(start: number, offset: number): number {
    const known = this.#last.start === start && this.#last.offset <= offset ? this.#last : { offset: start, points: 0 }
    const points = known.points + countPoints(this.#text, known.offset, offset)
    this.#last = { start, offset, points }
    return points
  }
}

/** A document whose nodes and values can be freed, and whose pending edits can be written. */
export interface OpenDocument {
  readonly owner: DocumentOwner
  /** Frees the cached nodes and values. */
  forget(): void
  /** Writes the pending edits into the text. */
  write(): void
}

/** The file or list that documents are part of: where the documents are, and the limits and caches that they share. */
export interface DocumentOwner {
  readonly frame: ObjectFrame
  /** The root keys that are needed most; their nodes are read without those of the whole text. */
  readonly head: Wanted
  /** Called when nodes or values of a text of this length were cached. */
  keep(document: OpenDocument, length: number): void
  /** Called before the full parser reads a text of this length. Throws YamlError when a limit is exceeded. */
  readFully(document: OpenDocument, length: number): void
  /** Called when a document has pending edits. */
  edited(document: OpenDocument): void
  /** Returns the position in the file of an offset in the text that was read, for messages. */
  locate(document: OpenDocument, offset: number, reading: TextReading): Position
  /** Returns the error to throw for a text that is not YAML, with the position of the fault in the text. */
  unreadable(document: OpenDocument, message: string, position: Position): Error
  /** Returns the indentation of lists below a key if something besides the text specifies it. */
  sequences(head: Node): 'wide' | 'compact' | undefined
}

/** The nodes, values and positions of one text, read on demand and cached. */
export class TextReading {
  readonly #text: string
  readonly #document: OpenDocument
  #head: Node | undefined
  #root: Node | undefined
  /** Values by root key; the key undefined has the whole value. The value null: the fast reader refused the text. */
  #values: Map<string | undefined, { readonly value: JsonValue } | null> | undefined
  #lines: LineIndex | undefined
  #places: PlaceFinder | undefined
  /** True if the fast reader accepts all of the text and reports nothing unusual; undefined before the first try. */
  #usual: boolean | undefined
  #unusual = false

  constructor(text: string, document: OpenDocument) {
    this.#text = text
    this.#document = document
  }

  /** Frees nodes and values. Line starts and places stay: they take little memory and are needed for each finding. */
  forget(): void {
    this.#head = undefined
    this.#root = undefined
    this.#values = undefined
  }

  /** Returns true if nothing is cached after `forget`. */
  isBlank(): boolean {
    return this.#lines === undefined && this.#places === undefined
  }

  /** Returns the root node with at least the keys of the head. Throws as `root`. */
  head(): Node {
    // An unusual part may depend on another part: an alias on an anchor.
    if (this.#unusual) return this.root()
    if (this.#head === undefined) {
      const { frame, head: wanted } = this.#document.owner
      const head = this.#root ?? readFast(this.#text, NODES, { frame, wanted })
      // The whole text is needed to link the aliases of the head.
      this.#head = head === undefined || this.#unusual ? this.root() : head
      this.#keep()
    }
    return this.#head
  }

  /** Returns the whole root node. Throws the owner's error when the text is not YAML. */
  root(): Node {
    const root = this.#root ?? this.rootOrFault()
    if (!(root instanceof YamlError)) return root
    throw this.#document.owner.unreadable(this.#document, root.message, positionAt(this.#text, root.offset))
  }

  /** Returns the whole root node, or the fault of a text that is not YAML. */
  rootOrFault(): Node | YamlError {
    if (this.#root !== undefined) return this.#root
    const root = this.#read(NODES) ?? this.#readAll()
    if (root instanceof YamlError) return root
    if (this.#unusual) linkAliases(root)
    this.#root = root
    this.#keep()
    return root
  }

  #keep(): void {
    this.#document.owner.keep(this.#document, this.#text.length)
  }

  /** Reads all of the text, without nodes if nothing is unusual. Throws as `root`. */
  check(): void {
    if (!this.#isUsual()) this.root()
  }

  /** Returns the texts of the wanted scalars, from cached nodes if there are any. Caches no texts, because most objects need them once. */
  texts(wanted: Wanted): Texts {
    const known = this.#root ?? this.#head
    if (known !== undefined) return textsOf(known, wanted)
    return this.#read(TEXTS, wanted) ?? textsOf(this.root(), wanted)
  }

  /**
   * Returns the value at a path, undefined when there is none. Skips the values of other root keys.
   *
   * @throws AliasError  when the path leads through an alias with an unknown value or a merge key, or the value contains one
   */
  valueAt(path: FieldPath): JsonValue | undefined {
    const read = this.#objectWith(typeof path[0] === 'string' ? path[0] : undefined)
    if (read !== null) return path.reduce<JsonValue | undefined>(memberOf, read.value)
    const nodes = this.nodesTo(path)
    return nodes.length > path.length ? nodeValue(nodes.at(-1) ?? this.root(), path) : undefined
  }

  /** Returns the object with at least the root key; null when only nodes can give its value. */
  #objectWith(key: string | undefined): { readonly value: JsonValue } | null {
    this.#values ??= new Map()
    const known = this.#values.get(undefined) ?? this.#values.get(key)
    if (known !== undefined) return known
    const value = this.#valueOfNodes(key) ?? this.#read(VALUES, key === undefined ? undefined : wantedKeys([key]))
    const read = value === undefined ? null : { value }
    this.#values.set(key, read)
    this.#keep()
    return read
  }

  /** Returns the object with at least the root key from its nodes; undefined if they were not read, or not by the fast reader alone. */
  #valueOfNodes(key: string | undefined): JsonValue | undefined {
    const root = this.#root
    if (root === undefined || this.#unusual) return undefined
    if (key === undefined || root.type !== 'map') return nodeValue(root)
    const record = newRecord()
    const child = findChild(root, key)
    if (child !== undefined) record[key] = nodeValue(child)
    return record
  }

  /** Returns the wanted parts of the object, read anew at each call; undefined when only nodes can give them. */
  pick(wanted: Wanted | undefined): JsonValue | undefined {
    return this.#read(VALUES, wanted)
  }

  /** Reads the text with the fast reader. Accepts unusual parts only in a text that is short enough for the full parser. */
  #read<Value, OpenMap, OpenList>(builder: Builder<Value, OpenMap, OpenList>, wanted?: Wanted): Value | undefined {
    let isUnusual = false
    const unusual = () => {
      isUnusual = true
    }
    const isTaken = this.#text.length <= MAX_UNUSUAL
    const read = readFast(this.#text, builder, { frame: this.#document.owner.frame, wanted, unusual: isTaken ? unusual : undefined })
    if (wanted === undefined) this.#usual = read !== undefined && !isUnusual
    if (read !== undefined) this.#unusual ||= isUnusual
    return read
  }

  /** Returns a root node with everything that an edit at the path needs, and reads no more than that. */
  nodeFor(path: FieldPath): Node {
    const head = path.length > 1 && typeof path[0] === 'string' && this.#document.owner.head.has(path[0]) ? this.head() : undefined
    return head !== undefined && nodesAlong(head, path.slice(0, 1)).length === 2 ? head : this.root()
  }

  /**
   * Returns the nodes along a path as far as it exists, and reads no more than needed. An alias is replaced by its value.
   *
   * @throws AliasError  when the path leads to an alias or a merge key with an unknown value
   */
  nodesTo(path: FieldPath): readonly Node[] {
    const nodes = [seen(this.nodeFor(path), [])]
    for (const [depth, step] of path.entries()) {
      const above = nodes[depth] ?? this.root()
      const child = findChild(above, step) ?? inherited(above, step, path.slice(0, depth))
      if (child === undefined) break
      nodes.push(seen(child, path.slice(0, depth + 1)))
    }
    return nodes
  }

  /** Returns true if a reader found a part that kpt does not write: repeated keys, anchors, aliases, odd layouts. */
  isUnusual(): boolean {
    return this.#unusual
  }

  /** Returns true if the node is the whole root. */
  isRoot(node: Node): boolean {
    return node === this.#root
  }

  #readAll(): Node | YamlError {
    this.#unusual = true
    try {
      this.#document.owner.readFully(this.#document, this.#text.length)
      return this.#inFrame(readYaml(this.#text)) ?? new YamlError('expected one object', 0)
    } catch (error) {
      if (error instanceof YamlError) return error
      throw error
    }
  }

  /** Returns the node of the object inside its frame; undefined if the frame has not exactly one member. */
  #inFrame(node: Node): Node | undefined {
    const { frame } = this.#document.owner
    if (frame === 'item') return node.type === 'sequence' && node.items.length === 1 ? node.items[0]?.value : undefined
    if (frame === 'entry') return node.type === 'map' && node.entries.length === 1 ? node.entries[0]?.value : undefined
    return node
  }

  /** Returns the place at the path, or of its nearest existing ancestor. */
  placeAt(path: FieldPath): FoundPlace {
    const found = this.#root === undefined ? this.#findPlace(path) : undefined
    return found ?? placeInTree(this.root(), path)
  }

  #findPlace(path: FieldPath): FoundPlace | undefined {
    if (!this.#isUsual()) return undefined
    this.#places ??= new PlaceFinder(this.#text, this.#document.owner.frame)
    return this.#places.find(path)
  }

  #isUsual(): boolean {
    if (this.#usual === undefined) this.#objectWith(undefined)
    return this.#usual === true
  }

  /** Returns line and column of an offset in the text. */
  positionAt(offset: number): Position {
    this.#lines ??= new LineIndex(this.#text)
    return this.#lines.positionAt(offset)
  }

  /** Returns the number of UTF-16 units between the line start and the offset. */
  columnOf(offset: number): number {
    return columnOf(this.#text, offset)
  }
}

/** Returns the node, or the value of an alias. Throws AliasError when that value is unknown. */
function seen(node: Node, path: FieldPath): Node {
  if (node.type !== 'alias') return node
  const target = targetOf(node)
  if (target === undefined) throw new AliasError(node.anchor ?? '', path)
  return target
}

/** Returns the value of a key that a merge key brings in; undefined when there is none. Throws AliasError when it may be unknown. */
function inherited(node: Node, step: string | number, path: FieldPath): Node | undefined {
  if (node.type !== 'map') return undefined
  requireMerged(node, path)
  return mergedEntry(node, String(step))?.value
}
