import { compareText } from '../field-path.ts'
import { asRecord, equalJson, type JsonRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import { UPSTREAM_IDENTIFIER } from '../well-known.ts'
import { ownText } from './clone-marks.ts'
import { objectsIn, type PackageContent, type PackageFiles } from './package-files.ts'
import { statusByHand } from './rendering.ts'
import { isSameContent } from './same-content.ts'

const CONTEXT_FILE = 'package-context.yaml'
const CONTEXT_NAME = 'kptfile.kpt.dev'

/**
 * Returns the files that a downstream changed, added or removed since the clone, sorted. Content that the clone wrote is no change:
 * merge comments, upstream identifiers, the package context, the Kptfile's name and upstream. Neither is the render status in the
 * Kptfile (kpt pkg/lib/update/fastforward.go).
 */
export function editedFiles(base: PackageFiles, ours: PackageFiles): readonly string[] {
  const paths = [...new Set([...base.keys(), ...ours.keys()])].sort(compareText)
  return paths.filter((path) => !isUnedited(path, base.get(path), ours.get(path)))
}

/** Returns true for the path of a package context, which a clone for deployment adds. */
export function isContextFile(path: string): boolean {
  return path === CONTEXT_FILE || path.endsWith(`/${CONTEXT_FILE}`)
}

/** Returns true if the downstream did not change a file since the clone. */
export function isUnedited(path: string, base: PackageContent | undefined, ours: PackageContent | undefined): boolean {
  if (path === KPTFILE) return isSameKptfile(base, ours)
  if (isKptfile(path)) return (base === undefined) === (ours === undefined) && isUneditedKptfile(base, ours)
  if (base === undefined) return isContextFile(path) && objectsIn(ours).every(isMadeContext)
  return isSameContent(base, ours) || isSameContext(objectsIn(base), objectsIn(ours))
}

/** Returns true if both files hold only a package context and the contexts differ by clone-written data alone. */
function isSameContext([base, ...others]: readonly KrmObject[], [ours, ...more]: readonly KrmObject[]): boolean {
  if (base === undefined || ours === undefined || others.length > 0 || more.length > 0) return false
  return isContext(base) && isContext(ours) && equalJson(contextByHand(base), contextByHand(ours))
}

function isContext({ kind, name }: KrmObject): boolean {
  return kind === 'ConfigMap' && name === CONTEXT_NAME
}

function isMadeContext(object: KrmObject): boolean {
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: CONTEXT_NAME }, data: {} }
  return isContext(object) && equalJson(contextByHand(object), made)
}

/**
 * Returns a package context without the data that a clone writes: `data.name`, in Porch also `data.package-path` (porch
 * pkg/repository/package.go).
 */
function contextByHand(object: KrmObject): JsonRecord {
  const { metadata = {}, data = {}, ...rest } = object.toJson()
  const ownData = without(data, ['name', 'package-path'])
  return { ...rest, metadata: withoutAnnotations(metadata, ['config.kubernetes.io/local-config', UPSTREAM_IDENTIFIER]), data: ownData }
}

/**
 * Returns true if the Kptfile of a subpackage has no edits. Fields that a clone, an update or a render writes are no edits (kpt
 * pkg/lib/update/fastforward.go kptfilesEqual). A new comment is an edit, since a removal would lose it.
 */
function isUneditedKptfile(base: PackageContent | undefined, ours: PackageContent | undefined): boolean {
  return isSameKptfile(base, ours) && !hasNewComment(base, ours)
}

/** Returns true if a file has a comment that the clone does not have. */
export function hasNewComment(base: PackageContent | undefined, ours: PackageContent | undefined): boolean {
  const known = commentLines(base)
  return !commentLines(ours).every((line) => known.includes(line))
}

function commentLines(content: PackageContent | undefined): readonly string[] {
  const lines = objectsIn(content).flatMap((object) => ownText(object).split('\n'))
  return lines.flatMap((line) => /(?:^|\s)(#.*)$/.exec(line)?.[1] ?? [])
}

function isSameKptfile(base: PackageContent | undefined, ours: PackageContent | undefined): boolean {
  return equalJson(kptfileByHand(objectsIn(base)[0]), kptfileByHand(objectsIn(ours)[0]))
}

/** Returns a Kptfile without name, upstream and render status; {} for the bare Kptfile that a clone creates where upstream has none. */
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

/** Returns a map without the given keys; {} for a value that is no map. */
function without(value: JsonValue, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(asRecord(value)).filter(([key]) => !keys.includes(key)))
}
