import { closedMapWith, FILLED_TEXT, type Schema } from '../../schema/schema.ts'
import { catalogKind, catalogObject } from '../catalog-kind.ts'

/** `SetNamespace`: the options of the function set-namespace of the catalog, for editors. */
export const SET_NAMESPACE_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/set-namespace.json',
  title: 'SetNamespace',
  description: 'Options of the function set-namespace, which writes one namespace into objects and references.',
  examples: [{ ...catalogObject('SetNamespace'), namespace: 'edge' }],
  ...closedMapWith(['apiVersion', 'kind', 'namespace'], {
    ...catalogKind('SetNamespace'),
    namespace: { description: 'The namespace.', ...FILLED_TEXT },
  }),
} as const satisfies Schema
