import { compareText } from '../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import { ownText } from './own-text.ts'
import { objectsIn, type PackageContent, type PackageFiles } from './package-files.ts'
import { statusByHand } from './rendering.ts'
import { isSameContent } from './same-content.ts'
import { UPSTREAM_IDENTIFIER } from './upstream-identity.ts'

const CONTEXT_FILE = 'package-context.yaml'
const CONTEXT_NAME = 'kptfile.kpt.dev'

/**
 * The files that a downstream changed, added or removed since it was cloned. What the clone itself wrote is no change: merge comments and
 * upstream identifiers, the package context, the Kptfile's name and upstream. Nor is what rendering notes in the Kptfile (kpt
 * pkg/lib/update/fastforward.go).
 */
export function localChanges(original: PackageFiles, downstream: PackageFiles): readonly string[] {
  const paths = [...new Set([...original.keys(), ...downstream.keys()])].sort(compareText)
  return paths.filter((path) => !isSame(path, original.get(path), downstream.get(path)))
}

/** Whether it is the file that a clone for deployment adds to a package. */
export function isContextFile(path: string): boolean {
  return path === CONTEXT_FILE || path.endsWith(`/${CONTEXT_FILE}`)
}

function isSame(path: string, original: PackageContent | undefined, downstream: PackageContent | undefined): boolean {
  if (path === KPTFILE) return isSameKptfile(original, downstream)
  if (isKptfile(path)) return isUneditedKptfile(original, downstream)
  if (original === undefined) return isContextFile(path) && objectsIn(downstream).every(isMadeContext)
  if (downstream === undefined) return false
  return isSameContent(original, downstream) || isSameContext(objectsIn(original), objectsIn(downstream))
}

/** A package context beside nothing else. */
function isSameContext([original, ...others]: readonly KrmObject[], [downstream, ...more]: readonly KrmObject[]): boolean {
  if (original === undefined || downstream === undefined || others.length > 0 || more.length > 0) return false
  return isContext(original) && isContext(downstream) && equalJson(contextByHand(original), contextByHand(downstream))
}

function isContext({ kind, name }: KrmObject): boolean {
  return kind === 'ConfigMap' && name === CONTEXT_NAME
}

function isMadeContext(object: KrmObject): boolean {
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: CONTEXT_NAME }, data: {} }
  return isContext(object) && equalJson(contextByHand(object), made)
}

/** A package context without what cloning writes: `data.name`, Porch also `data.package-path` (porch pkg/repository/package.go). */
function contextByHand(object: KrmObject): JsonRecord {
  const { metadata = {}, data = {}, ...rest } = object.toJson()
  const ownData = without(data, ['name', 'package-path'])
  return { ...rest, metadata: withoutAnnotations(metadata, ['config.kubernetes.io/local-config', UPSTREAM_IDENTIFIER]), data: ownData }
}

/**
 * Whether people left the Kptfile of a subpackage alone. What a clone, an update and a render write there is no change of it (kpt
 * pkg/lib/update/fastforward.go kptfilesEqual); a comment is one, since nothing else keeps it.
 */
export function isUneditedKptfile(original: PackageContent | undefined, downstream: PackageContent | undefined): boolean {
  const known = commentLines(original)
  return isSameKptfile(original, downstream) && commentLines(downstream).every((line) => known.includes(line))
}

function commentLines(content: PackageContent | undefined): readonly string[] {
  const lines = objectsIn(content).flatMap((object) => ownText(object).split('\n'))
  return lines.flatMap((line) => /(?:^|\s)(#.*)$/.exec(line)?.[1] ?? [])
}

function isSameKptfile(original: PackageContent | undefined, downstream: PackageContent | undefined): boolean {
  return equalJson(kptfileByHand(objectsIn(original)[0]), kptfileByHand(objectsIn(downstream)[0]))
}

/** A Kptfile without name, upstream and the notes of rendering; the bare one that a clone makes where upstream has none is nothing. */
function kptfileByHand(object: KrmObject | undefined): JsonRecord {
  const { metadata = {}, status = {}, ...rest } = without(object?.toJson() ?? {}, ['apiVersion', 'kind', 'upstream', 'upstreamLock'])
  const parts = {
    ...rest,
    metadata: withoutAnnotations(without(metadata, ['name']), [UPSTREAM_IDENTIFIER]),
    status: statusByHand(without(status, [])),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => !equalJson(value, {})))
}

function withoutAnnotations(metadata: JsonValue, keys: readonly string[]): JsonRecord {
  const { annotations = {}, ...rest } = without(metadata, [])
  const own = without(annotations, keys)
  return Object.keys(own).length === 0 ? rest : { ...rest, annotations: own }
}

/** A map without some keys; what is no map has none. */
function without(value: JsonValue, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(isRecord(value) ? value : {}).filter(([key]) => !keys.includes(key)))
}
