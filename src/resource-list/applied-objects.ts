import { attempt } from '../attempt.ts'
import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonRecord, lookup } from '../json.ts'
import { FunctionError } from '../result.ts'
import { emitValue } from '../yaml/emit/emit.ts'
import { columnOf } from '../yaml/read/lines.ts'
import { type Node, nodesAlong } from '../yaml/read/node.ts'
import { KrmObject } from './krm-object.ts'
import { WireError } from './wire-error.ts'

/** The annotation of objects that are for tools on disk only. */
export const LOCAL_CONFIG = 'config.kubernetes.io/local-config'

/**
 * Returns true if an object is never applied: its local-config annotation is `true`, in any letter case. kustomize and Config Sync leave
 * out every value but `false`, and `kpt live apply` every value; their documentation knows only `true` and `false`.
 */
export function isLocalConfig({ annotations }: KrmObject): boolean {
  return annotations.get(LOCAL_CONFIG)?.toLowerCase() === 'true'
}

/** The place of an entry of a List: the List in its file, and the path of the entry. */
export interface ListPlace {
  readonly list: KrmObject
  readonly path: FieldPath
}

const places = new WeakMap<KrmObject, ListPlace>()

/** Returns the place of an object that `appliedObjects` returned for a List; undefined for an object that is a document itself. */
export function placeInList(object: KrmObject): ListPlace | undefined {
  return places.get(object)
}

/** The objects of Lists, made once for a text: comparisons of packages recognise equal objects of shared files. */
const known = new WeakMap<KrmObject, { readonly text: string; readonly objects: readonly KrmObject[] }>()

/**
 * Returns the objects that kubectl, Flux and Argo CD apply for a document: the entries of a List, also of Lists in Lists, and for any other
 * document the document itself. Functions and merges do not ask: for them, as for kpt, a List is one object.
 *
 * A List is an object of a kind such as `List` or `ConfigMapList` whose `items` are maps. As in kubectl, an entry of a `ConfigMapList`
 * without apiVersion and kind is a ConfigMap (apimachinery, UnstructuredJSONScheme.decodeToList). The objects have the places of their
 * entries in the file. They are copies: an edit belongs into the List, at `placeInList`.
 */
export function appliedObjects(object: KrmObject): readonly KrmObject[] {
  if (object.kind?.endsWith('List') !== true) return [object]
  const text = object.toText()
  const made = known.get(object)
  if (made?.text === text) return made.objects
  const objects = entriesOf(object)?.flatMap(appliedObjects) ?? [object]
  known.set(object, { text, objects })
  return objects
}

/** Returns the entries of a List as objects; undefined for an object of another form, and for a List whose values are not known. */
function entriesOf(list: KrmObject): readonly KrmObject[] | undefined {
  try {
    const items = list.get(['items'])
    if (!Array.isArray(items) || !items.every(isRecord)) return undefined
    const { text, node } = list.written()
    return items.map((value: JsonRecord, i) => {
      const entry = entryObject(list, { text, node, value, i })
      const outer = placeInList(list)
      places.set(entry, { list: outer?.list ?? list, path: [...(outer?.path ?? []), 'items', i] })
      return entry
    })
  } catch (error) {
    if (error instanceof FunctionError || error instanceof WireError) return undefined
    throw error
  }
}

interface ListEntry {
  readonly text: string
  readonly node: Node
  readonly value: JsonRecord
  readonly i: number
}

/** Returns an entry as a document of the List's file, with lines and columns as in the file. */
function entryObject(list: KrmObject, { text, node, value, i }: ListEntry): KrmObject {
  const at = list.positionOf(['items', i])
  const objectOf = (content: string, line: number): KrmObject =>
    KrmObject.of(`${content}\n`, 'document', list.file && { ...list.file, line })
  const missing = missingIn(list, value)
  const whole = { ...missing, ...value }
  const found = nodesAlong(node, ['items', i])[2]
  const lines = Object.keys(missing).length
  if (found?.type === 'map' && (lines === 0 || !found.flow)) {
    const margin = ' '.repeat(at.column - 1)
    const head = Object.entries(missing).map(([key, each]) => `${margin}${key}: ${each}\n`)
    const own = dedented(text.slice(found.start, found.end), columnOf(text, found.start) - margin.length)
    const object = objectOf(`${head.join('')}${margin}${own}`, at.line - lines)
    if (hasValue(object, whole)) return object
  }
  // An entry with an alias of another one, or in a layout that cannot be cut: its value at its line.
  return objectOf(emitValue(whole, { column: 0, sequences: 'compact' }), at.line)
}

/** Returns the apiVersion and kind of an entry of a ConfigMapList that has neither. */
function missingIn({ apiVersion = '', kind = '' }: KrmObject, value: JsonRecord): Readonly<Record<string, string>> {
  const own = kind.slice(0, -'List'.length)
  return own === '' || Object.hasOwn(value, 'kind') || Object.hasOwn(value, 'apiVersion') ? {} : { apiVersion, kind: own }
}

function hasValue(object: KrmObject, value: JsonRecord): boolean {
  return lookup(value, 'kind') === object.kind && attempt(() => equalJson(object.toJson(), value), FunctionError, WireError) === true
}

/** Removes some columns of indentation, which an item of a ResourceList has and its file has not, from all lines but the first. */
function dedented(text: string, columns: number): string {
  return columns <= 0 ? text : text.replaceAll(new RegExp(`(?<=\n) {1,${columns}}`, 'g'), '')
}
