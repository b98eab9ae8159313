import { asRecord, type JsonRecord, lookup } from '../json.ts'
import { remember } from '../remember.ts'
import { FunctionError, formatResourceRef } from '../result.ts'
import { objectPlace } from './finding-place.ts'
import { groupOf } from './identity.ts'
import type { KrmObject } from './krm-object.ts'
import { locate, nearestFolder, packageFolders } from './package-of.ts'

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
  readonly #packageOf: (location: string) => string
  /** Objects by identity, for each kind that was looked up: in most lists one kind. */
  readonly #kinds = new Map<string, Map<string, KrmObject[]>>()
  /** The highest document index of each file, read when the first object is added: most runs add none. */
  #indexes: Map<string, number> | undefined

  constructor(items: readonly KrmObject[]) {
    this.#items = items
    this.#packageOf = nearestFolder(packageFolders(items))
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
    this.#indexes ??= highestIndexes(this.#items)
    const index = (this.#indexes.get(location) ?? -1) + 1
    this.#indexes.set(location, index)
    return index
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
    return `${this.#packageOf(location)}\n${namespace === '' ? 'default' : namespace}\n${name}`
  }
}

/** Returns the highest document index of each file among all packages. */
function highestIndexes(items: readonly KrmObject[]): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const { file, packagePath } of items) {
    if (file === undefined) continue
    const location = locate(file.path, packagePath)
    indexes.set(location, Math.max(indexes.get(location) ?? -1, file.index))
  }
  return indexes
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
  const message = `${formatResourceRef(second.ref)} must be in the package once, is at ${places}`
  return new FunctionError([{ severity: 'error', message, ...objectPlace(second), tags: { rule: 'duplicate-object' } }])
}
