import { closedMap, FILLED_TEXT, type Schema } from '../schema/schema.ts'

/** A map with keys of the user's choice and string values: labels, annotations, ConfigMap data. */
export const STRING_MAP = { type: 'object', additionalProperties: { type: 'string' } } as const satisfies Schema

export const STRING_LIST = { type: 'array', items: { type: 'string' } } as const satisfies Schema

/** A field that an API server keeps and this code does not read. */
const UNREAD = { description: 'Kept by an API server; nothing here reads it.' } as const satisfies Schema

/**
 * The fields of `metadata` (ObjectMeta of Kubernetes). All fields are listed, so that a misspelt `namespace` is a fault and does not put
 * the object into another namespace.
 */
export const OBJECT_META = {
  title: 'ObjectMeta',
  description: 'Name, namespace, labels and annotations.',
  ...closedMap({
    name: { description: 'Unique within the namespace and kind: at most 253 of a-z, 0-9, - and .', ...FILLED_TEXT },
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
  }),
  required: ['name'],
} as const satisfies Schema

/** Returns the fields at the head of an object of a kind. */
export function headOfKind<const Api extends string, const Kind extends string>(api: Api, kind: Kind) {
  return {
    apiVersion: { description: 'The version of the kind.', const: api },
    kind: { description: 'The kind.', const: kind },
    metadata: OBJECT_META,
  } as const
}

/** The status of an object, which the controller writes and this code does not read. */
export const STATUS = { description: 'Written by the controller.', type: 'object' } as const satisfies Schema

/** The status of a PackageVariant: the packages that the controller made, and how their last render ended. */
export const VARIANT_STATUS = {
  ...STATUS,
  properties: {
    conditions: { description: 'Stalled and Ready.', type: 'array' },
    downstreamTargets: {
      description: 'The PackageRevisions that the controller made.',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { description: 'The PackageRevision.', type: 'string' },
          renderStatus: {
            description: 'The last run of the functions of its pipeline.',
            type: 'object',
            properties: {
              error: { description: "Why it failed; '' if it did not.", type: 'string' },
              result: { description: 'The results of each function, as `kpt fn render` writes them.', type: 'object' },
            },
          },
        },
      },
    },
  },
} as const satisfies Schema
