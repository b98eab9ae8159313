import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { versionOf } from './kinds.ts'

/** The API group of CustomResourceDefinitions. */
export const DEFINITIONS_GROUP = 'apiextensions.k8s.io'

/**
 * Returns the schema of a kind in a version, as CustomResourceDefinitions have it (apiextensions.k8s.io/v1; v1beta1 may have one schema for
 * all versions). Returns undefined if no definition has one, if several definitions differ, and if a definition keeps unknown fields.
 */
export function schemaOfKind(definitions: readonly KrmObject[], apiVersion: string, kind: string): JsonRecord | undefined {
  const group = groupOf(apiVersion)
  const ofKind = definitions.filter((each) => each.get(['spec', 'group']) === group && each.get(['spec', 'names', 'kind']) === kind)
  const schemas = ofKind.map((each) => schemaIn(each, versionOf(apiVersion)))
  const [first, ...others] = schemas
  if (!isRecord(first) || others.length === 0) return isRecord(first) ? first : undefined
  const text = JSON.stringify(first)
  return others.every((other) => JSON.stringify(other) === text) ? first : undefined
}

function schemaIn(definition: KrmObject, version: string): JsonValue | undefined {
  if (definition.get(['spec', 'preserveUnknownFields']) === true) return undefined
  for (let index = 0; ; index++) {
    const name = definition.get(['spec', 'versions', index, 'name'])
    if (name === undefined) return undefined
    if (name !== version) continue
    const own = definition.get(['spec', 'versions', index, 'schema', 'openAPIV3Schema'])
    return own ?? definition.get(['spec', 'validation', 'openAPIV3Schema'])
  }
}
