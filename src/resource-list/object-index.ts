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
  readonly #objects = new Map<string, KrmObject[]>()
  readonly #indexes = new Map<string, number>()
  readonly #folders: ReadonlySet<string>

  constructor(items: readonly KrmObject[]) {
    this.#folders = packageFolders(items)
    for (const item of items) if (item.file !== undefined) this.#addItem(item, item.file.path, item.file.index)
  }

  #addItem(item: KrmObject, path: string, index: number): void {
    const { apiVersion = '', kind = '', name = '', namespace = '' } = item
    this.add(item, { apiVersion, kind, name, namespace }, locate(path, item.packagePath), index)
  }

  add(object: KrmObject, key: ObjectKey, location: string, index: number): void {
    const text = this.#key(key, location)
    this.#objects.set(text, [...(this.#objects.get(text) ?? []), object])
    this.#indexes.set(location, Math.max(this.#indexes.get(location) ?? -1, index))
  }

  delete(object: KrmObject): void {
    for (const [key, objects] of this.#objects)
      if (objects.includes(object))
        this.#objects.set(
          key,
          objects.filter((other) => other !== object),
        )
  }

  /**
   * The object with this identity in the package of a location.
   *
   * @throws FunctionError  when there are two
   */
  find(key: ObjectKey, location: string): KrmObject | undefined {
    const [first, second] = this.#objects.get(this.#key(key, location)) ?? []
    if (first !== undefined && second !== undefined) throw twice(first, second)
    return first
  }

  /** A document number that no object of the file has. */
  freeIndex(location: string): number {
    return (this.#indexes.get(location) ?? -1) + 1
  }

  /** '' and `default` are one namespace; versions of a group are one group. */
  #key({ apiVersion, kind, name, namespace }: ObjectKey, location: string): string {
    const scope = namespace === '' ? 'default' : namespace
    return [packageOf(location, this.#folders), groupOf(apiVersion), kind, scope, name].join('\n')
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
