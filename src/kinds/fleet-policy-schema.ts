import { closedMapWith, FILLED_TEXT, type Infer, type Schema } from '../schema/schema.ts'
import { FLEET_API } from '../well-known.ts'
import { headOfKind } from './object-meta-schema.ts'

const VARIABLE = {
  title: 'PolicyVariable',
  description: 'A name for the value of an expression.',
  ...closedMapWith(['name', 'expression'], {
    name: {
      description: 'Expressions below read the value as variables.NAME.',
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      examples: ['revision'],
    },
    expression: { description: 'A CEL expression of any type. Sees the variables above.', ...FILLED_TEXT, format: 'cel' },
  }),
} as const satisfies Schema

const VALIDATION = {
  title: 'Validation',
  description: 'What must hold for each item.',
  ...closedMapWith(['expression'], {
    expression: {
      description: 'A CEL expression that gives true if the item is as it must be.',
      ...FILLED_TEXT,
      format: 'cel',
    },
    message: { description: 'What the finding says.', ...FILLED_TEXT },
    messageExpression: {
      description: 'A CEL expression that gives what the finding says, instead of message.',
      ...FILLED_TEXT,
      format: 'cel',
    },
    severity: { description: 'The severity of the finding.', enum: ['error', 'warning', 'info'], default: 'error' },
  }),
} as const satisfies Schema

/** The kinds of items that a policy can judge. */
const ITEM_KINDS = ['targets', 'variants', 'packages', 'objects'] as const

/** FleetPolicy, fleet.krm-variants.dev/v1alpha1: what must hold in a whole fleet, in the words of ValidatingAdmissionPolicy. */
export const FLEET_POLICY_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/fleet-policy.json',
  title: 'FleetPolicy',
  description: 'What must hold in a whole fleet: expressions that give true for each target, variant, package or object.',
  examples: [
    {
      apiVersion: FLEET_API,
      kind: 'FleetPolicy',
      metadata: { name: 'one-ingress' },
      spec: {
        forEach: 'targets',
        where: "'env' in item.labels && item.labels.env == 'prod'",
        variables: [{ name: 'ingress', expression: "item.variants.filter(v, v.spec.upstream.package == 'ingress')" }],
        validations: [
          {
            expression: 'variables.ingress.size() == 1',
            messageExpression: "'must have exactly one ingress variant, has ' + string(variables.ingress.size())",
          },
        ],
      },
    },
  ],
  ...closedMapWith(['apiVersion', 'kind', 'metadata', 'spec'], {
    ...headOfKind(FLEET_API, 'FleetPolicy'),
    spec: {
      description: 'What the policy looks at, and what must hold.',
      ...closedMapWith(['forEach', 'validations'], {
        forEach: { description: 'What the policy looks at: expressions read each of them as item.', enum: ITEM_KINDS },
        where: {
          description: 'A CEL expression that gives true for the items that the policy is about. Absent: all.',
          examples: ["item.labels.env == 'prod'"],
          ...FILLED_TEXT,
          format: 'cel',
        },
        variables: { description: 'Names for values, in order.', type: 'array', items: VARIABLE },
        validations: { description: 'What must hold for each item.', type: 'array', minItems: 1, items: VALIDATION },
      }),
    },
  }),
} as const satisfies Schema

export type FleetPolicyFields = Infer<typeof FLEET_POLICY_SCHEMA>

/** A kind of thing that a policy looks at. */
export type ItemKind = (typeof ITEM_KINDS)[number]
