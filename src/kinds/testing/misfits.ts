import { formatFieldPath } from '../../field-path.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { Schema } from '../../schema/schema.ts'
import { schemaErrors } from '../../schema/schema-errors.ts'

/** Returns the fields of a map in YAML that do not fit a schema, each with the keyword: `spec.targets minItems`. */
export function misfits(schema: Schema, text: string): readonly string[] {
  return schemaErrors(KrmObject.fromDocument(text).toJson(), schema).map(
    ({ path, keyword, key }) => `${formatFieldPath(key === undefined ? path : [...path, key])} ${keyword}`,
  )
}

/** The misfits of an empty map: what every object of these kinds must have. */
export const UNSET_PARTS = ['apiVersion', 'kind', 'metadata', 'spec'].map((field) => `${field} required`)

/** The misfits of an object of another kind whose parts are empty or lists, with a field that no object of these kinds has. */
export const WRONG_PARTS = [
  'apiVersion const',
  'kind const',
  'metadata.name required',
  'spec type',
  'status type',
  'data additionalProperties',
]
