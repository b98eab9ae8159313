import { closedMapWith, configKind, configObject, FILLED_TEXT, OFF_BY_DEFAULT, type Schema } from '../schema/schema.ts'

/** The API of the functionConfigs of the KRM functions catalog. */
export const CATALOG_API = 'fn.kpt.dev/v1alpha1'

/** Returns the fields of `configKind` for a kind of the KRM functions catalog. */
export function catalogKind<const Kind extends string>(kind: Kind) {
  return configKind(CATALOG_API, kind)
}

/** Returns the fields of `configObject` for a kind of the catalog. */
export function catalogObject<const Kind extends string>(kind: Kind) {
  return configObject(CATALOG_API, kind)
}

/** The schema of the fields that a functionConfig adds to those of its function. */
export const ADDITIONAL_FIELDS_SCHEMA = {
  type: 'array',
  items: {
    title: 'FieldSpec',
    description: 'A field, and the kinds that have the field.',
    ...closedMapWith(['path'], {
      group: { description: 'The API group of the kinds; any if missing.', type: 'string' },
      version: { description: 'The version of the kinds; any if missing.', type: 'string' },
      kind: { description: 'The kind; any if missing.', type: 'string' },
      path: {
        description: 'Keys with slashes between them; a key that ends in [] leads to every entry of a list: spec/containers[]/image.',
        ...FILLED_TEXT,
      },
      create: { description: 'If true, a missing field is created, where the function creates fields.', ...OFF_BY_DEFAULT },
    }),
  },
} as const satisfies Schema
