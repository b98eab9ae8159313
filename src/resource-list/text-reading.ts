import type { FieldPath } from '../field-path.ts'
import { type JsonValue, memberOf } from '../json.ts'
import type { Position } from '../result.ts'
import { columnOf } from '../yaml/edit/place.ts'
import type { Sequences } from '../yaml/edit/put.ts'
import { type Builder, NODES, TEXTS, type Texts, textsOf, VALUES } from '../yaml/read/builder.ts'
import { type Frame, readFast } from '../yaml/read/fast-reader.ts'
import { LineIndex } from '../yaml/read/line-index.ts'
import { findEntry, type Node, nodesAlong, walk } from '../yaml/read/node.ts'
import { AliasError } from '../yaml/read/node-value.ts'
import { Places } from '../yaml/read/places.ts'
import { positionAt } from '../yaml/read/position.ts'
import type { Wanted } from '../yaml/read/wanted.ts'
import { mergeAnchor } from '../yaml/read/written.ts'
import { readYaml, YamlError } from '../yaml/read/yaml-reader.ts'
import { HEAD, IDENTITY } from './identity.ts'
import { seqindent } from './wire-annotations.ts'
import { WireError } from './wire-error.ts'

/** More than any one function goes back and forth between. */
const MAX_KEPT = 500

/** Where a text stands in what was given, for whoever reports that it is no YAML. */
export interface Standing {
  /** '' where that is a list. */
  readonly givenFile: string
  /** Lines of the file or list before it. */
  readonly linesAbove: number
}

/** What the readers make of the text of one object, as far as somebody asked. */
export class TextReading {
  /** Those of which something is kept, in the order in which they were made. */
  static readonly #kept = new Set<TextReading>()
  readonly #text: string
  readonly #frame: Frame
  readonly #standing: Standing
  #head: Node | undefined
  #root: Node | undefined
  #lines: LineIndex | undefined
  #places: Places | undefined
  /** Whether the fast reader takes all of the text; undefined: not tried. */
  #usual: boolean | undefined
  #unusual = false

  constructor(text: string, frame: Frame, standing: Standing) {
    this.#text = text
    this.#frame = frame
    this.#standing = standing
  }

  /** The root node with at least apiVersion, kind and metadata. Throws WireError when the text is no YAML. */
  head(): Node {
    if (this.#head === undefined) {
      this.#head = this.#root ?? this.#read(NODES, HEAD) ?? this.root()
      TextReading.#keep(this)
    }
    return this.#head
  }

  /** The texts of what makes up an identity, read without nodes where there are none. */
  identityTexts(): Texts {
    const known = this.#root ?? this.#head
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
      TextReading.#keep(this)
    }
    return this.#root
  }

  /** Trees take ten times the room of their text, so only what was read last is kept; all else is read again when needed. */
  static #keep(reading: TextReading): void {
    TextReading.#kept.add(reading)
    const [oldest] = TextReading.#kept
    if (oldest === undefined || TextReading.#kept.size <= MAX_KEPT) return
    TextReading.#kept.delete(oldest)
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

  /** Whether the full parser read the text: only it lets duplicate keys pass. */
  isUnusual(): boolean {
    return this.#unusual
  }

  #readAll(): Node {
    this.#unusual = true
    try {
      return this.#inFrame(readYaml(this.#text)) ?? { type: 'scalar', style: 'plain', text: '', start: 0, end: 0 }
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      const { givenFile, linesAbove } = this.#standing
      const { line, column } = positionAt(this.#text, error.offset)
      const file = givenFile === '' ? '' : `${givenFile}: `
      throw new WireError(`${file}expected YAML, found a fault: ${error.message}`, { line: line + linesAbove, column })
    }
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

  /** Where what is at the path stands, or its nearest ancestor; `isScalar` of the value itself only. */
  placeOf(path: FieldPath): { readonly key: number | undefined; readonly value: number; readonly isScalar: boolean } {
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
      TextReading.#keep(this)
    }
    return this.#places.find(path)
  }

  #isUsual(): boolean {
    if (this.#usual === undefined) this.#read(VALUES)
    return this.#usual === true
  }

  /** Line and column in the text of an offset. */
  positionAt(offset: number): Position {
    this.#lines ??= new LineIndex(this.#text)
    return this.#lines.positionAt(offset)
  }
}

/** Whether the first block list below a key stands further right than its key. */
function firstListIsWide(text: string, root: Node): boolean {
  for (const { key, node } of walk(root)) {
    if (key !== undefined && node.type === 'sequence' && !node.flow) return columnOf(text, node.start) > columnOf(text, key.start)
  }
  return false
}
