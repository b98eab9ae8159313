import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup, newRecord } from '../json.ts'
import type { FileRef } from '../result.ts'
import { type Node, nodesAlong } from '../yaml/read/node.ts'

/** The annotations with the path of an item's file. kpt reads both spellings and fails when they differ. */
const PATH_ANNOTATION = 'internal.config.kubernetes.io/path'
const LEGACY_PATH_ANNOTATION = 'config.kubernetes.io/path'
export const PATH_ANNOTATIONS = [PATH_ANNOTATION, LEGACY_PATH_ANNOTATION] as const
const INDEX_ANNOTATION = 'internal.config.kubernetes.io/index'
const LEGACY_INDEX_ANNOTATION = 'config.kubernetes.io/index'
const INDEX_ANNOTATIONS = [INDEX_ANNOTATION, LEGACY_INDEX_ANNOTATION] as const
/** The folder of the package on the orchestrator's disk; only `kpt fn render` sends it. */
export const PACKAGE_PATH_ANNOTATION = 'internal.config.kubernetes.io/package-path'
/** The annotation for how the file indents lists: `wide` or `compact`. */
const SEQINDENT_ANNOTATION = 'internal.config.kubernetes.io/seqindent'

const INTERNAL = 'internal.config.kubernetes.io/'
const LEGACY: ReadonlySet<string> = new Set([
  LEGACY_PATH_ANNOTATION,
  LEGACY_INDEX_ANNOTATION,
  'config.k8s.io/id',
  'kustomize.config.k8s.io/id',
  'internal.config.k8s.io/kpt-resource-id',
])

/**
 * Returns true if an annotation belongs to the wire and not to the object: orchestrators add it before a function runs and remove it
 * afterwards.
 */
export function isWireAnnotation(key: string): boolean {
  return key.startsWith(INTERNAL) || LEGACY.has(key)
}

/** Returns the file that the annotations of an item name, with document index 0 by default; undefined if they name none. */
export function wireFile(annotations: ReadonlyMap<string, string>): FileRef | undefined {
  return fileAt(firstOf(annotations, PATH_ANNOTATIONS), firstOf(annotations, INDEX_ANNOTATIONS))
}

function firstOf(annotations: ReadonlyMap<string, string>, keys: readonly string[]): string | undefined {
  for (const key of keys) if (annotations.has(key)) return annotations.get(key)
  return undefined
}

/** Returns the file with the path and the index that annotations of the wire name, as `wireFile`. */
function fileAt(path: string | undefined, indexText: string | undefined): FileRef | undefined {
  const index = Number(indexText ?? 0)
  return path === undefined ? undefined : { path, index: Number.isSafeInteger(index) ? index : 0 }
}

/** Returns the annotations by which kpt finds the file of a new item, in both spellings, because hosts read different ones. */
export function newWireAnnotations(file: FileRef, packagePath: string | undefined): JsonRecord {
  const [path, index] = [file.path, String(file.index)]
  return {
    [LEGACY_INDEX_ANNOTATION]: index,
    [LEGACY_PATH_ANNOTATION]: path,
    [INDEX_ANNOTATION]: index,
    ...(packagePath !== undefined && { [PACKAGE_PATH_ANNOTATION]: packagePath }),
    [PATH_ANNOTATION]: path,
  }
}

/**
 * Returns a value read at a path, without annotations of the wire. Returns undefined for annotations that were all of the wire.
 */
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
  const kept = newRecord()
  for (const [key, value] of Object.entries(annotations)) if (!isWireAnnotation(key)) kept[key] = value
  return Object.keys(kept).length === 0 && Object.keys(annotations).length > 0 ? undefined : kept
}

/** Returns true if the value at a path may contain annotations of the wire. */
export function holdsWire([key, inner, ...further]: FieldPath): boolean {
  return further.length === 0 && (key === undefined || (key === 'metadata' && (inner === undefined || inner === 'annotations')))
}

/** Returns a value to be written at a path with the object's current annotations of the wire, which a function must not change. */
export function keepWire(path: FieldPath, value: JsonValue, root: Node): JsonValue {
  return withWire(path, value, writtenWire(root))
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
  if (path.length === 2) return path[1] === 'annotations' ? Object.assign(newRecord(), value, Object.fromEntries(wire)) : value
  const key = path.length === 1 ? 'annotations' : 'metadata'
  return withKey(value, key, withWire(path.length === 1 ? [...path, key] : [key], lookup(value, key) ?? {}, wire))
}

/** Returns a map with another value of a key, which keeps its position; undefined removes the key. */
function withKey(value: JsonRecord, key: string, child: JsonValue | undefined): JsonRecord {
  const made = newRecord()
  for (const [other, member] of Object.entries(value)) {
    if (other !== key) made[other] = member
    else if (child !== undefined) made[other] = child
  }
  if (child !== undefined) made[key] = child
  return made
}

/** Returns the annotations of the wire for the place and identity of an item: all but that for the indentation of its file. */
export function placeKeys(root: Node): readonly string[] {
  return writtenWire(root).flatMap(([key]) => (key === SEQINDENT_ANNOTATION ? [] : [key]))
}

/** Returns how the object's file indents lists, from the orchestrator's annotation; undefined if there is none. */
export function seqindent(root: Node): 'wide' | 'compact' | undefined {
  const noted = nodesAlong(root, ['metadata', 'annotations', SEQINDENT_ANNOTATION])[3]
  const text = noted?.type === 'scalar' ? noted.text : undefined
  return text === 'wide' || text === 'compact' ? text : undefined
}
