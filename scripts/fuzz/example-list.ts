import { readPackage } from '../../src/folder/read-package.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'

/**
 * The list that kpt would send for a folder.
 *
 * @param config  the file there whose object is the functionConfig, if it is there
 */
export function exampleList(folder: string, config?: string): JsonRecord {
  const { items } = readPackage(folder).list
  const found = config === undefined ? undefined : items.find(({ file }) => file?.path === config)
  return {
    apiVersion: 'config.kubernetes.io/v1',
    kind: 'ResourceList',
    items: items.map(sent),
    ...(found !== undefined && { functionConfig: sent(found) }),
  }
}

/** With its place, as kpt notes it. */
function sent(object: KrmObject): JsonRecord {
  const [value, metadata, annotations] = [[], ['metadata'], ['metadata', 'annotations']].map((path) => recordOf(object.get(path)))
  const { path = '', index = 0 } = object.file ?? {}
  const place = { 'internal.config.kubernetes.io/path': path, 'internal.config.kubernetes.io/index': String(index) }
  return { ...value, metadata: { ...metadata, annotations: { ...annotations, ...place } } }
}

function recordOf(value: JsonValue | undefined): JsonRecord {
  return isRecord(value) ? value : {}
}
