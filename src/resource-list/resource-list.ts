import { asRecord, type JsonRecord, lookup, newRecord } from '../json.ts'
import { remember } from '../remember.ts'
import { type FileRef, FunctionError, findingsOf, type Result } from '../result.ts'
import { closeBlock } from '../yaml/edit/apply-splices.ts'
import { keepsBlankLines } from '../yaml/edit/members.ts'
import { emitItem, emitValue } from '../yaml/emit/emit.ts'
import type { WrapperRule } from './cut-unusual.ts'
import { documentSiblings, FilePositions, type Siblings } from './file-positions.ts'
import { allAnnotations } from './item-document.ts'
import { KrmObject } from './krm-object.ts'
import { keyOfIdentity, ObjectIndex } from './object-index.ts'
import { locate } from './package-of.ts'
import { type ParsedList, parseList } from './parse-list.ts'
import { findNotPlain, type NotPlain, notPlainFault } from './plain-value.ts'
import { printInput, printList } from './print-list.ts'
import { changedItems, requireFile, requireItem, requireObject, unchangeableItems } from './refusal.ts'
import { brokenAliases } from './shared-anchors.ts'
import { isWireAnnotation, newWireAnnotations } from './wire-annotations.ts'

/** Objects in a folder that are no items of its list. */
export type UnreadObjects = { readonly [Field in 'passedOver' | 'setAside']?: ResourceList[Field] | undefined }

/**
 * The wire: `items`, `functionConfig` and `results` of one ResourceList. A function reads, edits, adds and removes items; unchanged
 * text keeps its bytes. Functions of others see the members that sdk/objects.ts has.
 */
export class ResourceList {
  readonly functionConfig: KrmObject | undefined
  /** The findings about lists of objects in the folder of the list: kpt reads objects one by one, so they are no items. */
  readonly passedOver: readonly Result[]
  /** Reads the objects of files beside the list's that have another ending behind their name: `sets.yaml.bak` without a `sets.yaml`. */
  readonly setAside: () => readonly KrmObject[]
  /** The results that the function reports; sorted when the run ends. */
  readonly results: Result[] = []
  readonly #original: readonly KrmObject[]
  readonly #parsed: ParsedList | undefined
  readonly #siblings: Siblings
  readonly #removed = new Set<KrmObject>()
  readonly #added = new Map<KrmObject | undefined, KrmObject[]>()
  /** The item of the input that each new item was put after. */
  readonly #besides = new Map<KrmObject, KrmObject | undefined>()
  /** All items in order, until the next is added or removed. */
  #items: readonly KrmObject[] | undefined
  #index: ObjectIndex | undefined
  /** The positions of all new items. */
  #positions: FilePositions | undefined
  #outermost: string | undefined
  /** True for the list of a function of others, which may be plain JavaScript. */
  #isOfOthers = false

  private constructor(
    items: readonly KrmObject[],
    functionConfig: KrmObject | undefined,
    parsed?: ParsedList,
    { passedOver = [], setAside = () => [] }: UnreadObjects = {},
  ) {
    this.passedOver = passedOver
    this.setAside = setAside
    this.#original = items
    this.functionConfig = functionConfig
    this.#parsed = parsed
    this.#siblings = parsed?.siblings ?? documentSiblings()
  }

  /**
   * Returns the list of a text that is a ResourceList.
   *
   * @param wrapper  the fields that the wrapper of the list may have
   * @throws WireError  when the text is not a ResourceList
   */
  static parse(text: string, wrapper: WrapperRule = 'strict'): ResourceList {
    const parsed = parseList(text, wrapper)
    return new ResourceList(parsed.items, parsed.functionConfig, parsed)
  }

  /**
   * Returns a list of documents that were read from a folder. New items get no annotations of the wire, and the list has no text.
   */
  static of(items: readonly KrmObject[], functionConfig?: KrmObject, unread?: UnreadObjects): ResourceList {
    const list = new ResourceList(items, functionConfig, undefined, unread)
    for (const item of items) item.join(list.#siblings)
    return list
  }

  /** Returns a list of the same documents with another functionConfig. */
  withConfig(functionConfig: KrmObject | undefined): ResourceList {
    return ResourceList.of(this.items, functionConfig, this)
  }

  /** All items in order. A new item follows the item that it was put after. */
  get items(): readonly KrmObject[] {
    this.#items ??= this.#isOfOthers ? unchangeableItems(this.#allItems()) : this.#allItems()
    return this.#items
  }

  /** @throws FunctionError  always: JavaScript may replace the items, which would change nothing */
  set items(_: never) {
    throw changedItems()
  }

  /**
   * Refuses changes of `items`, and new objects without apiVersion or kind, from now on: a function of others edits the list. The view is
   * slower to read than the items.
   */
  guardItems(): void {
    this.#isOfOthers = true
    this.#items = undefined
  }

  #allItems(): readonly KrmObject[] {
    if (this.#removed.size === 0 && this.#added.size === 0) return this.#original
    const all: KrmObject[] = []
    for (const item of this.#original) {
      if (!this.#removed.has(item)) all.push(item)
      for (const added of this.#added.get(item) ?? []) all.push(added)
    }
    for (const added of this.#added.get(undefined) ?? []) all.push(added)
    return all
  }

  /** The items that were removed from the list. */
  get removed(): ReadonlySet<KrmObject> {
    return this.#removed
  }

  /**
   * Updates the object with the group, kind, namespace and name of `value` in the package of `path`, or adds a new object.
   *
   * @param path  the file of a new object
   * @param near  an item: a new object follows this item and belongs to its package
   * @throws FunctionError  when the package has two such objects; when the value is not plain JSON; when `path` is no text; in a list of
   * others, when the value has no apiVersion or kind
   */
  upsert(value: JsonRecord, path: string, near?: KrmObject): KrmObject {
    requireFile(path)
    if (this.#isOfOthers) requireObject(value)
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

  /** Adds an object as `upsert` does, also if the package has an object of this identity. */
  add(value: JsonRecord, path: string, near?: KrmObject): KrmObject {
    requireFile(path)
    const notPlain = findNotPlain(value)
    if (notPlain !== undefined) throw new FunctionError([notPlainResult(path, notPlain)])
    const location = locate(path, this.#packagePath(near))
    const object = this.#add(value, path, location, near)
    this.#objects().add(object, this.#objects().keyFor(keyOfIdentity(value), location))
    return object
  }

  /**
   * Adds a copy of an object, of this list or of a file, as a new item.
   *
   * @param file  the file and the document index of the copy; the index must be free there
   * @param near  as for `upsert`
   */
  insert(object: KrmObject, file: FileRef, near?: KrmObject): KrmObject {
    const item = this.#copy(object, file, near)
    this.#index = undefined
    this.#put(item, near)
    return item
  }

  /** Returns a draft of an item with the text of a document of a file; the annotations of the wire are those of the item. */
  rewritten(item: KrmObject, document: KrmObject): KrmObject {
    const wire = [...allAnnotations(item)].filter(([key]) => isWireAnnotation(key))
    const draft = item.draft()
    draft.takeText(itemText(document, this.#read.cut.column))
    if (wire.length > 0) draft.setPlace(Object.fromEntries(wire))
    return draft
  }

  /** Moves an item to another document index or another file; `near` as for `upsert`. */
  move(item: KrmObject, file: FileRef, near?: KrmObject): void {
    item.setPlace(newWireAnnotations(file, this.#packagePath(near)))
    this.#index = undefined
  }

  #copy(object: KrmObject, file: FileRef, near: KrmObject | undefined): KrmObject {
    if (this.#parsed === undefined) return KrmObject.made(object.toText(), 'document', { ...file, line: 1 })
    const { column } = this.#parsed.cut
    const item = KrmObject.made(itemText(object, column), 'item')
    item.setPlace(newWireAnnotations(file, this.#packagePath(near)))
    return item
  }

  #put(item: KrmObject, near: KrmObject | undefined): void {
    item.join(this.#siblings)
    this.#putJoined(item, near)
  }

  #putJoined(item: KrmObject, near: KrmObject | undefined): void {
    this.#items = undefined
    const input = near !== undefined && this.#besides.has(near) ? this.#besides.get(near) : near
    this.#besides.set(item, input)
    remember(this.#added, input, () => []).push(item)
  }

  /** Removes an item from the list. Comments between items stay. */
  remove(object: KrmObject): void {
    requireItem(object)
    this.#items = undefined
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
   * Writes all pending edits.
   *
   * @throws FunctionError  with a result for each object whose edits would change the meaning of other text or of an alias
   */
  settle(): void {
    const broken = this.#parsed === undefined ? [] : brokenAliases(this.#parsed, this.#removed)
    const refused: Result[] = []
    for (const item of this.items) if (item.mayBeEdited) refused.push(...refusals(item))
    refused.push(...broken)
    if (refused.length > 0) throw new FunctionError(refused)
  }

  /**
   * Returns the list as text: the bytes of the input where nothing changed.
   *
   * @param results  replace the results of the input if the input or the run has any
   */
  toString(results: readonly Result[] = []): string {
    return this.printed(results).join('')
  }

  /** Returns the text of `toString` in parts. */
  printed(results: readonly Result[]): readonly string[] {
    return printList(this.#read, { removed: this.#removed, added: this.#added, results })
  }

  /** Returns the text of the list as read, without the changes made since, but with these results, in parts. */
  inputWith(results: readonly Result[]): readonly string[] {
    return printInput(this.#read, results)
  }

  get #read(): ParsedList {
    if (this.#parsed === undefined) throw new Error('a list of documents has no text of its own')
    return this.#parsed
  }

  /** Returns the package of an item, and without an item the outermost package, whose pipeline runs the function. */
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
    const index = this.#objects().takeIndex(location)
    const text = this.#parsed === undefined ? newDocumentText(value) : this.#itemText(value, { path, index }, near)
    this.#positions ??= new FilePositions('item', { siblings: this.#siblings, isMade: true })
    const isItem = this.#parsed !== undefined
    const object = isItem ? KrmObject.madeIn(text, this.#positions) : KrmObject.made(text, 'document', { path, index, line: 1 })
    if (!isItem) object.join(this.#siblings)
    this.#putJoined(object, near)
    return object
  }

  #itemText(value: JsonRecord, file: FileRef, near: KrmObject | undefined): string {
    const annotated = annotate(value, newWireAnnotations(file, this.#packagePath(near)))
    return emitItem(annotated, { column: this.#read.cut.column, sequences: 'compact' })
  }
}

/** Returns the text of a new object as a document of a file. */
export function newDocumentText(value: JsonRecord): string {
  return `${emitValue(value, { column: 0, sequences: 'compact' })}\n`
}

/** Returns the value with the annotations of the wire after its own. */
function annotate(value: JsonRecord, wire: JsonRecord): JsonRecord {
  const metadata = lookup(value, 'metadata')
  const named = asRecord(metadata)
  const own = lookup(named, 'annotations')
  // Several times faster than a second spread, which V8 copies key by key.
  const annotations = Object.assign(newRecord(), asRecord(own), wire)
  return { ...value, metadata: { ...named, annotations } }
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

/** Returns the shortest of some texts, '' when there are none. */
function shortest(texts: readonly string[]): string {
  return texts.reduce((short, text) => (short === '' || text.length < short.length ? text : short), '')
}

/**
 * Returns an object as an item of a list with its dashes in a column. The lines of a document are indented; the text of an item
 * stays if its dash is in that column, otherwise the item is written anew.
 */
export function itemText(object: KrmObject, column: number): string {
  const text = object.toText()
  const dash = `${' '.repeat(column)}- `
  if (object.isDocument) return `${dash}${indented(text, column + 2)}\n`
  return text.startsWith(dash) ? ended(text) : emitItem(object.toJson(), { column, sequences: 'compact' })
}

/**
 * Indents every line but the first by `column` spaces. Removes blank lines at the end, unless a block scalar keeps them (`|+`).
 */
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
