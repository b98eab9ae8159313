import { OWN_API } from '../well-known.ts'
import type { Schema } from './schema.ts'

/** The fields of an object of this project's own group beside its `spec`. */
export function ownKind<const Kind extends string>(kind: Kind) {
  return {
    apiVersion: { const: OWN_API },
    kind: { const: kind },
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
  } as const satisfies Readonly<Record<string, Schema>>
}
