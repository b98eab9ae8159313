import { expect, test } from 'vitest'
import { FLEET_POLICY_SCHEMA } from './fleet-policy-schema.ts'
import { misfits, UNSET_PARTS } from './testing/misfits.ts'

test('the parts of a FleetPolicy must be set', () => {
  expect(misfits(FLEET_POLICY_SCHEMA, '{}')).toEqual(UNSET_PARTS)
})

test('a FleetPolicy has its apiVersion and kind, and no other field: no controller writes a status', () => {
  const text = 'apiVersion: fleet.krm-variants.dev/v1\nkind: Policy\nmetadata: {}\nspec: []\nstatus: {}\n'
  expect(misfits(FLEET_POLICY_SCHEMA, text)).toEqual([
    'apiVersion const',
    'kind const',
    'metadata.name required',
    'spec type',
    'status additionalProperties',
  ])
})

const VALID = 'validations: [{expression: a}]'

test.each([
  { reason: 'the least', spec: `{forEach: targets, ${VALID}}`, expected: [] },
  {
    reason: 'every field',
    spec: '{forEach: variants, where: a, variables: [{name: b, expression: c}], validations: [{expression: d, message: e, messageExpression: f, severity: info}]}',
    expected: [],
  },
  { reason: 'forEach and validations must be set', spec: '{}', expected: ['spec.forEach required', 'spec.validations required'] },
  ...['targets', 'variants', 'packages', 'objects'].map((items) => ({
    reason: `a policy looks at ${items}`,
    spec: `{forEach: ${items}, ${VALID}}`,
    expected: [],
  })),
  { reason: 'a policy looks at nothing else', spec: `{forEach: sets, ${VALID}}`, expected: ['spec.forEach enum'] },
  ...['error', 'warning', 'info'].map((severity) => ({
    reason: `the severity ${severity}`,
    spec: `{forEach: objects, validations: [{expression: a, severity: ${severity}}]}`,
    expected: [],
  })),
  {
    reason: 'no other severity',
    spec: '{forEach: objects, validations: [{expression: a, severity: fatal}]}',
    expected: ['spec.validations[0].severity enum'],
  },
  { reason: 'a policy has a validation', spec: '{forEach: objects, validations: []}', expected: ['spec.validations minItems'] },
  {
    reason: 'a validation must have an expression',
    spec: '{forEach: objects, validations: [{}]}',
    expected: ['spec.validations[0].expression required'],
  },
  {
    reason: 'a variable must have a name and an expression',
    spec: `{forEach: objects, variables: [{}], ${VALID}}`,
    expected: ['spec.variables[0].name required', 'spec.variables[0].expression required'],
  },
  {
    reason: 'no text may be empty',
    spec: '{forEach: objects, where: "", variables: [{name: a, expression: ""}], validations: [{expression: "", message: "", messageExpression: ""}]}',
    expected: [
      'where',
      'variables[0].expression',
      'validations[0].expression',
      'validations[0].message',
      'validations[0].messageExpression',
    ].map((field) => `spec.${field} minLength`),
  },
  {
    reason: 'the type of each field',
    spec: '{forEach: objects, where: [], variables: {}, validations: {}}',
    expected: ['where', 'variables', 'validations'].map((field) => `spec.${field} type`),
  },
  {
    reason: 'the type of each field below',
    spec: '{forEach: objects, variables: [{name: 1, expression: 2}, a], validations: [{expression: 3, message: 4, messageExpression: 5}, b]}',
    expected: [
      'variables[0].name',
      'variables[0].expression',
      'variables[1]',
      'validations[0].expression',
      'validations[0].message',
      'validations[0].messageExpression',
      'validations[1]',
    ].map((field) => `spec.${field} type`),
  },
  {
    reason: 'no other field',
    spec: '{forEach: objects, match: a, variables: [{name: a, expression: b, type: c}], validations: [{expression: a, reason: b}]}',
    expected: ['match', 'variables[0].type', 'validations[0].reason'].map((field) => `spec.${field} additionalProperties`),
  },
])('the spec of a FleetPolicy: $reason', ({ spec, expected }) => {
  const head = 'apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: FleetPolicy\nmetadata: {name: a}\n'
  expect(misfits(FLEET_POLICY_SCHEMA, `${head}spec: ${spec}\n`)).toEqual(expected)
})

test('the name of a variable is an identifier of CEL', () => {
  const head = 'apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: FleetPolicy\nmetadata: {name: a}\n'
  const named = ['_a1', 'Region', '1a', 'a-b', 'a.b'].map((name) => `{name: ${name}, expression: b}`)
  const found = misfits(FLEET_POLICY_SCHEMA, `${head}spec: {forEach: objects, variables: [${named.join(', ')}], ${VALID}}\n`)
  expect(found).toEqual([2, 3, 4].map((index) => `spec.variables[${index}].name pattern`))
})

test('a finding without a severity is an error, and every expression is marked as CEL', () => {
  const { where, variables, validations } = FLEET_POLICY_SCHEMA.properties.spec.properties
  const { expression, messageExpression, severity } = validations.items.properties
  expect(severity.default).toBe('error')
  expect([where.format, variables.items.properties.expression.format, expression.format, messageExpression.format]).toEqual([
    'cel',
    'cel',
    'cel',
    'cel',
  ])
})
