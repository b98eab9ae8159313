import { closedMap, closedMapWith, type Schema } from '../schema/schema.ts'
import { MUTATORS, PIPELINE_FUNCTION, PIPELINE_FUNCTION_FIELDS, VALIDATORS } from './pipeline-schema.ts'

/** CEL conditions of Kptfile functions, which kpt plans to support (kptdev/kpt#4388). */
const CONDITION = { description: 'Whether the function runs, in CEL.', type: 'string' } as const satisfies Schema

const FUNCTION = {
  ...PIPELINE_FUNCTION,
  title: 'KptfileFunction',
  properties: {
    ...PIPELINE_FUNCTION_FIELDS,
    name: { description: 'Distinguishes functions in updates.', type: 'string' },
    condition: CONDITION,
  },
} as const satisfies Schema

/**
 * The schema of a Kptfile (kpt.dev/v1): its fields and its pipeline, which kpt decodes strictly (docs/kpt-render R2). The values of the
 * other fields are not described here.
 */
export const KPTFILE_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/kptfile.json',
  title: 'Kptfile',
  description: 'A kpt package. The pipeline is described here; the values of the other fields are let through.',
  examples: [
    {
      apiVersion: 'kpt.dev/v1',
      kind: 'Kptfile',
      metadata: { name: 'fleet' },
      pipeline: { mutators: [{ image: 'ghcr.io/krm-variants/fan-out:v0.1.0', configMap: { maxDeletions: '30%' } }] },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind'], {
    apiVersion: { description: 'The version of the kind: kpt.dev/v1.', type: 'string' },
    kind: { description: 'The kind.', const: 'Kptfile' },
    metadata: { description: 'Name, labels and annotations of the package.' },
    upstream: { description: 'Where the package was cloned from, and how it is updated.' },
    upstreamLock: { description: 'The upstream revision that the package was last brought to.' },
    info: { description: 'What the package is for, and when it is ready.' },
    inventory: { description: 'The names of the ResourceGroup of the live package.' },
    status: { description: 'Conditions and the last render, written by kpt and Porch.' },
    pipeline: {
      description: 'The functions that kpt runs on the package.',
      ...closedMap({ mutators: { ...MUTATORS, items: FUNCTION }, validators: { ...VALIDATORS, items: FUNCTION } }),
    },
  }),
} as const satisfies Schema
