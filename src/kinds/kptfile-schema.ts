import type { Schema } from '../schema/schema.ts'
import { PIPELINE_FUNCTION, PIPELINE_FUNCTION_FIELDS } from './pipeline-schema.ts'

/** kpt is about to run functions under a condition, in CEL (kptdev/kpt#4388). */
const CONDITION = { description: 'Whether the function runs, in CEL.', type: 'string' } as const satisfies Schema

const FUNCTION = {
  ...PIPELINE_FUNCTION,
  title: 'KptfileFunction',
  properties: {
    ...PIPELINE_FUNCTION_FIELDS,
    name: { description: 'Tells functions apart in updates.', type: 'string' },
    condition: CONDITION,
  },
} as const satisfies Schema

/** The pipeline of a Kptfile (kpt.dev/v1), which kpt decodes strictly; its other fields are let through. */
export const KPTFILE_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/kptfile.json',
  title: 'Kptfile',
  description: 'A kpt package. What is described here is its pipeline; other fields are let through.',
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { const: 'Kptfile' },
    pipeline: {
      description: 'The functions that kpt runs on the package.',
      type: 'object',
      properties: { mutators: { type: 'array', items: FUNCTION }, validators: { type: 'array', items: FUNCTION } },
      additionalProperties: false,
    },
  },
  required: ['apiVersion', 'kind'],
} as const satisfies Schema
