import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import { ownMarks } from '../render-folder.ts'
import { isResourceFile, mergeCommentOf, resourcesIn, type WrittenResource } from '../written-resource.ts'
import { keyedView, ORDER } from './keyed-view.ts'

/** The annotation with which kpt and Porch name the upstream resource of a resource. */
const UPSTREAM_IDENTIFIER = 'internal.kpt.dev/upstream-identifier'

/**
 * What a file means: its documents by what they are called, without what kpt and Porch write after every merge (upstream identifiers, and
 * the Kptfile's upstream), which is the business of whoever merges; a text where it holds no resources.
 */
export function meaningOf(path: string, text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  const resources = isResourceFile(path) && !path.endsWith('.json') ? resourcesIn(path, text) : undefined
  if (resources === undefined) return text
  const named = resources.map((resource) => [identityOf(resource), resourceValue(path, resource.value)] as const)
  return { ...Object.fromEntries(named), [ORDER]: JSON.stringify(named.map(([name]) => name)) }
}

/** The kind, group and name by which a resource is known again, the names of a merge comment before its own. */
export function identityOf(resource: WrittenResource): string {
  const { path, apiVersion, kind, namespace, name } = resource
  const group = apiVersion.replace(/\/?[^/]*$/, '')
  return path.endsWith('Kptfile') ? 'Kptfile' : `${kind}.${group} ${mergeCommentOf(resource) ?? `${namespace}/${name}`}`
}

function resourceValue(path: string, resource: JsonRecord): JsonValue {
  const value = withoutMarks(path, path === 'Kptfile' ? ownMarks(resource).left : resource)
  return keyedView(path.endsWith('Kptfile') ? withoutEmpty(value) : value)
}

/** kpt writes its own type of a Kptfile, which has no place for empty maps and lists. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, child]) => [key, withoutEmpty(child)] as const)
  return Object.fromEntries(entries.filter(([, child]) => typeof child !== 'object' || child === null || Object.keys(child).length > 0))
}

function withoutMarks(path: string, object: JsonRecord): JsonRecord {
  const { metadata, ...others } = path === 'Kptfile' ? without(object, ['upstream', 'upstreamLock']) : object
  if (!isRecord(metadata)) return object
  const annotations = lookup(metadata, 'annotations')
  const own = isRecord(annotations) ? without(annotations, [UPSTREAM_IDENTIFIER]) : {}
  return { ...others, metadata: { ...without(metadata, ['annotations']), ...(Object.keys(own).length > 0 && { annotations: own }) } }
}

function without(record: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}
