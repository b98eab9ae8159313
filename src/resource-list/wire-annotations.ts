import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup, newRecord } from '../json.ts'
import type { FileRef } from '../result.ts'
import { type Node, nodesAlong } from '../yaml/read/node.ts'

/** Where a function reads and writes the file of an item. kpt reads both and complains when they differ. */
const PATH_ANNOTATION = 'internal.config.kubernetes.io/path'
const LEGACY_PATH_ANNOTATION = 'config.kubernetes.io/path'
export const PATH_ANNOTATIONS = [PATH_ANNOTATION, LEGACY_PATH_ANNOTATION] as const
const INDEX_ANNOTATION = 'internal.config.kubernetes.io/index'
const LEGACY_INDEX_ANNOTATION = 'config.kubernetes.io/index'
/** The folder of the package on the orchestrator's disk; only `kpt fn render` sends it. */
export const PACKAGE_PATH_ANNOTATION = 'internal.config.kubernetes.io/package-path'
/** `wide` or `compact`: how the file indents lists. */
const SEQINDENT_ANNOTATION = 'internal.config.kubernetes.io/seqindent'

const INTERNAL = 'internal.config.kubernetes.io/'
const LEGACY: ReadonlySet<string> = new Set([
  LEGACY_PATH_ANNOTATION,
  LEGACY_INDEX_ANNOTATION,
  'config.k8s.io/id',
  'kustomize.config.k8s.io/id',
  'internal.config.k8s.io/kpt-resource-id',
])

/** Whether an annotation belongs to the wire, not to the object: orchestrators add it on the way in and take it off on the way out. */
export function isWireAnnotation(key: string): boolean {
  return key.startsWith(INTERNAL) || LEGACY.has(key)
}

/** The file of an item as its annotations name it. */
export function wireFile(annotations: ReadonlyMap<string, string>): FileRef | undefined {
  const path = annotations.get(PATH_ANNOTATION) ?? annotations.get(LEGACY_PATH_ANNOTATION)
  const index = Number(annotations.get(INDEX_ANNOTATION) ?? annotations.get(LEGACY_INDEX_ANNOTATION) ?? 0)
  return path === undefined ? undefined : { path, index: Number.isSafeInteger(index) ? index : 0 }
}

/** The annotations of a new item: those by which kpt finds its file. Both spellings, since hosts differ in which they read. */
export function newWireAnnotations(file: FileRef, packagePath: string | undefined): JsonRecord {
  return {
    [LEGACY_INDEX_ANNOTATION]: String(file.index),
    [LEGACY_PATH_ANNOTATION]: file.path,
    [INDEX_ANNOTATION]: String(file.index),
    ...(packagePath !== undefined && { [PACKAGE_PATH_ANNOTATION]: packagePath }),
    [PATH_ANNOTATION]: file.path,
  }
}

/** A value read at a path, without the wire's annotations if they are in it. Annotations that were all of the wire are none. */
export function withoutWire(path: FieldPath, value: JsonValue): JsonValue | undefined {
  if (!isRecord(value) || path.length > 2) return value
  if (path.length === 2) return path[0] === 'metadata' && path[1] === 'annotations' ? objectAnnotations(value) : value
  const key = path.length === 1 ? 'annotations' : 'metadata'
  const child = path.length === 0 || path[0] === 'metadata' ? lookup(value, key) : undefined
  if (child === undefined) return value
  const kept = withoutWire([...(path.length === 1 ? path : []), key], child)
  return withKey(value, key, kept)
}

function objectAnnotations(annotations: JsonRecord): JsonRecord | undefined {
  const kept = Object.entries(annotations).filter(([key]) => !isWireAnnotation(key))
  return kept.length === 0 && Object.keys(annotations).length > 0 ? undefined : record(kept)
}

/** Whether the annotations of the wire may be in what is at a path. */
export function holdsWire([key, inner, ...further]: FieldPath): boolean {
  return further.length === 0 && (key === undefined || (key === 'metadata' && (inner === undefined || inner === 'annotations')))
}

/** A value to be written at a path, with the wire's annotations that are there now: they are not the function's to change. */
export function keepWire(path: FieldPath, value: JsonValue, object: { headNode(): Node }): JsonValue {
  return holdsWire(path) ? withWire(path, value, writtenWire(object.headNode())) : value
}

function writtenWire(root: Node): readonly (readonly [string, string])[] {
  const annotations = nodesAlong(root, ['metadata', 'annotations'])[2]
  const entries = annotations?.type === 'map' ? annotations.entries : []
  return entries.flatMap(({ key, value }) =>
    value.type === 'scalar' && isWireAnnotation(key.text) ? [[key.text, value.text] as const] : [],
  )
}

function withWire(path: FieldPath, value: JsonValue, wire: readonly (readonly [string, string])[]): JsonValue {
  if (wire.length === 0 || !isRecord(value)) return value
  if (path.length === 2) return path[1] === 'annotations' ? record([...Object.entries(value), ...wire]) : value
  const key = path.length === 1 ? 'annotations' : 'metadata'
  return withKey(value, key, withWire(path.length === 1 ? [...path, key] : [key], lookup(value, key) ?? {}, wire))
}

function withKey(value: JsonRecord, key: string, child: JsonValue | undefined): JsonRecord {
  const others = Object.entries(value).filter(([other]) => other !== key)
  const entries = Object.keys(value).map((other) => [other, other === key ? child : value[other]] as const)
  const placed = Object.hasOwn(value, key) ? entries : [...others, [key, child] as const]
  return record(placed.flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const])))
}

function record(entries: readonly (readonly [string, JsonValue])[]): JsonRecord {
  const made = newRecord()
  for (const [key, value] of entries) made[key] = value
  return made
}

/** The annotations of the wire that say of an item where it is, or which it is: all but how its file is indented. */
export function placeKeys(root: Node): readonly string[] {
  return writtenWire(root).flatMap(([key]) => (key === SEQINDENT_ANNOTATION ? [] : [key]))
}

/** What the orchestrator noted about the indentation of lists in the object's file. */
export function seqindent(root: Node): 'wide' | 'compact' | undefined {
  const noted = nodesAlong(root, ['metadata', 'annotations', SEQINDENT_ANNOTATION])[3]
  const text = noted?.type === 'scalar' ? noted.text : undefined
  return text === 'wide' || text === 'compact' ? text : undefined
}
