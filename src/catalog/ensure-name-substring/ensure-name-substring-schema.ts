import { closedMapWith, FILLED_TEXT, type Schema } from '../../schema/schema.ts'
import { ADDITIONAL_FIELDS_SCHEMA, catalogKind, catalogObject } from '../catalog-kind.ts'

/** `EnsureNameSubstring`: the options of the function ensure-name-substring of the catalog, for editors. */
export const ENSURE_NAME_SUBSTRING_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/ensure-name-substring.json',
  title: 'EnsureNameSubstring',
  description: 'Options of the function ensure-name-substring, which writes a text into names and the references to them.',
  examples: [{ ...catalogObject('EnsureNameSubstring'), substring: '-dev', editMode: 'append' }],
  ...closedMapWith(['apiVersion', 'kind', 'metadata', 'substring'], {
    ...catalogKind('EnsureNameSubstring'),
    substring: { description: 'The text that every name must contain.', ...FILLED_TEXT },
    editMode: { description: 'Where the text goes in a name without the text.', enum: ['prepend', 'append'], default: 'prepend' },
    additionalNameFields: { ...ADDITIONAL_FIELDS_SCHEMA, description: 'More fields that hold a name.' },
  }),
} as const satisfies Schema
