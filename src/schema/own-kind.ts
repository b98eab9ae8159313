import { OWN_API } from '../well-known.ts'
import type { Schema } from './schema.ts'

/** The fields of an object of this project's own group beside its `spec`. */
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

/** The same fields of an example. */
export function ownObject<const Kind extends string>(kind: Kind) {
  return { apiVersion: OWN_API, kind, metadata: { name: 'example' } } as const
}
