import { OBJECT_META } from '../../src/kinds/object-meta-schema.ts'
import { INJECTOR } from '../../src/kinds/package-variant-schema.ts'
import {
  closedMap,
  closedMapWith,
  FILLED_TEXT,
  FILLED_TEXTS,
  type Infer,
  OFF_BY_DEFAULT,
  ownKind,
  ownObject,
  type Schema,
} from '../../src/schema/schema.ts'

/** `InjectConfig`: what inject-config does, without a PackageVariant. */
export const INJECT_CONFIG_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/inject-config.json',
  title: 'InjectConfig',
  description: 'Options of the function inject-config, which copies the configuration of other resources into injection points.',
  examples: [{ ...ownObject('InjectConfig'), spec: { injectors: [{ kind: 'ConfigMap', name: 'north-endpoints' }], sources: ['sources'] } }],
  ...closedMapWith(['apiVersion', 'kind'], {
    ...ownKind('InjectConfig'),
    spec: {
      description: 'The options.',
      ...closedMap({
        injectors: {
          description: 'In order: the first whose resource exists wins. Absent: those of the PackageVariant among the items.',
          type: 'array',
          items: INJECTOR,
        },
        namespace: {
          description:
            'The namespace that resources are taken from. Absent: that of the PackageVariant whose injectors are taken; default where it names none, or where injectors are written here.',
          type: 'string',
        },
        sources: {
          description: 'Folders of the package whose resources are taken. They are no part of the package otherwise.',
          ...FILLED_TEXTS,
          examples: [['sources']],
        },
        resources: {
          description: 'Resources to take from, beside those in folders.',
          type: 'array',
          items: {
            type: 'object',
            properties: {
              apiVersion: { description: 'Its group and version.', ...FILLED_TEXT },
              kind: { description: 'Its kind.', ...FILLED_TEXT },
              metadata: OBJECT_META,
            },
            required: ['apiVersion', 'kind', 'metadata'],
          },
        },
        strict: {
          description: 'Whether a required injection point that nothing is injected into is an error, not a warning.',
          ...OFF_BY_DEFAULT,
        },
        check: { description: 'Change nothing, but warn of every point whose content is no longer that of its source.', ...OFF_BY_DEFAULT },
      }),
    },
  }),
} as const satisfies Schema

/** The options as they are written. */
export type InjectConfigFields = NonNullable<Infer<typeof INJECT_CONFIG_SCHEMA>['spec']>
