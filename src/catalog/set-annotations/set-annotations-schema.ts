import { closedMapWith, type Schema } from '../../schema/schema.ts'
import { ADDITIONAL_FIELDS_SCHEMA, catalogKind, catalogObject } from '../catalog-kind.ts'

/** `SetAnnotations`: the options of the function set-annotations of the catalog, for editors. */
export const SET_ANNOTATIONS_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/set-annotations.json',
  title: 'SetAnnotations',
  description: 'Options of the function set-annotations, which writes annotations into objects and pod templates.',
  examples: [{ ...catalogObject('SetAnnotations'), annotations: { team: 'stores' } }],
  ...closedMapWith(['apiVersion', 'kind', 'annotations'], {
    ...catalogKind('SetAnnotations'),
    annotations: { description: 'The annotations by key.', type: 'object', additionalProperties: { type: 'string' } },
    additionalAnnotationFields: { ...ADDITIONAL_FIELDS_SCHEMA, description: 'More fields that hold annotations.' },
  }),
} as const satisfies Schema
