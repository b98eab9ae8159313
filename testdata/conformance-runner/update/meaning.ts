import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import { objectsIn } from '../../../src/merge/package-files.ts'
import { packageOfTexts } from '../../../src/merge/package-of-texts.ts'
import { UPSTREAM_IDENTIFIER } from '../../../src/merge/upstream-identity.ts'

/**
 * What a file means: its documents, without what kpt and Porch write after every merge (upstream identifiers, and the Kptfile's upstream),
 * which is the business of whoever merges; a text where it holds no resources.
 */
export function meaningOf(path: string, text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  const objects = objectsIn(packageOfTexts({ [path]: text }).get(path))
  return objects.length === 0 ? text : objects.map((object) => withoutMarks(path, object.toJson()))
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
