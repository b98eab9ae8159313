import { PIPELINE_FUNCTION } from '../../src/kinds/pipeline-schema.ts'
import { closedMapWith, FILLED_TEXT, ownKind, ownObject, type Schema } from '../../src/schema/schema.ts'

/** `PrependPipeline`: what prepend-pipeline does, without a PackageVariant. */
export const PREPEND_PIPELINE_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/prepend-pipeline.json',
  title: 'PrependPipeline',
  description: "Options of the function prepend-pipeline, which puts functions at the front of the Kptfile's pipeline.",
  examples: [
    {
      ...ownObject('PrependPipeline'),
      spec: {
        variant: 'tills-store-ham-01-tills',
        mutators: [{ image: 'ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0', configMap: { team: 'payments' } }],
      },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind', 'spec'], {
    ...ownKind('PrependPipeline'),
    spec: {
      description: 'The options.',
      ...closedMapWith(['variant'], {
        variant: {
          description: 'The owner of the functions: those that an earlier run put there under this name are replaced.',
          ...FILLED_TEXT,
        },
        mutators: { description: 'Functions for the front of pipeline.mutators, in order.', type: 'array', items: PIPELINE_FUNCTION },
        validators: { description: 'Functions for the front of pipeline.validators, in order.', type: 'array', items: PIPELINE_FUNCTION },
      }),
    },
  }),
} as const satisfies Schema
