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

/** The objects of a list by package and identity, and the document numbers that are taken in each file. */
export class ObjectIndex {
  readonly #items: readonly KrmObject[]
  readonly #folders: ReadonlySet<string>
  /** Objects by identity, of the kinds that were asked for: most lists are asked for one. */
  readonly #kinds = new Map<string, Map<string, KrmObject[]>>()
  readonly #indexes = new Map<string, number>()

  constructor(items: readonly KrmObject[]) {
    this.#items = items
    this.#folders = packageFolders(items)
    for (const { file, packagePath } of items) if (file !== undefined) this.#take(locate(file.path, packagePath), file.index)
  }

  add(object: KrmObject, key: ObjectKey, location: string, index: number): void {
    this.#put(this.#kind(key), object, key, location)
    this.#take(location, index)
  }

  delete(object: KrmObject): void {
    const { apiVersion = '', kind = '', name = '', namespace = '', file, packagePath } = object
    const key = { apiVersion, kind, name, namespace }
    const location = locate(file?.path ?? '', packagePath)
    const left = this.#kind(key)
      .get(this.#place(key, location))
      ?.filter((other) => other !== object)
    if (left !== undefined) this.#kind(key).set(this.#place(key, location), left)
  }

  /**
   * The object with this identity in the package of a location.
   *
   * @throws FunctionError  when there are two
   */
  find(key: ObjectKey, location: string): KrmObject | undefined {
    const [first, second] = this.#kind(key).get(this.#place(key, location)) ?? []
    if (first !== undefined && second !== undefined) throw twice(first, second)
    return first
  }

  /** A document number that no object of the file has. */
  freeIndex(location: string): number {
    return (this.#indexes.get(location) ?? -1) + 1
  }

  #take(location: string, index: number): void {
    this.#indexes.set(location, Math.max(this.#indexes.get(location) ?? -1, index))
  }

  /** Versions of a group are one group. */
  #kind({ apiVersion, kind }: ObjectKey): Map<string, KrmObject[]> {
    const name = `${groupOf(apiVersion)} ${kind}`
    const known = this.#kinds.get(name)
    if (known !== undefined) return known
    const objects = new Map<string, KrmObject[]>()
    this.#kinds.set(name, objects)
    for (const item of this.#items) {
      if (item.kind === kind && groupOf(item.apiVersion ?? '') === groupOf(apiVersion) && item.file !== undefined) this.#read(objects, item)
    }
    return objects
  }

  #read(objects: Map<string, KrmObject[]>, item: KrmObject): void {
    const { apiVersion = '', kind = '', name = '', namespace = '' } = item
    this.#put(objects, item, { apiVersion, kind, name, namespace }, locate(item.file?.path ?? '', item.packagePath))
  }

  #put(objects: Map<string, KrmObject[]>, object: KrmObject, key: ObjectKey, location: string): void {
    const place = this.#place(key, location)
    const there = objects.get(place)
    if (there === undefined) objects.set(place, [object])
    else there.push(object)
  }

  /** '' and `default` are one namespace. */
  #place({ name, namespace }: ObjectKey, location: string): string {
    return [packageOf(location, this.#folders), namespace === '' ? 'default' : namespace, name].join('\n')
  }
}

/** The identity that a value to be written has. */
export function keyOf(value: JsonRecord): ObjectKey {
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
