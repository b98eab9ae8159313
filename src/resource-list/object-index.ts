import { isRecord, type JsonRecord, lookup } from '../json.ts'
import { FunctionError, formatResourceRef } from '../result.ts'
import { groupOf } from './identity.ts'
import type { KrmObject } from './krm-object.ts'
import { locate, packageFolders, packageOf } from './package-of.ts'

interface ObjectKey {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
}

/** What the objects of one identity are found by: their kind, and `identity` among its objects. */
interface IndexKey {
  readonly ofKind: Map<string, KrmObject[]>
  readonly identity: string
}

/** The objects of a list by package and identity, and the document numbers that are taken in each file. */
export class ObjectIndex {
  readonly #items: readonly KrmObject[]
  readonly #folders: ReadonlySet<string>
  /** Objects by identity, of the kinds that were asked for: most lists are asked for one. */
  readonly #kinds = new Map<string, Map<string, KrmObject[]>>()
  readonly #indexes = new Map<string, number>()
  /** The file name whose files' document numbers are known; undefined: none's are, or of all. */
  #known: string | undefined
  #isAllKnown = false

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

  /** What the object with this identity is, or is to be, found by in the package of a location. */
  keyFor(key: ObjectKey, location: string): IndexKey {
    return { ofKind: this.#kind(key), identity: this.#identity(key, location) }
  }

  /**
   * The object with a key.
   *
   * @throws FunctionError  when there are two
   */
  find({ ofKind, identity }: IndexKey): KrmObject | undefined {
    const [first, second] = ofKind.get(identity) ?? []
    if (first !== undefined && second !== undefined) throw twice(first, second)
    return first
  }

  add(object: KrmObject, { ofKind, identity }: IndexKey): void {
    const there = ofKind.get(identity)
    if (there === undefined) ofKind.set(identity, [object])
    else there.push(object)
  }

  /** Takes a document number that no object of the file has. */
  takeIndex(location: string): number {
    this.#readIndexes(location.slice(location.lastIndexOf('/') + 1))
    const index = (this.#indexes.get(location) ?? -1) + 1
    this.#indexes.set(location, index)
    return index
  }

  /** Of the items in files of a name; of all as soon as a second name is asked for: of most lists nobody asks for one. */
  #readIndexes(name: string): void {
    if (this.#isAllKnown || this.#known === name) return
    const isFirst = this.#known === undefined
    for (const item of this.#items) if (!isFirst || item.mayHold(name)) this.#take(item)
    this.#known = name
    this.#isAllKnown = !isFirst
  }

  // An item that was added since has its number already.
  #take({ file, packagePath }: KrmObject): void {
    if (file === undefined) return
    const location = locate(file.path, packagePath)
    this.#indexes.set(location, Math.max(this.#indexes.get(location) ?? -1, file.index))
  }

  /** Versions of a group are one group. */
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

  /** '' and `default` are one namespace. */
  #identity({ name, namespace }: Pick<ObjectKey, 'name' | 'namespace'>, location: string): string {
    return `${packageOf(location, this.#folders)}\n${namespace === '' ? 'default' : namespace}\n${name}`
  }
}

/** The identity that a value to be written has. */
export function keyOfIdentity(value: JsonRecord): ObjectKey {
  const metadata = lookup(value, 'metadata')
  const text = (record: JsonRecord, key: string) => String(lookup(record, key) ?? '')
  const named = isRecord(metadata) ? metadata : {}
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
