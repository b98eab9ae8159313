import type { Schema } from '../schema/schema.ts'

/** A map from the user's keys to strings: labels, annotations, ConfigMap data. */
export const STRING_MAP = { type: 'object', additionalProperties: { type: 'string' } } as const satisfies Schema

export const STRING_LIST = { type: 'array', items: { type: 'string' } } as const satisfies Schema

/** What an API server keeps, and nothing here reads. */
const UNREAD = { description: 'Kept by an API server; nothing here reads it.' } as const satisfies Schema

/** `metadata` as an API server has it (ObjectMeta of Kubernetes): a misspelt `namespace` would put the object into another. */
export const OBJECT_META = {
  title: 'ObjectMeta',
  description: 'Name, namespace, labels and annotations.',
  type: 'object',
  properties: {
    name: { description: 'Unique within the namespace and kind: at most 253 of a-z, 0-9, - and .', type: 'string', minLength: 1 },
    namespace: { description: 'Absent: default.', type: 'string' },
    uid: { description: 'Given by an API server.', type: 'string' },
    labels: { ...STRING_MAP, description: 'What selectors find it by.' },
    annotations: { ...STRING_MAP, description: 'What is noted on it; no selector reads them.' },
    creationTimestamp: UNREAD,
    deletionGracePeriodSeconds: UNREAD,
    deletionTimestamp: UNREAD,
    finalizers: UNREAD,
    generateName: UNREAD,
    generation: UNREAD,
    managedFields: UNREAD,
    ownerReferences: UNREAD,
    resourceVersion: UNREAD,
    selfLink: UNREAD,
  },
  additionalProperties: false,
  required: ['name'],
} as const satisfies Schema

/** Written by the controller, never read. */
export const STATUS = { description: 'Written by the controller.', type: 'object' } as const satisfies Schema
