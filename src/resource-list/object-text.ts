import type { FieldPath } from '../field-path.ts'
import { type JsonValue, memberOf } from '../json.ts'
import type { FileRef, Position } from '../result.ts'
import { type Builder, NODES, TEXTS, type Texts, textsOf, VALUES } from './builder.ts'
import { type Frame, readFast } from './fast-reader.ts'
import { HEAD, IDENTITY, wireLines } from './identity.ts'
import { LineIndex } from './line-index.ts'
import { findEntry, type Node, nodesAlong, walk } from './node.ts'
import { AliasError } from './node-value.ts'
import { columnOf } from './place.ts'
import { Places } from './places.ts'
import type { Sequences } from './put.ts'
import { type UsualStart, usualStart } from './usual-start.ts'
import type { Wanted } from './wanted.ts'
import { seqindent } from './wire-annotations.ts'
import { positionAt, WireError } from './wire-error.ts'
import { type DuplicateKey, duplicateKeys, mergeAnchor, type WrittenAlias, writtenAliases } from './written.ts'
import { readYaml, YamlError } from './yaml-reader.ts'

/** More than any one function goes back and forth between. */
const MAX_KEPT = 500

/** The file a document came from, and the line on which it begins there, from 1. */
export type Origin = FileRef & { readonly line: number }

// One for all: a closure for each of a million texts would be kept until the end.
const noLines = () => 0

/** The text of one object, what the readers make of it, and where it stands in its file. */
export class ObjectText {
  /** The texts of which something that was read is kept, in the order in which they were read. */
  static readonly #kept = new Set<ObjectText>()
  readonly #frame: Frame
  readonly #origin: Origin | undefined
  readonly #original: string
  /** Lines of the file before the first line of an item, which its list works out when somebody asks. */
  linesBefore: (text: ObjectText) => number = noLines
  #text: string
  #head: Node | undefined
  #root: Node | undefined
  #unusual = false
  /** Whether the fast reader takes all of the text; undefined: not tried. */
  #usual: boolean | undefined
  #lines: LineIndex | undefined
  #places: Places | undefined
  #glance: UsualStart | 'unusual' | undefined

  constructor(text: string, frame: Frame, origin?: Origin) {
    this.#text = text
    this.#original = text
    this.#frame = frame
    this.#origin = origin
  }

  /** A text that no file held before. */
  static made(text: string, frame: Frame, origin?: Origin): ObjectText {
    const made = new ObjectText('', frame, origin)
    made.#text = text
    return made
  }

  get text(): string {
    return this.#text
  }

  get changed(): boolean {
    return this.#text !== this.#original
  }

  get file(): FileRef | undefined {
    return this.#origin && { path: this.#origin.path, index: this.#origin.index }
  }

  /** apiVersion and kind where the text begins as kpt writes every item; undefined where only reading can tell. */
  glance(): UsualStart | undefined {
    if (this.#glance === undefined) this.#glance = (this.#frame === 'item' ? usualStart(this.#text) : undefined) ?? 'unusual'
    return this.#glance === 'unusual' ? undefined : this.#glance
  }

  /** The root node with at least apiVersion, kind and metadata. Throws WireError when the text is no YAML. */
  head(): Node {
    if (this.#head === undefined) {
      this.#head = this.#root ?? this.#read(NODES, HEAD) ?? this.root()
      ObjectText.#keep(this)
    }
    return this.#head
  }

  /** The texts of what makes up an identity. Of most objects nothing more is ever asked, so no nodes are kept for it. */
  identityTexts(): Texts {
    const known = this.#root ?? this.#head
    this.#head = undefined
    if (known !== undefined) return textsOf(known)
    return this.#read(TEXTS, IDENTITY) ?? textsOf(this.root())
  }

  /**
   * The value at a path, read without nodes. undefined: nodes have to tell, since they are there already, or the text is unusual.
   *
   * @param wanted  what of the object has to be read for it
   */
  valueAtOnce(path: FieldPath, wanted: Wanted | undefined): { readonly value: JsonValue | undefined } | undefined {
    if (this.#root !== undefined) return undefined
    const object = this.#read(VALUES, wanted)
    return object === undefined ? undefined : { value: path.reduce(memberOf, object) }
  }

  #read<Value, OpenMap, OpenList>(builder: Builder<Value, OpenMap, OpenList>, wanted?: Wanted): Value | undefined {
    const read = readFast(this.#text, builder, { frame: this.#frame, wanted })
    if (wanted === undefined) this.#usual = read !== undefined
    return read
  }

  /** The root node, whole. Throws WireError when the text is no YAML. */
  root(): Node {
    if (this.#root === undefined) {
      this.#root = this.#read(NODES) ?? this.#readAll()
      ObjectText.#keep(this)
    }
    return this.#root
  }

  /** Trees take ten times the room of their text, so only what was read last is kept; all else is read again when needed. */
  static #keep(text: ObjectText): void {
    ObjectText.#kept.add(text)
    const [oldest] = ObjectText.#kept
    if (oldest === undefined || ObjectText.#kept.size <= MAX_KEPT) return
    ObjectText.#kept.delete(oldest)
    oldest.#forget()
  }

  #forget(): void {
    this.#head = undefined
    this.#root = undefined
    this.#lines = undefined
    this.#places = undefined
  }

  /** The root node with all that an edit at the path has to know; no more is read than needed. */
  nodeFor(path: FieldPath): Node {
    const head = path.length > 1 && typeof path[0] === 'string' && HEAD.has(path[0]) ? this.head() : undefined
    return head !== undefined && nodesAlong(head, path.slice(0, 1)).length === 2 ? head : this.root()
  }

  /**
   * The nodes along a path as far as it exists, read no further than needed.
   *
   * @throws AliasError  when the path leads into a merge key
   */
  nodesTo(path: FieldPath): readonly Node[] {
    const root = this.nodeFor(path)
    const nodes = nodesAlong(root, path)
    const anchor = nodes.length <= path.length ? mergeAnchor(nodes.at(-1) ?? root) : undefined
    if (anchor !== undefined) throw new AliasError(anchor, path.slice(0, nodes.length - 1))
    return nodes
  }

  /** Keys that stand twice in one map. The fast reader takes none. */
  duplicateKeys(): readonly DuplicateKey[] {
    const root = this.root()
    return this.#unusual ? duplicateKeys(root, (offset) => this.positionAt(offset)) : []
  }

  aliases(): readonly WrittenAlias[] {
    const root = this.root()
    return this.#unusual ? writtenAliases(root, (offset) => this.positionAt(offset)) : []
  }

  /** Whether the full parser read the text: only it lets duplicate keys pass. */
  isUnusual(): boolean {
    return this.#unusual
  }

  edit(path: FieldPath, change: (text: string, root: Node) => string): void {
    this.#text = change(this.#text, this.nodeFor(path))
    this.#glance = undefined
    this.#usual = undefined
    this.#forget()
  }

  #readAll(): Node {
    this.#unusual = true
    try {
      return this.#inFrame(readYaml(this.#text)) ?? { type: 'scalar', style: 'plain', text: '', start: 0, end: 0 }
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      const file = this.#origin === undefined ? '' : `${this.#origin.path}: `
      throw new WireError(`${file}expected YAML, found a fault: ${error.message}`, this.#ofFault(error.offset))
    }
  }

  /** A fault is placed in its own text, except in a file: what stands before an item may be faulty too. */
  #ofFault(offset: number): Position {
    const { line, column } = positionAt(this.#text, offset)
    return { line: line + (this.#origin?.line ?? 1) - 1, column }
  }

  /** The node of the object in what was read of the text around it. */
  #inFrame(node: Node | undefined): Node | undefined {
    if (this.#frame === 'item') return node?.type === 'sequence' && node.items.length === 1 ? node.items[0]?.value : undefined
    if (this.#frame === 'entry') return node?.type === 'map' && node.entries.length === 1 ? node.entries[0]?.value : undefined
    return node
  }

  /** How lists below a key are indented: as the orchestrator noted, else as the first such list stands. */
  sequences(): Sequences {
    return seqindent(this.head()) ?? (firstListIsWide(this.#text, this.root()) ? 'wide' : 'compact')
  }

  positionOf(path: FieldPath, of: 'key' | 'value'): Position {
    const { key, value, isScalar } = this.#placeOf(path)
    return this.positionAt(key === undefined || (of === 'value' && isScalar) ? value : key)
  }

  /** Where what is at the path stands, or its nearest ancestor; `isScalar` of the value itself only. */
  #placeOf(path: FieldPath): { readonly key: number | undefined; readonly value: number; readonly isScalar: boolean } {
    const found = this.#root === undefined ? this.#findPlace(path) : undefined
    if (found !== undefined) return { ...found.place, isScalar: found.steps === path.length && found.place.type === 'scalar' }
    const nodes = nodesAlong(this.root(), path)
    const node = nodes.at(-1) ?? this.root()
    const parent = nodes.at(-2)
    const whole = nodes.length > path.length && node.type === 'scalar'
    const key = parent?.type === 'map' ? findEntry(parent, String(path[nodes.length - 2]))?.key : undefined
    return { key: key?.start, value: node.start, isScalar: whole }
  }

  #findPlace(path: FieldPath): ReturnType<Places['find']> {
    if (!this.#isUsual()) return undefined
    if (this.#places === undefined) {
      this.#places = new Places(this.#text, this.#frame)
      ObjectText.#keep(this)
    }
    return this.#places.find(path)
  }

  #isUsual(): boolean {
    if (this.#usual === undefined) this.#read(VALUES)
    return this.#usual === true
  }

  /** Line and column in the file of an offset in the text. */
  positionAt(offset: number): Position {
    const head = this.head()
    return this.#inFile(offset, columnOf(this.#text, head.start), wireLines(head))
  }

  #inFile(offset: number, column: number, wire: readonly number[]): Position {
    this.#lines ??= new LineIndex(this.#text)
    const place = this.#lines.positionAt(offset)
    if (this.#frame === 'document') return { line: place.line + (this.#origin?.line ?? 1) - 1, column: place.column }
    const hidden = wire.filter((start) => start < offset).length + (this.#frame === 'entry' ? 1 : 0)
    return { line: this.linesBefore(this) + place.line - hidden, column: Math.max(1, place.column - column) }
  }
}

/** Whether the first block list below a key stands further right than its key. */
function firstListIsWide(text: string, root: Node): boolean {
  for (const { key, node } of walk(root)) {
    if (key !== undefined && node.type === 'sequence' && !node.flow) return columnOf(text, node.start) > columnOf(text, key.start)
  }
  return false
}
