import type { KeyedNode, MapNode, Node, ScalarNode } from '../yaml/read/node.ts'
import { INDEX_ANNOTATIONS, isWireAnnotation, PACKAGE_PATH_ANNOTATION, PATH_ANNOTATIONS } from './wire-annotations.ts'

/** The maps of `metadata` to which most functions add entries. */
export type EntryPart = 'labels' | 'annotations'

/** A key, and a value on its line: in quotes without an escape, or plain without an indicator and not null. */
export const KEY = '[A-Za-z][A-Za-z0-9._/-]{0,300}'
const PLAIN = '[A-Za-z0-9/][A-Za-z0-9._/+=@~-]*(?:(?::| (?=[A-Za-z0-9]))[A-Za-z0-9._/+=@~-]+){0,20}'
const VALUE = `(?:'[ -&(-~]*'|"[ !#-[\\]-~]*"|(?!(?:[Nn]ull|NULL)\\n)${PLAIN})`

/** A text of the head that may differ between objects. */
export interface Captured {
  readonly part: 'apiVersion' | 'kind' | 'name' | 'namespace' | 'labels' | 'annotations' | WirePart
  /** The key of a label or annotation. */
  readonly key: string
}

/** A part of an item's place that annotations of the wire have. */
type WirePart = 'path' | 'index' | 'packagePath'

/** The annotations with each part; the first that an item has counts. */
const WIRE_PARTS: readonly (readonly [WirePart, readonly string[]])[] = [
  ['path', PATH_ANNOTATIONS],
  ['index', INDEX_ANNOTATIONS],
  ['packagePath', [PACKAGE_PATH_ANNOTATION]],
]

/** The lines of a head. */
export interface HeadLines {
  /** The pattern of the lines, with a group for each captured text. */
  readonly source: string
  readonly captured: readonly Captured[]
  /** True if `metadata` has only keys of an identity. */
  readonly isPlain: boolean
  readonly annotationCount: number
  readonly wireCount: number
  /** The keys of the labels and annotations, and the length of `source` up to their last line. */
  readonly maps: ReadonlyMap<EntryPart, MapLines>
}

export interface MapLines {
  readonly keys: ReadonlySet<string>
  readonly end: number
}

/** Matches a whole key as `KEY` does. */
const USUAL_KEY = new RegExp(`^${KEY}$`)

/** The columns between the keys of an object and those of its labels and annotations. */
export const ENTRY_DEPTH = 4

/** The most keys of a pattern. */
const MOST_KEYS = 64

/** Makes the pattern of the head of an object, whose keys the fast reader found. */
export class PatternOfHead {
  readonly #captured: Captured[] = []
  readonly #column: number
  #source = ''
  #isUsual = true
  #isPlain = true
  #annotationCount = 0
  #wireCount = 0
  readonly #maps = new Map<EntryPart, MapLines>()

  /** @param column  of the keys of the object */
  constructor(column: number) {
    this.#column = column
  }

  /** Returns the lines of a head; undefined if kpt does not write such keys and values. The pattern does not match other lines. */
  linesOf(root: MapNode): HeadLines | undefined {
    for (const { key, value } of root.entries) {
      if (key.text === 'metadata') this.#addMap(0, key, value, (entry) => this.#addMetadata(entry))
      else this.#addText(0, key, key.text === 'kind' ? 'kind' : 'apiVersion')
    }
    if (!this.#isUsual || this.#source === '') return undefined
    const counts = { annotationCount: this.#annotationCount, wireCount: this.#wireCount, maps: this.#maps }
    return { source: this.#source, captured: this.#captured, isPlain: this.#isPlain, ...counts }
  }

  #addMetadata({ key, value }: KeyedNode): void {
    const { text } = key
    if (text === 'name' || text === 'namespace') this.#addText(2, key, text)
    else if (text === 'labels' || text === 'annotations') {
      if (text === 'labels') this.#addMap(2, key, value, (entry) => this.#addText(ENTRY_DEPTH, entry.key, text))
      else this.#addAnnotations(key, value)
      this.#maps.set(text, { keys: keysOf(value), end: this.#source.length })
    } else {
      this.#isPlain = false
      this.#addLine(2, key, ` (?:${VALUE}|null|\\{\\}|\\[\\])`)
    }
  }

  #addAnnotations(key: ScalarNode, annotations: Node): void {
    const written = keysOf(annotations)
    const parts = new Map(
      WIRE_PARTS.flatMap(([part, keys]) =>
        keys
          .filter((each) => written.has(each))
          .slice(0, 1)
          .map((first) => [first, part] as const),
      ),
    )
    this.#addMap(2, key, annotations, (entry) => this.#addAnnotation(entry.key, parts.get(entry.key.text)))
  }

  /** @param wirePart  what an annotation of the wire says, if it counts */
  #addAnnotation(key: ScalarNode, wirePart: WirePart | undefined): void {
    const isWire = isWireAnnotation(key.text)
    this.#annotationCount++
    if (isWire) this.#wireCount++
    if (isWire && wirePart === undefined) this.#addLine(ENTRY_DEPTH, key, ` ${VALUE}`)
    else this.#addText(ENTRY_DEPTH, key, wirePart ?? 'annotations')
  }

  #addText(depth: number, key: ScalarNode, part: Captured['part']): void {
    this.#captured.push({ part, key: key.text })
    this.#addLine(depth, key, ` (${VALUE})`)
  }

  #addMap(depth: number, key: ScalarNode, map: Node, add: (entry: KeyedNode) => void): void {
    if (map.type !== 'map' || map.entries.length === 0 || map.entries.length > MOST_KEYS) this.#isUsual = false
    else {
      this.#addLine(depth, key, '(?: +#[^\\n]*)?')
      for (const entry of map.entries) add(entry)
    }
  }

  #addLine(depth: number, { style, text }: ScalarNode, behind: string): void {
    if (style !== 'plain' || !USUAL_KEY.test(text)) this.#isUsual = false
    const indent = this.#source === '' ? '' : ' '.repeat(this.#column + depth)
    this.#source += `${indent}${text.replaceAll('.', '\\.')}:${behind}\\n`
  }
}

function keysOf(map: Node): ReadonlySet<string> {
  return new Set(map.type === 'map' ? map.entries.map(({ key }) => key.text) : [])
}
