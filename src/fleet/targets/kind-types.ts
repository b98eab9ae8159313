import type { Type } from '../../cel/check/types.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../../json.ts'
import { versionOf } from '../../kubernetes/kinds.ts'
import { remember } from '../../remember.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { typeOfObjects } from '../../schema/type-of-schema.ts'
import type { Fleet } from '../fleet.ts'

/** The API group of CustomResourceDefinitions. */
const DEFINITIONS_GROUP = 'apiextensions.k8s.io'

const known = new WeakMap<Fleet, Map<string, Type>>()

/**
 * Returns the type of the objects of a kind by the CustomResourceDefinitions of a fleet; dynamic for a kind without a schema. Computed once
 * for each kind.
 */
export function typeOfKind(fleet: Fleet, apiVersion: string, kind: string): Type {
  const ofFleet = remember(known, fleet, () => new Map<string, Type>())
  return remember(ofFleet, JSON.stringify([apiVersion, kind]), () => typeByDefinitions(fleet, apiVersion, kind))
}

function typeByDefinitions(fleet: Fleet, apiVersion: string, kind: string): Type {
  const definitions = fleet.allOf(DEFINITIONS_GROUP, 'CustomResourceDefinition').map(({ object }) => object)
  return typeOfObjects(schemaOfKind(definitions, apiVersion, kind), kind)
}

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
