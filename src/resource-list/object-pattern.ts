import { isRecord, type JsonRecord, type JsonValue, lookup, newRecord } from '../json.ts'
import { emitItemParts, emitValueParts } from '../yaml/emit/emit.ts'
import { TextPattern } from '../yaml/emit/text-pattern.ts'
import { keyOfIdentity, type ObjectKey } from './object-index.ts'
import { wireAnnotationsOf } from './wire-annotations.ts'

/** The beginning of a placeholder. No text of a list begins so: the number is another one in each run. */
const MARK = `\0${Math.random()} `

const HOLES = new Map<string, number>()
const PLACEHOLDERS: string[] = []

/** Returns the text that stands for the text of the given number in the value of a pattern. */
export function placeholder(index: number): string {
  for (let next = PLACEHOLDERS.length; next <= index; next++) {
    PLACEHOLDERS.push(`${MARK}${next}`)
    HOLES.set(`${MARK}${next}`, next)
  }
  return PLACEHOLDERS[index] ?? ''
}

/** Returns the number of the text that a placeholder stands for; undefined for any other text. */
export function holeOf(text: string): number | undefined {
  return HOLES.get(text)
}

/** The numbers of the texts that every pattern has, and the first number of its own texts. */
export const [NAME_HOLE, OWN_HOLES] = [2, 3]
const [PATH_HOLE, INDEX_HOLE] = [0, 1]

/** The place in which the text of an object of a pattern is written. */
export interface PatternPlace {
  readonly path: string
  readonly index: number
  readonly packagePath: string | undefined
  /** The column of the dash; undefined for a document of a file. */
  readonly column: number | undefined
}

/** Objects that differ in some texts only: the text of each is joined of parts that are emitted once. */
export class ObjectPattern {
  readonly #value: JsonRecord
  #written: { readonly column: number | undefined; readonly packagePath: string | undefined; readonly text: TextPattern } | undefined

  /** The identity of the objects, without their name. */
  readonly key: Omit<ObjectKey, 'name'>

  /** @param value  plain JSON with placeholders, which stand for no part of the identity but the name, by `NAME_HOLE` */
  constructor(value: JsonRecord) {
    this.#value = value
    this.key = keyOfIdentity(value)
  }

  /** Returns the object with the given texts, by number. */
  objectOf(texts: readonly string[]): JsonRecord {
    return filledRecord(this.#value, texts)
  }

  /** Returns the text of the object with the given texts, as the list writes a new object. */
  textOf(texts: readonly string[], { path, index, packagePath, column }: PatternPlace): string {
    const known = this.#written
    const isKnown = known !== undefined && known.column === column && known.packagePath === packagePath
    const written = isKnown ? known : { column, packagePath, text: new TextPattern(this.#parts(column, packagePath)) }
    this.#written = written
    const all = texts.slice()
    all[PATH_HOLE] = path
    all[INDEX_HOLE] = String(index)
    return written.text.fill(all)
  }

  #parts(column: number | undefined, packagePath: string | undefined): ReturnType<typeof emitItemParts> {
    if (column === undefined) return [...emitValueParts(this.#value, { column: 0, sequences: 'compact', holes: HOLES }), '\n']
    const wire = wireAnnotationsOf(placeholder(PATH_HOLE), placeholder(INDEX_HOLE), packagePath)
    return emitItemParts(annotate(this.#value, wire), { column, sequences: 'compact', holes: HOLES })
  }
}

/** Returns the value with the annotations of the wire after its own. */
export function annotate(value: JsonRecord, wire: JsonRecord): JsonRecord {
  const metadata = lookup(value, 'metadata')
  const named = isRecord(metadata) ? metadata : {}
  const own = lookup(named, 'annotations')
  // Several times faster than a second spread, which V8 copies key by key.
  const annotations = Object.assign(newRecord(), isRecord(own) ? own : {}, wire)
  return { ...value, metadata: { ...named, annotations } }
}

function filled(value: JsonValue, texts: readonly string[]): JsonValue {
  if (typeof value === 'string') {
    const hole = holeOf(value)
    return hole === undefined ? value : (texts[hole] ?? '')
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, texts))
  return isRecord(value) ? filledRecord(value, texts) : value
}

function filledRecord(record: JsonRecord, texts: readonly string[]): JsonRecord {
  const made = newRecord()
  for (const [key, value] of Object.entries(record)) made[key] = filled(value, texts)
  return made
}
