import type { Type } from '../cel/check/types.ts'
import { DEFINITIONS_GROUP, schemaOfKind } from '../kubernetes/definition-schema.ts'
import { typeOfObjects } from '../schema/type-of-schema.ts'
import type { Fleet } from './fleet.ts'

const known = new WeakMap<Fleet, Map<string, Type>>()

/**
 * Returns the type of the objects of a kind by the CustomResourceDefinitions of a fleet; dynamic for a kind without a schema. Computed once
 * for each kind.
 */
export function typeOfKind(fleet: Fleet, apiVersion: string, kind: string): Type {
  const ofFleet = known.get(fleet) ?? new Map<string, Type>()
  known.set(fleet, ofFleet)
  const key = JSON.stringify([apiVersion, kind])
  const type = ofFleet.get(key) ?? typeByDefinitions(fleet, apiVersion, kind)
  ofFleet.set(key, type)
  return type
}

function typeByDefinitions(fleet: Fleet, apiVersion: string, kind: string): Type {
  const definitions = fleet.allOf(DEFINITIONS_GROUP, 'CustomResourceDefinition').map(({ object }) => object)
  return typeOfObjects(schemaOfKind(definitions, apiVersion, kind), kind)
}
