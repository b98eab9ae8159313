import { attempt } from '../../attempt.ts'
import type { FieldPath } from '../../field-path.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { WireError } from '../../resource-list/wire-error.ts'
import { dropField, type Field, isNull, memberField, putField, type ScalarField, treeOfNode } from './field-tree.ts'
import type { ObjectSelector } from './replacements-config.ts'

/** An object and its tree. Every edit goes into both. */
export class EditedObject {
  readonly item: KrmObject
  #root: Field | undefined
  #identity: ObjectSelector | undefined
  #made: FieldPath | undefined

  constructor(item: KrmObject) {
    this.item = item
  }

  get root(): Field {
    this.#root ??= treeOfNode(this.item.written().node)
    return this.#root
  }

  /** The group, version, kind, name and namespace at this moment: a replacement may change them. */
  get identity(): ObjectSelector {
    this.#identity ??= this.#readIdentity()
    return this.#identity
  }

  #readIdentity(): ObjectSelector {
    const { apiVersion = '', kind = '', name = '', namespace = '' } = this.#root === undefined ? this.item : headOf(this.#root)
    const slash = apiVersion.indexOf('/')
    return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1), kind, name, namespace }
  }

  /** Returns the labels or annotations at this moment. */
  pairs(key: 'labels' | 'annotations'): ReadonlyMap<string, string> {
    const map = memberField(memberField(this.root, 'metadata') ?? this.root, key)
    return map?.type === 'map'
      ? new Map(Array.from(map.entries, ([name, value]) => [name, value.type === 'scalar' ? value.text : '']))
      : new Map()
  }

  /**
   * Writes a field.
   *
   * @param origin  the place that the field was copied from, so that its spelling stays
   */
  put(path: FieldPath, field: Field, origin?: { readonly item: KrmObject; readonly path: FieldPath }): void {
    if (path.length === 0) return
    putField(this.root, path, field)
    if (typeof path[0] === 'string' && HEAD.has(path[0])) this.#identity = undefined
    if (origin === undefined) writeField(this.item, path, field)
    else this.item.copy(path, origin.item, origin.path)
  }

  /** Writes a missing field on the way of a field path. */
  make(path: FieldPath, field: Field): void {
    this.#made ??= path
    this.put(path, field)
  }

  /**
   * Runs one field path. If the path fails, takes what the path made out of the tree, so that later paths are judged by the object as it
   * was. The item keeps it: a run with a fault gives no items.
   */
  attempt(act: () => void): void {
    this.#made = undefined
    try {
      act()
    } catch (error) {
      if (this.#made !== undefined) dropField(this.root, this.#made)
      throw error
    }
  }
}

const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

function headOf(root: Field): { readonly [Key in 'apiVersion' | 'kind' | 'name' | 'namespace']: string } {
  const metadata = memberField(root, 'metadata')
  const text = (holder: Field | undefined, key: string) => {
    const field = holder && memberField(holder, key)
    return field?.type === 'scalar' && !isNull(field) ? field.text : ''
  }
  return {
    apiVersion: text(root, 'apiVersion'),
    kind: text(root, 'kind'),
    name: text(metadata, 'name'),
    namespace: text(metadata, 'namespace'),
  }
}

function writeField(item: KrmObject, path: FieldPath, field: Field): void {
  if (field.type === 'scalar') writeScalar(item, path, field)
  else if (field.type === 'map' && field.entries.size > 0) for (const [key, value] of field.entries) writeField(item, [...path, key], value)
  else item.set(path, field.type === 'map' ? {} : [])
}

/** Writes a text as a text, and another scalar as spelled: `0644` stays `0644`. */
function writeScalar(item: KrmObject, path: FieldPath, { text, value }: ScalarField): void {
  const source = typeof value === 'string' || value === null || String(value) === text ? undefined : documentOf(text)
  if (source === undefined) item.set(path, value)
  else item.copy(path, source, ['value'])
}

function documentOf(text: string): KrmObject | undefined {
  return attempt(() => KrmObject.ofWholeDocument(`value: ${text}\n`, { path: '', index: 0, line: 1 }), WireError)
}
