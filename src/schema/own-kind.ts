import type { Schema } from './schema.ts'

/** The fields of an object of this project's own group beside its `spec`. */
export function ownKind<const Kind extends string>(kind: Kind) {
  return {
    apiVersion: { const: 'fn.krm-variants.dev/v1alpha1' },
    kind: { const: kind },
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
  } as const satisfies Readonly<Record<string, Schema>>
}
