import type { Schema } from '../../schema/schema.ts'

const OBJECT = {
  group: { description: 'The API group, exactly; any if it is missing or empty, like all fields here.', type: 'string' },
  version: { description: 'The version of the API group.', type: 'string' },
  kind: { description: 'The kind.', type: 'string' },
  name: { description: 'The name.', type: 'string' },
  namespace: { description: "The namespace; 'default' also matches objects without one.", type: 'string' },
} as const satisfies Readonly<Record<string, Schema>>

const SELECTOR = {
  title: 'Selector',
  description: 'Objects of the package.',
  type: 'object',
  properties: {
    ...OBJECT,
    labelSelector: { description: 'Labels as kubectl takes them.', type: 'string', examples: ['app=web,tier in (a,b)'] },
    annotationSelector: { description: 'Annotations, in the same form.', type: 'string' },
  },
} as const satisfies Schema

const FIELD_PATH = {
  description: 'Keys with dots between them. `\\.` or `[a.b/c]` is a key with a dot; `0` and `[name=web]` are items of a list.',
  type: 'string',
  examples: ['spec.template.spec.containers.[name=web].image'],
} as const satisfies Schema

const OPTIONS = {
  title: 'FieldOptions',
  description: 'Which part of the text is meant.',
  type: 'object',
  properties: {
    delimiter: { description: 'The text between the parts. Without it the whole value is meant.', type: 'string' },
    index: { description: 'The number of the part, from 0. In a target, a number below 0 is before the first part.', type: 'integer' },
    create: { description: 'Whether a missing field of a target is made.', type: 'boolean' },
  },
} as const satisfies Schema

/** `ApplyReplacements` of the catalog's function. Fields that are not named here are left out of account, as in the original. */
export const APPLY_REPLACEMENTS_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/apply-replacements.json',
  title: 'ApplyReplacements',
  description: 'Options of the function apply-replacements: the replacements of kustomize.',
  examples: [
    {
      apiVersion: 'fn.kpt.dev/v1alpha1',
      kind: 'ApplyReplacements',
      metadata: { name: 'names' },
      replacements: [
        {
          source: { kind: 'ConfigMap', name: 'kptfile.kpt.dev', fieldPath: 'data.name' },
          targets: [{ select: { kind: 'Deployment' }, fieldPaths: ['metadata.name'] }],
        },
      ],
    },
  ],
  type: 'object',
  properties: {
    apiVersion: { description: 'The version of the kind.', const: 'fn.kpt.dev/v1alpha1' },
    kind: { description: 'The kind.', const: 'ApplyReplacements' },
    replacements: {
      description: 'The replacements, in the order in which they run.',
      type: 'array',
      items: {
        title: 'Replacement',
        description: 'A value, and the fields that get it.',
        type: 'object',
        properties: {
          source: {
            description: 'The field with the value: exactly one object must match.',
            type: 'object',
            properties: {
              ...OBJECT,
              fieldPath: { ...FIELD_PATH, default: 'metadata.name' },
              options: OPTIONS,
            },
          },
          targets: {
            description: 'The fields that get the value.',
            type: 'array',
            items: {
              title: 'Target',
              description: 'Fields of some objects.',
              type: 'object',
              properties: {
                select: SELECTOR,
                reject: { description: 'Objects that are left out.', type: 'array', items: SELECTOR },
                fieldPaths: {
                  description: 'The fields, `metadata.name` by default. `*` is every item of a list.',
                  type: 'array',
                  items: FIELD_PATH,
                },
                options: OPTIONS,
              },
              required: ['select'],
            },
          },
        },
        required: ['source', 'targets'],
      },
    },
  },
  required: ['apiVersion', 'kind'],
} as const satisfies Schema
