import { BOOL, DYN, INT, listOf, mapOf, openRecordOf, recordOf, STRING, type Type } from '../cel/check/types.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'

/** A number is dynamic: `1` and `1.0` are the same in JSON, so a whole number is an int here and others are doubles. */
const SCALARS: ReadonlyMap<JsonValue | undefined, Type> = new Map([
  ['string', STRING],
  ['integer', INT],
  ['boolean', BOOL],
])

/** Deeper values, and those after so many schemas, are dynamic: a schema of others must not cost more than reading it. */
const MAX_DEPTH = 64
const MAX_SCHEMAS = 50_000

const TEXTS = mapOf(STRING, STRING)

/** ObjectMeta of Kubernetes, which a CustomResourceDefinition does not describe. */
const OBJECT_META = recordOf('metadata', {
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  labels: TEXTS,
  annotations: TEXTS,
  uid: STRING,
  resourceVersion: STRING,
  generation: INT,
  creationTimestamp: DYN,
  deletionTimestamp: DYN,
  deletionGracePeriodSeconds: INT,
  finalizers: listOf(STRING),
  ownerReferences: listOf(DYN),
  managedFields: listOf(DYN),
  selfLink: STRING,
})

/**
 * Returns the type of the values that fit a JSON Schema, or a structural schema of a CustomResourceDefinition. A value that may have
 * several types is dynamic, and so is one below `$ref`, which structural schemas must not have.
 *
 * Example: `{type: object, properties: {zone: {type: string}}}` is a record with the field `zone`, a string.
 *
 * @param name  the name of the value in messages
 */
export function typeOfSchema(schema: JsonValue | undefined, name: string): Type {
  return new SchemaReader().typeOf(schema, name, 0)
}

/** Returns the type of whole objects of a kind: the fields of the schema, and those that every object has. */
export function typeOfObjects(schema: JsonValue | undefined, kind: string): Type {
  const type = typeOfSchema(schema, kind)
  if (type.fields === undefined) return DYN
  const fields = { ...Object.fromEntries(type.fields), apiVersion: STRING, kind: STRING, metadata: OBJECT_META }
  return type.rest === undefined ? recordOf(kind, fields) : openRecordOf(kind, fields)
}

class SchemaReader {
  #schemas = 0

  typeOf(schema: JsonValue | undefined, name: string, depth: number): Type {
    this.#schemas += 1
    if (!isRecord(schema) || depth > MAX_DEPTH || this.#schemas > MAX_SCHEMAS || lookup(schema, '$ref') !== undefined) return DYN
    const type = this.#plainType(schema, name, depth)
    // In CEL null is a value of an object's type, of a string's it is not.
    return lookup(schema, 'nullable') !== true || type.kind === 'record' ? type : DYN
  }

  #plainType(schema: JsonRecord, name: string, depth: number): Type {
    const type = lookup(schema, 'type')
    if (lookup(schema, 'x-kubernetes-int-or-string') === true) return DYN
    if (areTexts(lookup(schema, 'enum') ?? [lookup(schema, 'const') ?? null])) return STRING
    if (type === 'array') return listOf(this.typeOf(lookup(schema, 'items'), `${name}[]`, depth + 1))
    const properties = lookup(schema, 'properties')
    if (type !== 'object' && (type !== undefined || !isRecord(properties))) return SCALARS.get(type) ?? DYN
    return isRecord(properties) ? this.#recordType(schema, properties, { name, depth }) : this.#mapType(schema, name, depth)
  }

  #recordType(schema: JsonRecord, properties: JsonRecord, { name, depth }: { readonly name: string; readonly depth: number }): Type {
    const fields = Object.entries(properties).map(([key, field]) => [key, this.typeOf(field, `${name}.${key}`, depth + 1)] as const)
    const others = lookup(schema, 'additionalProperties')
    const isOpen = OPEN.some((field) => lookup(schema, field) === true) || others === true || isRecord(others)
    return isOpen ? openRecordOf(name, Object.fromEntries(fields)) : recordOf(name, Object.fromEntries(fields))
  }

  #mapType(schema: JsonRecord, name: string, depth: number): Type {
    const others = lookup(schema, 'additionalProperties')
    return mapOf(STRING, isRecord(others) ? this.typeOf(others, `${name}[]`, depth + 1) : DYN)
  }
}

/** With one of these a value may have more fields than the schema names. */
const OPEN = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const

function areTexts(values: JsonValue): boolean {
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')
}
