import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Schema } from './schema.ts'
import { schemaFaults } from './schema-faults.ts'
import type { Validator } from './validator.ts'

function faultsOf(text: string, validator: Validator) {
  const object = KrmObject.fromDocument(text)
  return schemaFaults(object.toJson(), validator, 'Example', (path) => object.scalars(path)[0]?.text)
}

/** Returns the only fault of a field `f` with a schema. */
function faultOf(schema: Schema, value: string, validator: Partial<Validator> = {}) {
  const [fault, ...others] = faultsOf(`f: ${value}\n`, { schema: { properties: { f: schema } }, ...validator })
  expect(others).toEqual([])
  return fault
}

const OPERATORS: Schema = { enum: ['In', 'NotIn'] }
const OTHER_VALUES = { f: { '=': { value: 'In', hint: 'write In with one value' }, '>': { hint: 'labels are texts' } } }

interface Row {
  readonly reason: string
  readonly schema: Schema
  readonly value: string
  readonly validator?: Partial<Validator>
  readonly rule: string
  readonly message: string
  readonly proposed?: JsonValue
}

const VALUES: readonly Row[] = [
  {
    reason: 'a constant, which is proposed',
    schema: { const: 'v1' },
    value: 'v2',
    rule: 'allowed-values',
    message: "must be 'v1', got 'v2'",
    proposed: 'v1',
  },
  {
    reason: 'a constant far from the value',
    schema: { const: 'Deployment' },
    value: '1',
    rule: 'allowed-values',
    message: "must be 'Deployment', got the number 1",
    proposed: 'Deployment',
  },
  {
    reason: 'one allowed value',
    schema: { enum: ['git'] },
    value: 'oci',
    rule: 'allowed-values',
    message: "must be 'git', got 'oci'",
    proposed: 'git',
  },
  {
    reason: 'a near value',
    schema: { enum: ['optional', 'required'] },
    value: 'requird',
    rule: 'allowed-values',
    message: "must be one of 'optional', 'required', got 'requird'; did you mean 'required'?",
    proposed: 'required',
  },
  {
    reason: 'no near value',
    schema: { enum: ['optional', 'required'] },
    value: 'never',
    rule: 'allowed-values',
    message: "must be one of 'optional', 'required', got 'never'",
  },
  {
    reason: 'a value of another type',
    schema: { enum: ['optional', 'required'] },
    value: '[a]',
    rule: 'allowed-values',
    message: "must be one of 'optional', 'required', got a list",
  },
  {
    reason: 'a value of another tool',
    schema: OPERATORS,
    value: '"="',
    validator: { otherValues: OTHER_VALUES },
    rule: 'allowed-values',
    message: "must be one of 'In', 'NotIn', got '='; write In with one value",
    proposed: 'In',
  },
  {
    reason: 'a value of another tool that stands for none',
    schema: OPERATORS,
    value: '">"',
    validator: { otherValues: OTHER_VALUES },
    rule: 'allowed-values',
    message: "must be one of 'In', 'NotIn', got '>'; labels are texts",
  },
  {
    reason: 'a key of every object is no value of another tool',
    schema: OPERATORS,
    value: 'constructor',
    validator: { otherValues: OTHER_VALUES },
    rule: 'allowed-values',
    message: "must be one of 'In', 'NotIn', got 'constructor'",
  },
  {
    reason: 'values of another tool for another field',
    schema: OPERATORS,
    value: '"="',
    validator: { otherValues: { g: OTHER_VALUES.f } },
    rule: 'allowed-values',
    message: "must be one of 'In', 'NotIn', got '='",
  },
  { reason: 'an empty text', schema: { minLength: 1 }, value: '""', rule: 'empty', message: 'must not be empty' },
  { reason: 'an empty list', schema: { minItems: 1 }, value: '[]', rule: 'empty', message: 'must not be an empty list' },
  { reason: 'a small number', schema: { minimum: 1 }, value: '0', rule: 'minimum', message: 'must be at least 1, got the number 0' },
  {
    reason: 'another form, with each example',
    schema: { pattern: '^[0-9]+%$', examples: [10, '30%'] },
    value: 'many',
    rule: 'pattern',
    message: "must look like 10 or '30%', got 'many'",
  },
]

test.each(VALUES)('a value that is not allowed: $reason', ({ schema, value, validator, rule, message, proposed }) => {
  expect(faultOf(schema, value, { ...validator })).toEqual({
    severity: 'error',
    rule,
    path: ['f'],
    message,
    ...(proposed !== undefined && { proposedValue: proposed }),
  })
})

test('a missing field is reported at its own path; a constant is shown', () => {
  const schema: Schema = { properties: { kind: { const: 'A' } }, required: ['kind', 'name'] }
  expect(faultsOf('f: 1\n', { schema })).toEqual([
    { severity: 'error', rule: 'required', path: ['kind'], message: "must be set, to 'A'" },
    { severity: 'error', rule: 'required', path: ['name'], message: 'must be set' },
  ])
})

test('an unknown field is reported at its key, with the name of the kind', () => {
  expect(faultsOf('labls: 1\n', { schema: { properties: { labels: {} }, additionalProperties: false } })).toEqual([
    {
      severity: 'error',
      rule: 'unknown-field',
      path: ['labls'],
      message: "is not a field of Example; did you mean 'labels'?",
      proposedKey: 'labels',
      atKey: true,
    },
  ])
})

test('a field has one fault, and a wrong type hides the others', () => {
  const schema: Schema = { properties: { a: { type: 'string', enum: ['x'], minLength: 1 }, b: { const: 'y', minLength: 1 } } }
  expect(faultsOf('b: ""\na: 1\n', { schema }).map(({ path, rule }) => `${formatFieldPath(path)} ${rule}`)).toEqual([
    'a wrong-type',
    'b empty',
  ])
})

test.each([
  { rule: 'required', schema: { required: ['g'] }, expected: 'g' },
  { rule: 'empty', schema: { properties: { f: { minLength: 1 } } }, expected: 'f' },
  { rule: 'allowed-values', schema: { properties: { f: { enum: ['a'] } } }, expected: 'f' },
  { rule: 'wrong-type', schema: { properties: { f: { type: 'integer' } } }, expected: undefined },
  { rule: 'unknown-field', schema: { properties: {}, additionalProperties: false }, expected: undefined },
  { rule: 'pattern', schema: { properties: { f: { pattern: 'a' } } }, expected: undefined },
] as const)('the reason of the controller belongs to the rules that the controller checks: $rule', ({ rule, schema, expected }) => {
  const [fault] = faultsOf('f: ""\n', { schema, reasonAt: () => 'Stalled' })
  expect(fault?.rule).toBe(rule)
  expect(fault?.reason).toBe(expected === undefined ? undefined : 'Stalled')
})

test('a validator without reasons gives none', () => {
  expect(faultsOf('f: 1\n', { schema: { required: ['g'] } })[0]).not.toHaveProperty('reason')
})
