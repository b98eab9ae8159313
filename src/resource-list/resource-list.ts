import { isRecord, type JsonRecord, lookup, newRecord } from '../json.ts'
import { type FileRef, FunctionError, findingsOf, type Result } from '../result.ts'
import { closeBlock } from '../yaml/edit/close-block.ts'
import { keepsBlankLines } from '../yaml/edit/members.ts'
import { emitItem, emitValue } from '../yaml/emit/emit.ts'
import { KrmObject } from './krm-object.ts'
import { keyOfIdentity, ObjectIndex } from './object-index.ts'
import { ObjectText, type Siblings } from './object-text.ts'
import { locate } from './package-of.ts'
import { type ParsedList, parseList } from './parse-list.ts'
import { findNotPlain, type NotPlain, notPlainFault } from './plain-value.ts'
import { printInput, printList } from './print-list.ts'
import { brokenAliases } from './shared-anchors.ts'
import { documentSiblings } from './siblings.ts'
import { newWireAnnotations } from './wire-annotations.ts'

/**
 * The wire: `items`, `functionConfig`, `results` of one ResourceList. A function reads items, edits them, adds and removes
 * them; the text that nobody touched comes out byte for byte.
 *
 * @example
 * ```ts
 * import { ResourceList } from 'krm-variants/sdk'
 *
 * const list = ResourceList.parse('apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n')
 * const object = list.upsert({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'team' } }, 'team.yaml')
 * console.log(list.items.length, object.file?.path) // 1 team.yaml
 * list.remove(object)
 * console.log(list.items.length) // 0
 * ```
 */
export class ResourceList {
  readonly functionConfig: KrmObject | undefined
  /** What the function has to say; sorted when the run ends. */
  readonly results: Result[] = []
  readonly #original: readonly KrmObject[]
  readonly #parsed: ParsedList | undefined
  readonly #siblings: Siblings
  readonly #removed = new Set<KrmObject>()
  readonly #added = new Map<KrmObject | undefined, KrmObject[]>()
  /** By new item: the one of the input that it was put beside. */
  readonly #besides = new Map<KrmObject, KrmObject | undefined>()
  #index: ObjectIndex | undefined
  #outermost: string | undefined

  private constructor(items: readonly KrmObject[], functionConfig: KrmObject | undefined, parsed?: ParsedList) {
    this.#original = items
    this.functionConfig = functionConfig
    this.#parsed = parsed
    this.#siblings = parsed?.siblings ?? documentSiblings()
  }

  /** @throws WireError  when the text is no ResourceList */
  static parse(text: string): ResourceList {
    const parsed = parseList(text)
    return new ResourceList(parsed.items, parsed.functionConfig, parsed)
  }

  /** A list of documents read from a folder: new items get no annotations of the wire, and there is no text to print. @internal */
  static of(items: readonly KrmObject[], functionConfig?: KrmObject): ResourceList {
    const list = new ResourceList(items, functionConfig)
    for (const item of items) item.join(list.#siblings)
    return list
  }

  /** All items in their order, new ones behind the item they were put beside. */
  get items(): readonly KrmObject[] {
    if (this.#removed.size === 0 && this.#added.size === 0) return this.#original
    return [...this.#original.flatMap((item) => this.#withAdded(item)), ...(this.#added.get(undefined) ?? [])]
  }

  /** Items that were in the input and no longer are. */
  get removed(): ReadonlySet<KrmObject> {
    return this.#removed
  }

  #withAdded(item: KrmObject): readonly KrmObject[] {
    const added = this.#added.get(item) ?? []
    return this.#removed.has(item) ? added : [item, ...added]
  }

  /**
   * Adds the object, or updates the one with its group, kind, namespace and name in the package that `path` belongs to.
   *
   * @param path  the file that a new object goes to
   * @param near  an item whose place in the list and whose package a new object takes
   * @throws FunctionError  when the package holds two such objects; when the value is no plain JSON
   */
  upsert(value: JsonRecord, path: string, near?: KrmObject): KrmObject {
    const notPlain = findNotPlain(value)
    if (notPlain !== undefined) throw new FunctionError([notPlainResult(path, notPlain)])
    const location = locate(path, this.#packagePath(near))
    const key = this.#objects().keyFor(keyOfIdentity(value), location)
    const existing = this.#objects().find(key)
    if (existing === undefined) {
      const object = this.#add(value, path, location, near)
      this.#objects().add(object, key)
      return object
    }
    existing.set([], value)
    return existing
  }

  /**
   * Adds a copy of an object, of this list or of a file, as an item of its own.
   *
   * @param file  where it goes; its index must be free there
   * @param near  as for `upsert`
   * @internal
   */
  insert(object: KrmObject, file: FileRef, near?: KrmObject): KrmObject {
    const item = this.#copy(object, file, near)
    this.#index = undefined
    this.#put(item, near)
    return item
  }

  /** Moves an item to another place in its file, or to another file; `near` as for `upsert`. @internal */
  move(item: KrmObject, file: FileRef, near?: KrmObject): void {
    item.setPlace(newWireAnnotations(file, this.#packagePath(near)))
    this.#index = undefined
  }

  #copy(object: KrmObject, file: FileRef, near: KrmObject | undefined): KrmObject {
    if (this.#parsed === undefined) return new KrmObject(ObjectText.made(object.toText(), 'document', { ...file, line: 1 }))
    const { column } = this.#parsed.cut
    const item = new KrmObject(ObjectText.made(itemText(object, column), 'item'))
    item.setPlace(newWireAnnotations(file, this.#packagePath(near)))
    return item
  }

  #put(item: KrmObject, near: KrmObject | undefined): void {
    item.join(this.#siblings)
    const input = near !== undefined && this.#besides.has(near) ? this.#besides.get(near) : near
    this.#besides.set(item, input)
    const beside = this.#added.get(input)
    if (beside === undefined) this.#added.set(input, [item])
    else beside.push(item)
  }

  /** Takes an item out of the list; comments between items stay. */
  remove(object: KrmObject): void {
    this.#removed.add(object)
    this.#index?.delete(object)
    if (!this.#besides.has(object)) return
    const near = this.#besides.get(object)
    this.#added.set(
      near,
      (this.#added.get(near) ?? []).filter((other) => other !== object),
    )
  }

  /**
   * Writes all edits that were collected.
   *
   * @throws FunctionError  with every object whose edits would make its text or an alias mean something else than what was asked for
   * @internal
   */
  settle(): void {
    const broken = this.#parsed === undefined ? [] : brokenAliases(this.#parsed, this.#removed)
    const refused = [...this.items.filter(({ mayBeEdited }) => mayBeEdited).flatMap(refusals), ...broken]
    if (refused.length > 0) throw new FunctionError(refused)
  }

  /**
   * The list as text: the input's own where nothing changed.
   *
   * @param results  replace those of the input when either side has any
   */
  toString(results: readonly Result[] = []): string {
    return printList(this.#read, { removed: this.#removed, added: this.#added, results })
  }

  /** The list as it was read, whatever was done to it since, with these results. @internal */
  inputWith(results: readonly Result[]): string {
    return printInput(this.#read, results)
  }

  get #read(): ParsedList {
    if (this.#parsed === undefined) throw new Error('a list of documents has no text of its own')
    return this.#parsed
  }

  /** The package of an item; without one the outermost, whose pipeline runs the function. */
  #packagePath(near: KrmObject | undefined): string | undefined {
    if (near !== undefined) return near.packagePath
    this.#outermost ??= shortest(this.#original.flatMap(({ packagePath = '' }) => (packagePath === '' ? [] : [packagePath])))
    return this.#outermost === '' ? undefined : this.#outermost
  }

  #objects(): ObjectIndex {
    this.#index ??= new ObjectIndex(this.items)
    return this.#index
  }

  #add(value: JsonRecord, path: string, location: string, near: KrmObject | undefined): KrmObject {
    const object = new KrmObject(this.#write(value, path, this.#objects().takeIndex(location), near))
    this.#put(object, near)
    return object
  }

  #write(value: JsonRecord, path: string, index: number, near: KrmObject | undefined): ObjectText {
    if (this.#parsed === undefined) {
      return ObjectText.made(`${emitValue(value, { column: 0, sequences: 'compact' })}\n`, 'document', { path, index, line: 1 })
    }
    const annotated = annotate(value, newWireAnnotations({ path, index }, this.#packagePath(near)))
    return ObjectText.made(emitItem(annotated, { column: this.#parsed.cut.column, sequences: 'compact' }), 'item')
  }
}

function notPlainResult(path: string, found: NotPlain): Result {
  const { rule, message, path: field } = notPlainFault([], found)
  return { severity: 'error', message, field: { path: field }, file: { path, index: 0 }, tags: { rule } }
}

function refusals(object: KrmObject): readonly Result[] {
  return findingsOf(() => {
    object.settle()
    return []
  })
}

/** The shortest of some texts, '' when there are none. */
function shortest(texts: readonly string[]): string {
  return texts.reduce((short, text) => (short === '' || text.length < short.length ? text : short), '')
}

/** The value with the annotations of the wire behind its own. */
function annotate(value: JsonRecord, wire: JsonRecord): JsonRecord {
  const metadata = lookup(value, 'metadata')
  const named = isRecord(metadata) ? metadata : {}
  const own = lookup(named, 'annotations')
  // Several times as fast as a second spread, which V8 copies key by key.
  const annotations = Object.assign(newRecord(), isRecord(own) ? own : {}, wire)
  return { ...value, metadata: { ...named, annotations } }
}

/** An object as an item of a list whose dashes stand at a column: of a document each line deeper, of an item as it is. */
export function itemText(object: KrmObject, column: number): string {
  const text = object.toText()
  const dash = `${' '.repeat(column)}- `
  if (object.isDocument) return `${dash}${indented(text, column + 2)}\n`
  return text.startsWith(dash) ? ended(text) : emitItem(object.toJson(), { column, sequences: 'compact' })
}

/** Every line but the first as deep as that will stand, and no blank lines at the end that no block scalar keeps. */
function indented(text: string, column: number): string {
  const lines = ended(text.replaceAll('\r\n', '\n'))
  const written = keepsBlankLines(lines, { start: 0, end: lines.length }) ? lines.slice(0, -1) : withoutBlankLines(lines)
  return written.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`)
}

function withoutBlankLines(lines: string): string {
  let end = lines.length
  while (lines[end - 1] === '\n') end--
  return lines.slice(0, end)
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${closeBlock(text)}\n`
}
