import { closedMap, closedMapWith, OFF_BY_DEFAULT, ownKind, ownObject, type Schema } from '../../src/schema/schema.ts'

/** `SetContext`: what set-context does, without a PackageVariant. */
export const SET_CONTEXT_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/set-context.json',
  title: 'SetContext',
  description: 'Options of the function set-context, which changes the package context, the ConfigMap kptfile.kpt.dev.',
  examples: [{ ...ownObject('SetContext'), spec: { data: { region: 'north' }, removeKeys: ['zone'] } }],
  ...closedMapWith(['apiVersion', 'kind'], {
    ...ownKind('SetContext'),
    spec: {
      description: 'The options.',
      ...closedMap({
        data: {
          description:
            'Keys to set in the package context; not name and package-path, which kpt sets. With neither data nor removeKeys, those of the PackageVariant among the items are taken.',
          type: 'object',
          additionalProperties: { type: 'string' },
        },
        removeKeys: {
          description: 'Keys to remove, also those that a person added by hand; not name and package-path.',
          type: 'array',
          items: { type: 'string' },
        },
        create: { description: 'Whether to make the ConfigMap when the package has none. Otherwise that is an error.', ...OFF_BY_DEFAULT },
      }),
    },
  }),
} as const satisfies Schema
