// The objects and lists that functions of others read and edit: the members that are stable.
import type { FieldPath } from '../src/field-path.ts'
import type { JsonRecord, JsonValue } from '../src/json.ts'
import { KrmObject as ObjectOfList } from '../src/resource-list/krm-object.ts'
import { ResourceList as ListOfObjects } from '../src/resource-list/resource-list.ts'
import type { FileRef, Position, ResourceRef, Result } from '../src/result.ts'

/**
 * One object of a list, kept as text. Reading is lazy: only apiVersion, kind and metadata are read until more than the identity is
 * asked for. Writing changes parts of the text: everything else keeps its bytes, comments, quotes and number spelling.
 *
 * @example
 * ```ts
 * import { KrmObject } from 'krm-variants/sdk'
 *
 * const object = KrmObject.fromDocument('kind: Deployment\nspec:\n  replicas: 1 # grows at night\n')
 * object.set(['spec', 'replicas'], 3)
 * console.log(object.get(['spec', 'replicas'])) // 3
 * console.log(object.toText().includes('replicas: 3 # grows at night')) // true
 * console.log(object.positionOf(['spec', 'replicas']).line) // 3
 * ```
 */
export interface KrmObject {
  readonly apiVersion: string | undefined
  readonly kind: string | undefined
  readonly name: string | undefined
  readonly namespace: string | undefined
  readonly labels: ReadonlyMap<string, string>
  /** The annotations in the object's file, without those of the wire. */
  readonly annotations: ReadonlyMap<string, string>
  /** The file, and the index of the document in the file; undefined when the orchestrator named no file (kustomize). */
  readonly file: FileRef | undefined
  /** The folder of the package on the orchestrator's disk, undefined when the orchestrator named none. */
  readonly packagePath: string | undefined
  /** The reference to the object for results. Missing parts are ''. */
  readonly ref: ResourceRef
  /** True if an edit changed a byte, and for an object that a function added. Throws as `toText`. */
  readonly changed: boolean
  /**
   * Returns the value at a path, undefined when there is none.
   *
   * @throws FunctionError  when the path leads through an alias or a merge key with an unknown value, or its value contains one
   */
  get(path: FieldPath): JsonValue | undefined
  /** Returns the whole object, without the annotations of the wire; {} when the object is not a map. Throws as `get`. */
  toJson(): JsonRecord
  /**
   * Returns the current text: of an item with its dash, of a document with its comments.
   *
   * @throws FunctionError  when the edits would change the meaning of other text or of an alias: then no edit is made
   */
  toText(): string
  /**
   * Writes `value` at the path. Missing maps and lists on the way are created. Only the lines that must change do.
   *
   * @throws FunctionError  as `get`; when a key on the way or below occurs twice or uses `? `; when the value is not plain JSON
   */
  set(path: FieldPath, value: JsonValue): void
  /**
   * Removes the value at the path, with its key or dash and its own comment lines. Does nothing when there is no value.
   *
   * @throws FunctionError  as `set`
   */
  delete(path: FieldPath): void
  /**
   * Returns line and column in the object's file: of a scalar itself, of a map or list its key. When there is no value at the path,
   * returns the position of the nearest existing ancestor.
   */
  positionOf(path: FieldPath): Position
  /** Returns line and column of the last key of the path. */
  keyPositionOf(path: FieldPath): Position
}

export const KrmObject: {
  /**
   * Returns the object of a text that is one YAML document. `origin` names the file, the index of the document, and the line of the
   * file on which the document begins, from 1.
   *
   * @throws WireError  when the text is not YAML
   */
  fromDocument(text: string, origin?: FileRef & { readonly line: number }): KrmObject
} = ObjectOfList

/**
 * The wire: `items`, `functionConfig` and `results` of one ResourceList. A function reads, edits, adds and removes items; unchanged
 * text keeps its bytes.
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
export interface ResourceList {
  readonly functionConfig: KrmObject | undefined
  /** The results that the function reports; sorted when the run ends. */
  readonly results: Result[]
  /** All items in order. A new item follows the item that it was put after. */
  readonly items: readonly KrmObject[]
  /** The items that were removed from the list. */
  readonly removed: ReadonlySet<KrmObject>
  /**
   * Updates the object with the group, kind, namespace and name of `value` in the package of `path`, or adds a new object.
   *
   * @param path - the file of a new object
   * @param near - an item: a new object follows this item and belongs to its package
   * @throws FunctionError  when the package has two such objects; when the value is not plain JSON; when `path` is no text; in a function
   * that runs, when the value has no apiVersion or kind
   */
  upsert(value: JsonRecord, path: string, near?: KrmObject): KrmObject
  /** Removes an item from the list. Comments between items stay. */
  remove(object: KrmObject): void
  /**
   * Returns the list as text: the bytes of the input where nothing changed.
   *
   * @param results - replace the results of the input if the input or the run has any
   */
  toString(results?: readonly Result[]): string
}

export const ResourceList: {
  /**
   * Returns the list of a text that is a ResourceList.
   *
   * @throws WireError  when the text is not a ResourceList
   */
  parse(text: string): ResourceList
} = ListOfObjects

/** Returns the object as the object of a list. Throws TypeError for a value that only has the members of one. */
export function objectOfList(object: KrmObject): ObjectOfList {
  if (object instanceof ObjectOfList) return object
  throw new TypeError('the object must be an item of a ResourceList, its functionConfig, or made by KrmObject.fromDocument')
}
