import type { Schema } from '../schema/schema.ts'
import { STRING_LIST, STRING_MAP } from './object-meta-schema.ts'

const LABEL_REQUIREMENT = {
  title: 'LabelRequirement',
  description: 'What must hold of one label.',
  type: 'object',
  properties: {
    key: { description: 'The label that the requirement is about.', type: 'string', minLength: 1 },
    operator: {
      description: 'In and NotIn need values, Exists and DoesNotExist must have none.',
      enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
    },
    values: { ...STRING_LIST, description: 'For In and NotIn: one of them.' },
  },
  required: ['key', 'operator'],
  additionalProperties: false,
} as const satisfies Schema

/** The fields of metav1.LabelSelector, which other kinds inline. */
export const LABEL_SELECTOR_FIELDS = {
  matchLabels: { ...STRING_MAP, description: 'Labels that an object must have, with these values.' },
  matchExpressions: { description: 'Further requirements; all must hold.', type: 'array', items: LABEL_REQUIREMENT },
} as const satisfies Record<string, Schema>
