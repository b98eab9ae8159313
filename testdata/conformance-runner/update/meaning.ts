import { parse } from 'yaml'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import { objectsIn } from '../../../src/merge/package-files.ts'
import { UPSTREAM_IDENTIFIER } from '../../../src/merge/upstream-identity.ts'
import type { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { packageOfTexts } from '../../package-of-texts.ts'
import { keyedView, ORDER } from './keyed-view.ts'

/**
 * What a file means: its documents by what they are called, without what kpt and Porch write after every merge (upstream identifiers, and the
 * Kptfile's upstream), which is the business of whoever merges; a text where it holds no resources.
 */
export function meaningOf(path: string, text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  const objects = objectsIn(packageOfTexts({ [path]: text }).get(path))
  if (objects.length === 0) return text
  const named = objects.map((object) => [nameOf(path, object), resourceValue(path, object)] as const)
  return { ...Object.fromEntries(named), [ORDER]: JSON.stringify(named.map(([name]) => name)) }
}

function nameOf(path: string, object: KrmObject): string {
  const [, comment] = /^metadata:[ \t]+# kpt-merge: (.*)$/m.exec(object.toText()) ?? []
  const group = object.apiVersion?.replace(/\/?[^/]*$/, '') ?? ''
  return path.endsWith('Kptfile') ? 'Kptfile' : `${object.kind}.${group} ${comment ?? `${object.namespace ?? ''}/${object.name ?? ''}`}`
}

function resourceValue(path: string, object: KrmObject): JsonValue {
  const value = withoutMarks(path, object.aliases().length > 0 ? parse(object.toText(), { merge: true }) : object.toJson())
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
