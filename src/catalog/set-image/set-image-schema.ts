import { closedMapWith, FILLED_TEXT, type Schema } from '../../schema/schema.ts'
import { ADDITIONAL_FIELDS_SCHEMA, catalogKind, catalogObject } from '../catalog-kind.ts'

/** `SetImage`: the options of the function set-image of the catalog, for editors. */
export const SET_IMAGE_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/set-image.json',
  title: 'SetImage',
  description: 'Options of the function set-image, which writes a new name, tag or digest into images.',
  examples: [{ ...catalogObject('SetImage'), image: { name: 'nginx', newTag: '1.25.0' } }],
  ...closedMapWith(['apiVersion', 'kind', 'image'], {
    ...catalogKind('SetImage'),
    image: {
      description: 'The images to change, and what they get.',
      ...closedMapWith(['name'], {
        name: { description: 'The name of the images, a regular expression of Go for the whole name.', ...FILLED_TEXT },
        newName: { description: 'The new name; an image keeps its tag or digest.', type: 'string' },
        newTag: { description: 'The new tag, in place of the tag or digest.', type: 'string' },
        digest: { description: 'The new digest, in place of the tag or digest; not beside newTag.', type: 'string' },
      }),
    },
    additionalImageFields: { ...ADDITIONAL_FIELDS_SCHEMA, description: 'More fields that hold an image.' },
  }),
} as const satisfies Schema
