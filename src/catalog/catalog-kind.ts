import type { Schema } from '../schema/schema.ts'

const CATALOG_API = 'fn.kpt.dev/v1alpha1'

/** Returns the fields `apiVersion`, `kind` and `metadata` of the schema of a kind of the KRM functions catalog. */
export function catalogKind<const Kind extends string>(kind: Kind) {
  return {
    apiVersion: { description: 'The version of the kind.', const: CATALOG_API },
    kind: { description: 'The kind.', const: kind },
    metadata: {
      description: 'Its name, for people and for configPath.',
      type: 'object',
      properties: { name: { description: 'Any name.', type: 'string' } },
    },
  } as const satisfies Readonly<Record<string, Schema>>
}

/** Returns `apiVersion`, `kind` and `metadata` of an example of a kind of the catalog. */
export function catalogObject<const Kind extends string>(kind: Kind) {
  return { apiVersion: CATALOG_API, kind, metadata: { name: 'example' } } as const
}

/** The schema of the fields that a functionConfig adds to those of its function. */
export const ADDITIONAL_FIELDS_SCHEMA = {
  type: 'array',
  items: {
    title: 'FieldSpec',
    description: 'A field, and the kinds that have the field.',
    type: 'object',
    properties: {
      group: { description: 'The API group of the kinds; any if missing.', type: 'string' },
      version: { description: 'The version of the kinds; any if missing.', type: 'string' },
      kind: { description: 'The kind; any if missing.', type: 'string' },
      path: {
        description: 'Keys with slashes between them; a key that ends in [] leads to every entry of a list: spec/containers[]/image.',
        type: 'string',
        minLength: 1,
      },
      create: { description: 'If true, a missing field is created, where the function creates fields.', type: 'boolean', default: false },
    },
    required: ['path'],
    additionalProperties: false,
  },
} as const satisfies Schema
