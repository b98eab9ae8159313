import { OWN_API } from '../well-known.ts'
import type { Schema } from './schema.ts'

/** Returns the fields `apiVersion`, `kind` and `metadata` of the schema of one of our own kinds. */
export function ownKind<const Kind extends string>(kind: Kind) {
  return {
    apiVersion: { description: 'The version of the kind.', const: OWN_API },
    kind: { description: 'The kind.', const: kind },
    metadata: {
      description: 'Its name, for people and for configPath.',
      type: 'object',
      properties: { name: { description: 'Any name.', type: 'string' } },
    },
  } as const satisfies Readonly<Record<string, Schema>>
}

/** Returns `apiVersion`, `kind` and `metadata` of an example of one of our own kinds. */
export function ownObject<const Kind extends string>(kind: Kind) {
  return { apiVersion: OWN_API, kind, metadata: { name: 'example' } } as const
}
