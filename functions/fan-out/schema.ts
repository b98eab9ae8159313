import { DELETION_LIMIT } from '../../src/fleet/deletion-guard.ts'
import { closedMap, closedMapWith, type Infer, OFF_BY_DEFAULT, ownKind, ownObject, type Schema } from '../../src/schema/schema.ts'

/** `FanOut`: the options of fan-out as an object of its own. */
export const FAN_OUT_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/fan-out.json',
  title: 'FanOut',
  description: 'Options of the function fan-out, which turns PackageVariantSets into PackageVariants.',
  examples: [{ ...ownObject('FanOut'), spec: { maxDeletions: '30%' } }],
  ...closedMapWith(['apiVersion', 'kind'], {
    ...ownKind('FanOut'),
    spec: {
      description: 'The options.',
      ...closedMap({
        allowEmpty: {
          description: 'Whether a set whose targets match nothing at all may remove every variant it has. Otherwise that is an error.',
          ...OFF_BY_DEFAULT,
        },
        maxDeletions: {
          description:
            'How many variants of one set a run may remove: a number, or a percentage of those it has. Default: 5, or 20 percent if that is more.',
          ...DELETION_LIMIT,
        },
        lookups: {
          description:
            'What to do when the list holds no PackageRevision, or no Repository, at all. optional: go on without, only expressions that use one fail. required: fail, as the controller does.',
          enum: ['optional', 'required'],
          default: 'optional',
        },
        status: { description: 'Whether to write status.conditions of each set, as the controller would.', ...OFF_BY_DEFAULT },
      }),
    },
  }),
} as const satisfies Schema

/** The options as they are written. */
export type FanOutFields = NonNullable<Infer<typeof FAN_OUT_SCHEMA>['spec']>
