import type { FieldPath } from '../field-path.ts'
import type { FileRef } from '../result.ts'
import { FlowTexts, NO_TEXTS, type TextMap, type Texts } from '../yaml/read/builder.ts'
import type { KeyedNode, MapNode, Node } from '../yaml/read/node.ts'
import { type Wanted, wantedKeys } from '../yaml/read/wanted.ts'
import { isWireAnnotation, PACKAGE_PATH_ANNOTATION, wireFile } from './wire-annotations.ts'

/** The fields that identify an object, as texts in the spelling of the file: a name `123` is '123'. */
export interface Identity {
  readonly apiVersion: string | undefined
  readonly kind: string | undefined
  readonly name: string | undefined
  readonly namespace: string | undefined
  readonly labels: ReadonlyMap<string, string>
  /** The annotations in the object's file, without those of the wire. */
  readonly annotations: ReadonlyMap<string, string>
  /** Paths of labels and annotations without a value: these count as absent. */
  readonly blanks: readonly FieldPath[]
  readonly wire: Wire
}

/** The place of an object, from the annotations of the wire. */
interface Wire {
  readonly file: FileRef | undefined
  readonly packagePath: string | undefined
  /** Number of lines of the object that are in the list but not in its file. */
  readonly lineCount: number
}

/** The value that all documents share: a fleet may have tens of thousands of documents. */
const NO_WIRE: Wire = { file: undefined, packagePath: undefined, lineCount: 0 }

/** The keys that make up an identity: root keys, and keys of `metadata`. */
const IDENTITY_KEYS = { root: ['apiVersion', 'kind', 'metadata'], below: ['name', 'namespace', 'labels', 'annotations'] } as const

/** The root keys that hold an identity: nothing else of an item is read until more is asked for. */
export const HEAD: Wanted = wantedKeys(IDENTITY_KEYS.root)

/** The keys that make up an identity, as a selection for a reader. */
export const IDENTITY: Wanted = new Map([
  ['apiVersion', undefined],
  ['kind', undefined],
  ['metadata', wantedKeys(IDENTITY_KEYS.below)],
])

/** Returns the identity in the texts of an object. All fields are undefined or empty if the object is not a map. */
export function identityOf(object: Texts): Identity {
  const root = mapOf(object)
  const metadata = mapOf(root.get('metadata'))
  const written = mapOf(metadata.get('annotations'))
  const annotations = stringsOf(written)
  const own = withoutWireKeys(annotations)
  return {
    apiVersion: textOf(root.get('apiVersion')),
    kind: textOf(root.get('kind')),
    name: textOf(metadata.get('name')),
    namespace: textOf(metadata.get('namespace')),
    labels: stringsOf(metadata.get('labels')),
    annotations: own,
    blanks: blanksOf(metadata),
    wire: annotations.size === own.size ? NO_WIRE : wireOf(annotations, own, written),
  }
}

function wireOf(annotations: ReadonlyMap<string, string>, own: ReadonlyMap<string, string>, written: TextMap): Wire {
  const wire = annotations.size - own.size
  // The line of `annotations:` is not in the file either if the map has no other annotations. A flow map has no lines of its own.
  const lineCount = written instanceof FlowTexts ? 0 : wire === written.size && wire > 0 ? wire + 1 : wire
  return { file: wireFile(annotations), packagePath: annotations.get(PACKAGE_PATH_ANNOTATION), lineCount }
}

/** Returns the group of an apiVersion, '' for the core group: 'apps/v1' → 'apps', 'v1' → ''. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash === -1 ? '' : apiVersion.slice(0, slash)
}

/** Returns a text that identifies an object in a cluster: group, kind, namespace and name. Another version is the same object. */
export function identityOfObject({ apiVersion = '', kind = '', namespace = '', name = '' }: IdentifiedObject): string {
  return JSON.stringify([groupOf(apiVersion), kind, namespace, name])
}

/** The fields that identify an object in a cluster. */
export type IdentifiedObject = { readonly [Field in 'apiVersion' | 'kind' | 'namespace' | 'name']?: string | undefined }

/** Returns the entries of a key. There are two or more if the `---` line between two objects was lost. */
function entriesOf(node: Node, key: string): readonly KeyedNode[] {
  return node.type === 'map' ? node.entries.filter((entry) => entry.key.text === key) : []
}

function textOf(texts: Texts | undefined): string | undefined {
  return typeof texts === 'string' ? texts : undefined
}

function mapOf(texts: Texts | undefined): TextMap {
  return texts instanceof Map ? texts : NO_TEXTS
}

const NO_STRINGS: ReadonlyMap<string, string> = new Map()

/** Returns the scalar values of a map, without nulls. */
function stringsOf(texts: Texts | undefined): ReadonlyMap<string, string> {
  const map = mapOf(texts)
  if (isOfStrings(map)) return map
  const strings = new Map<string, string>()
  for (const [key, value] of map) if (typeof value === 'string') strings.set(key, value)
  return strings
}

const NO_BLANKS: readonly FieldPath[] = []

/**
 * Returns the paths of labels and annotations whose value is `null`, `~` or empty. Most objects have none: these share one empty list.
 */
function blanksOf(metadata: TextMap): readonly FieldPath[] {
  let blanks = NO_BLANKS
  for (const field of ['labels', 'annotations'])
    for (const [key, value] of mapOf(metadata.get(field))) if (value === null) blanks = [...blanks, ['metadata', field, key]]
  return blanks
}

function isOfStrings(map: TextMap): map is ReadonlyMap<string, string> {
  for (const value of map.values()) if (typeof value !== 'string') return false
  return true
}

function withoutWireKeys(strings: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kept = new Map<string, string>()
  for (const [key, value] of strings) if (!isWireAnnotation(key)) kept.set(key, value)
  return kept.size === 0 ? NO_STRINGS : kept
}

/**
 * Returns the offsets of the lines below `metadata` that are in the list but not in the file. The line of `annotations:` is among
 * them if all annotations are of the wire.
 */
export function wireLines(root: Node): readonly number[] {
  return entriesOf(root, 'metadata').flatMap((metadata) => entriesOf(metadata.value, 'annotations').flatMap(wireLinesOf))
}

function wireLinesOf({ key, value }: KeyedNode): readonly number[] {
  if (value.type !== 'map' || value.flow) return []
  const wire = wireKeys(value)
  return wire.length === value.entries.length ? [key.start, ...wire] : wire
}

function wireKeys(annotations: MapNode): readonly number[] {
  return annotations.entries.filter(({ key }) => isWireAnnotation(key.text)).map(({ key }) => key.start)
}
