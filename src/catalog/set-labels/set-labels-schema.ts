import { closedMapWith, type Schema } from '../../schema/schema.ts'
import { catalogKind, catalogObject } from '../catalog-kind.ts'

/** `SetLabels`: the options of the function set-labels of the catalog, for editors. */
export const SET_LABELS_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/set-labels.json',
  title: 'SetLabels',
  description: 'Options of the function set-labels, which writes labels into objects, selectors and templates.',
  examples: [{ ...catalogObject('SetLabels'), labels: { team: 'stores' } }],
  ...closedMapWith(['apiVersion', 'kind', 'labels'], {
    ...catalogKind('SetLabels'),
    labels: { description: 'The labels by key.', type: 'object', additionalProperties: { type: 'string' } },
  }),
} as const satisfies Schema
