import { asRecord, type JsonRecord, lookup } from '../json.ts'
import { remember } from '../remember.ts'
import { FunctionError, formatResourceRef } from '../result.ts'
import { groupOf } from './identity.ts'
import type { KrmObject } from './krm-object.ts'
import { folderOf, locate, packageFolders, packageOf } from './package-of.ts'

export interface ObjectKey {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
}

/** The key of an object in the index: the objects of its kind, and `identity` among them. */
interface IndexKey {
  readonly ofKind: Map<string, KrmObject[]>
  readonly identity: string
}

/** The objects of a list by package and identity, and the highest document index in each file. */
export class ObjectIndex {
  readonly #items: readonly KrmObject[]
  readonly #folders: ReadonlySet<string>
  /** Objects by identity, for each kind that was looked up: in most lists one kind. */
  readonly #kinds = new Map<string, Map<string, KrmObject[]>>()
  readonly #indexes = new Map<string, number>()
  /** The one file name whose files' document indexes were read; undefined if none were. */
  #known: string | undefined
  /** The items whose document indexes were not read, by folder; undefined before a second file name is asked for. */
  #unknown: Map<string, KrmObject[]> | undefined
  /** The folder that was looked up last, and its package. */
  #last: { readonly folder: string; readonly pkg: string } | undefined

  constructor(items: readonly KrmObject[]) {
    this.#items = items
    this.#folders = packageFolders(items)
  }

  delete(object: KrmObject): void {
    const { apiVersion = '', kind = '', name = '', namespace = '', file, packagePath } = object
    const { ofKind, identity } = this.keyFor({ apiVersion, kind, name, namespace }, locate(file?.path ?? '', packagePath))
    const left = ofKind.get(identity)?.filter((other) => other !== object)
    if (left !== undefined) ofKind.set(identity, left)
  }

  /** Returns the index key for an identity in the package of a location, for an existing object or a new one. */
  keyFor(key: ObjectKey, location: string): IndexKey {
    return { ofKind: this.#kind(key), identity: this.#identity(key, location) }
  }

  /**
   * Returns the object with a key, undefined when there is none.
   *
   * @throws FunctionError  when there are two objects with the key
   */
  find({ ofKind, identity }: IndexKey): KrmObject | undefined {
    const [first, second] = ofKind.get(identity) ?? []
    if (first !== undefined && second !== undefined) throw twice(first, second)
    return first
  }

  add(object: KrmObject, { ofKind, identity }: IndexKey): void {
    remember(ofKind, identity, () => []).push(object)
  }

  /** Reserves and returns the next free document index of a file. */
  takeIndex(location: string): number {
    this.#readIndexes(location)
    const index = (this.#indexes.get(location) ?? -1) + 1
    this.#indexes.set(location, index)
    return index
  }

  /**
   * Reads the document indexes of the items in files with the name of a file: most runs add no objects, or objects to files of one name.
   * Once a second name is asked for, reads those of all items in the folder of the file.
   */
  #readIndexes(location: string): void {
    const name = location.slice(location.lastIndexOf('/') + 1)
    if (this.#known === name) return
    if (this.#known === undefined) {
      this.#known = name
      for (const item of this.#items) if (item.mayHold(name)) this.#take(item)
      return
    }
    this.#unknown ??= byFolder(this.#items)
    const folder = folderOf(location)
    for (const item of this.#unknown.get(folder) ?? []) this.#take(item)
    this.#unknown.delete(folder)
  }

  // The index of an added item is already counted.
  #take({ file, packagePath }: KrmObject): void {
    if (file === undefined) return
    const location = locate(file.path, packagePath)
    this.#indexes.set(location, Math.max(this.#indexes.get(location) ?? -1, file.index))
  }

  /** Returns the objects of a group and kind, of all versions: 'apps/v1' and 'apps/v1beta1' share one map. */
  #kind({ apiVersion, kind }: ObjectKey): Map<string, KrmObject[]> {
    const name = `${groupOf(apiVersion)} ${kind}`
    const known = this.#kinds.get(name)
    if (known !== undefined) return known
    const ofKind = new Map<string, KrmObject[]>()
    this.#kinds.set(name, ofKind)
    for (const item of this.#items) {
      if (item.kind === kind && groupOf(item.apiVersion ?? '') === groupOf(apiVersion) && item.file !== undefined) this.#read(ofKind, item)
    }
    return ofKind
  }

  #read(ofKind: Map<string, KrmObject[]>, item: KrmObject): void {
    const { name = '', namespace = '' } = item
    this.add(item, { ofKind, identity: this.#identity({ name, namespace }, locate(item.file?.path ?? '', item.packagePath)) })
  }

  /** Returns package, namespace and name as one text. The namespaces '' and `default` are the same. */
  #identity({ name, namespace }: Pick<ObjectKey, 'name' | 'namespace'>, location: string): string {
    const folder = folderOf(location)
    // New objects mostly follow each other in one folder.
    if (this.#last?.folder !== folder) this.#last = { folder, pkg: packageOf(location, this.#folders) }
    return `${this.#last.pkg}\n${namespace === '' ? 'default' : namespace}\n${name}`
  }
}

/** Returns the items with a file by the folder of the file among all packages. Most items are in the folder of the item before. */
function byFolder(items: readonly KrmObject[]): Map<string, KrmObject[]> {
  const folders = new Map<string, KrmObject[]>()
  let last: { readonly folder: string; readonly packagePath: string | undefined; readonly items: KrmObject[] } | undefined
  for (const item of items) {
    const { file, packagePath } = item
    if (file === undefined) continue
    const folder = folderOf(file.path)
    if (last?.folder !== folder || last.packagePath !== packagePath) {
      const location = folderOf(locate(file.path, packagePath))
      last = { folder, packagePath, items: folders.get(location) ?? [] }
      folders.set(location, last.items)
    }
    last.items.push(item)
  }
  return folders
}

/** Returns the identity of a value to be written. Missing parts are ''. */
export function keyOfIdentity(value: JsonRecord): ObjectKey {
  const metadata = lookup(value, 'metadata')
  const text = (record: JsonRecord, key: string) => String(lookup(record, key) ?? '')
  const named = asRecord(metadata)
  return {
    apiVersion: text(value, 'apiVersion'),
    kind: text(value, 'kind'),
    name: text(named, 'name'),
    namespace: text(named, 'namespace'),
  }
}

function twice(first: KrmObject, second: KrmObject): FunctionError {
  const places = [first, second].map((object) => `${object.file?.path}:${object.positionOf([]).line}`).join(' and ')
  const { ref, file } = second
  const message = `${formatResourceRef(ref)} must be in the package once, is at ${places}`
  return new FunctionError([{ severity: 'error', message, resourceRef: ref, ...(file && { file }), tags: { rule: 'duplicate-object' } }])
}
