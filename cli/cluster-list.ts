import type { ClusterSet } from '../src/fleet/adopt-variants.ts'
import { groupBy } from '../src/group-by.ts'
import { isRecord, type JsonRecord, type JsonValue, memberOf, scalarText } from '../src/json.ts'
import { groupOf } from '../src/resource-list/identity.ts'
import { PORCH_CONFIG_GROUP } from '../src/well-known.ts'
import { countOf } from '../src/wording.ts'
import { readObjectsOfFile } from './function-config.ts'
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
 * Returns the PackageVariantSets and PackageVariants of a file with objects of a cluster: documents, or the `List` that kubectl prints.
 *
 * @throws FunctionError when the file cannot be read as YAML; UsageError for a set without the uid of an API server
 */
export function readClusterList(path: string, host: Host): ClusterList {
  const objects = readObjectsOfFile(path, host).flatMap((object) => withItems(object.toJson()))
  const sets = objects.filter((object) => isOfPorch(object, 'PackageVariantSet')).map(clusterSet)
  const without = sets.filter(({ uid }) => !UID.test(uid)).map(({ name, uid }) => `'${name}' has '${uid}'`)
  if (without.length > 0)
    throw new UsageError(`'${path}' must have each set with the uid that an API server gave it: ${without.join(', ')}`)
  return { sets, variants: objects.filter((object) => isOfPorch(object, 'PackageVariant')), described: describeObjects(objects) }
}

function clusterSet({ metadata }: JsonRecord): ClusterSet {
  const [name = '', namespace = '', uid = ''] = ['name', 'namespace', 'uid'].map((field) => scalarText(memberOf(metadata, field)))
  return { name, namespace: namespace || 'default', uid }
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
  return Array.from(
    groupBy(objects, ({ kind }) => scalarText(kind) || 'object without a kind'),
    ([kind, { length }]) => countOf(length, kind),
  ).join(', ')
}
