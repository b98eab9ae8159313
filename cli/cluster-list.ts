import type { ClusterSet } from '../src/fleet/adopt-variants.ts'
import { groupBy } from '../src/group-by.ts'
import { isRecord, type JsonRecord, type JsonValue, memberOf, scalarText } from '../src/json.ts'
import { groupOf } from '../src/resource-list/identity.ts'
import { PORCH_CONFIG_GROUP } from '../src/well-known.ts'
import { countOf } from '../src/wording.ts'
import { objectsOfBytes, readObjectsOfFile } from './function-config.ts'
import type { Host } from './host.ts'
import { UsageError } from './usage-error.ts'

/** The objects of a cluster that Porch's controllers read or make. */
export interface ClusterList {
  readonly sets: readonly ClusterSet[]
  /** The PackageVariants, as the API server has them. */
  readonly variants: readonly JsonRecord[]
  /** The kinds and numbers of all objects, for messages: `2 PackageVariantSets, 1 Pod`. */
  readonly described: string
}

/** The form of a uid that an API server gives (RFC 4122); other texts would be copied into a label that no server accepts. */
const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Returns the PackageVariantSets and PackageVariants of a file, or of stdin for `-`, with objects of a cluster: documents, or the `List`
 * that kubectl prints.
 *
 * @throws FunctionError when the file cannot be read as YAML; UsageError for a file that has none of them and is no empty list, such as a
 *   message of kubectl, and for a set without the uid of an API server
 */
export async function readClusterList(path: string, host: Host): Promise<ClusterList> {
  const read = path === '-' ? objectsOfBytes('stdin', Buffer.from(await host.read())) : readObjectsOfFile(path, host)
  const documents = read.map((object) => object.toJson())
  const objects = documents.flatMap(withItems)
  const sets = objects.filter((object) => isOfPorch(object, 'PackageVariantSet')).map(clusterSet)
  const variants = objects.filter((object) => isOfPorch(object, 'PackageVariant'))
  const described = describeObjects(objects)
  const isEmptyList = documents.length > 0 && documents.every(isList) && objects.length === 0
  if (sets.length === 0 && variants.length === 0 && !isEmptyList) throw noPorchObjects(path, described)
  const without = sets.filter(({ uid }) => !UID.test(uid)).map(({ name, uid }) => `'${name}' has '${uid}'`)
  if (without.length > 0)
    throw new UsageError(`${nameOf(path)} must have each set with the uid that an API server gave it: ${without.join(', ')}`)
  return { sets, variants, described }
}

/** Returns the file as messages name it. */
function nameOf(path: string): string {
  return path === '-' ? 'stdin' : `'${path}'`
}

/** Returns the error of a file without the objects of a cluster that a command needs. */
export function noPorchObjects(path: string, described: string): UsageError {
  return new UsageError(`${nameOf(path)} must hold the PackageVariantSets of a cluster, has ${described}`)
}

function clusterSet({ metadata }: JsonRecord): ClusterSet {
  const [name = '', namespace = '', uid = ''] = ['name', 'namespace', 'uid'].map((field) => scalarText(memberOf(metadata, field)))
  return { name, namespace: namespace || 'default', uid }
}

/** Returns true for a `List`, or the list of one kind that an API server sends, whose items are a list. */
function isList({ kind, items }: JsonRecord): boolean {
  return scalarText(kind).endsWith('List') && Array.isArray(items)
}

/** Returns an object, or the objects of a `List`. */
function withItems(object: JsonRecord): readonly JsonRecord[] {
  const items: JsonValue | undefined = object.items
  return Array.isArray(items) ? items.filter(isRecord) : [object]
}

function isOfPorch(object: JsonRecord, kind: string): boolean {
  return object.kind === kind && groupOf(scalarText(object.apiVersion)) === PORCH_CONFIG_GROUP
}

function describeObjects(objects: readonly JsonRecord[]): string {
  if (objects.length === 0) return 'no objects'
  const byKind = groupBy(objects, ({ kind }) => scalarText(kind) || 'object without a kind')
  return Array.from(byKind, ([kind, { length }]) => countOf(length, kind)).join(', ')
}
