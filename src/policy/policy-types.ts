import { BOOL, DOUBLE, DYN, INT, listOf, mapOf, recordOf, STRING, type Type } from '../cel/check/types.ts'
import type { VariableTypes } from '../cel/program.ts'
import type { ItemKind } from '../kinds/fleet-policy-schema.ts'
import { PACKAGE_VARIANT_SCHEMA } from '../kinds/package-variant-schema.ts'
import { type Schema, type TypeName, typesOf } from '../schema/schema.ts'

const SCALARS: Readonly<Partial<Record<TypeName, Type>>> = { string: STRING, integer: INT, number: DOUBLE, boolean: BOOL }

const TEXTS = mapOf(STRING, STRING)

/** An object as Kubernetes has it, of which no schema is known: every field may be there. */
const OBJECT = mapOf(STRING, DYN)

const METADATA = { name: STRING, namespace: STRING, labels: TEXTS, annotations: TEXTS }

/** An object that sets select, as the expressions of templates see it, and its kind. */
const TARGET_FIELDS = { apiVersion: STRING, kind: STRING, ...METADATA }
const TARGET = recordOf('target', TARGET_FIELDS)
const REPOSITORY = recordOf('repository', TARGET_FIELDS)

const VARIANT = recordOf('variant', {
  apiVersion: STRING,
  kind: STRING,
  metadata: recordOf('metadata', METADATA),
  spec: typeOfSchema(PACKAGE_VARIANT_SCHEMA.properties.spec, 'spec'),
  target: TARGET,
  repository: REPOSITORY,
  ring: STRING,
})

const PACKAGE = recordOf('package', {
  name: STRING,
  labels: TEXTS,
  annotations: TEXTS,
  repository: REPOSITORY,
  variant: VARIANT,
  objects: listOf(OBJECT),
})

/** The type of `item`, by what a policy looks at. */
const ITEMS: ReadonlyMap<string, Type> = new Map<ItemKind, Type>([
  ['targets', recordOf('target', { ...TARGET_FIELDS, variants: listOf(VARIANT) })],
  ['variants', VARIANT],
  ['packages', PACKAGE],
  ['objects', OBJECT],
])

/** The variables that hold lists of the whole fleet. */
export const WHOLES = ['variants', 'packages', 'repositories'] as const

/**
 * Returns the types of the variables of a policy, without those that the policy itself names.
 *
 * @param forEach  what the policy looks at; `item` of anything unknown is dynamic
 */
export function policyTypes(forEach: string): VariableTypes {
  return new Map([
    ['item', ITEMS.get(forEach) ?? DYN],
    ['variants', listOf(VARIANT)],
    ['packages', listOf(PACKAGE)],
    ['repositories', listOf(recordOf('repository', { ...TARGET_FIELDS, variants: listOf(VARIANT) }))],
  ])
}

/** Returns the type of the values that fit a schema. A value that may have several types is dynamic. */
function typeOfSchema(schema: Schema, name: string): Type {
  if (schema.enum !== undefined || schema.const !== undefined) return STRING
  const [type, ...others] = typesOf(schema)
  if (type === undefined || others.length > 0) return DYN
  if (type === 'array') return listOf(schema.items === undefined ? DYN : typeOfSchema(schema.items, name))
  if (type !== 'object') return SCALARS[type] ?? DYN
  const { properties, additionalProperties } = schema
  if (properties !== undefined && additionalProperties === false)
    return recordOf(name, Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, typeOfSchema(field, key)])))
  return mapOf(STRING, additionalProperties ? typeOfSchema(additionalProperties, name) : DYN)
}
