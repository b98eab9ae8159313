import type { Schema } from '../../schema/schema.ts'
import { catalogKind, catalogObject } from '../catalog-kind.ts'

/** `SetNamespace`: the options of the function set-namespace of the catalog, for editors. */
export const SET_NAMESPACE_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/set-namespace.json',
  title: 'SetNamespace',
  description: 'Options of the function set-namespace, which writes one namespace into objects and references.',
  examples: [{ ...catalogObject('SetNamespace'), namespace: 'edge' }],
  type: 'object',
  properties: {
    ...catalogKind('SetNamespace'),
    namespace: { description: 'The namespace.', type: 'string', minLength: 1 },
  },
  required: ['apiVersion', 'kind', 'namespace'],
  additionalProperties: false,
} as const satisfies Schema
