import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import { packageVariantSetResults } from '../../testdata/kind-results.ts'
import { formatFieldPath } from '../field-path.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../result.ts'
import type { Infer, Schema } from './schema.ts'
import { decode, isAmbiguous, validate } from './validate.ts'
import type { Validator } from './validator.ts'

// The options of FanOut stand for any: the rules here are those of all kinds.
const OPTIONS = {
  type: 'object',
  properties: {
    apiVersion: { const: 'fn.krm-variants.dev/v1alpha1' },
    kind: { const: 'FanOut' },
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
    spec: {
      type: 'object',
      properties: {
        allowEmpty: { type: 'boolean' },
        maxDeletions: { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]+%$', examples: [10, '30%'] },
        lookups: { enum: ['optional', 'required'] },
        status: { type: 'boolean' },
      },
      additionalProperties: false,
    },
  },
  required: ['apiVersion', 'kind'],
  additionalProperties: false,
} as const satisfies Schema

const VALIDATOR: Validator<typeof OPTIONS> = { schema: OPTIONS }
const HEAD = 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: FanOut\n'

function options(spec: string): KrmObject {
  return KrmObject.fromDocument(HEAD + spec, { path: 'fan-out.yaml', index: 0, line: 1 })
}

function summary({ severity, message, position, tags, field }: Result) {
  return { severity, message, at: `${position?.line}:${position?.column}`, rule: tags.rule, proposed: field?.proposedValue }
}

test.each([
  {
    reason: 'an unknown field, with the nearest known one',
    spec: 'spec:\n  allowEmtpy: true\n',
    expected: [{ rule: 'unknown-field', at: '4:3', message: "`spec.allowEmtpy` is not a field of spec; did you mean 'allowEmpty'?" }],
  },
  {
    reason: 'an unknown field of the object itself that belongs deeper',
    spec: 'status: {}\n',
    expected: [{ rule: 'unknown-field', at: '3:1', message: '`status` is not a field of FanOut; it is a field of spec' }],
  },
  {
    reason: 'nothing near: the fields there are',
    spec: 'spec:\n  frobnicate: true\n',
    expected: [
      {
        rule: 'unknown-field',
        at: '4:3',
        message: "`spec.frobnicate` is not a field of spec; its fields are 'allowEmpty', 'maxDeletions', 'lookups', 'status'",
      },
    ],
  },
  {
    reason: 'another type',
    spec: 'spec:\n  allowEmpty: 1\n  status: [yes]\n',
    expected: [
      { rule: 'wrong-type', at: '4:15', message: '`spec.allowEmpty` must be true or false, got the number 1' },
      { rule: 'wrong-type', at: '5:3', message: '`spec.status` must be true or false, got a list' },
    ],
  },
  {
    reason: 'a boolean where a string or a number is allowed keeps its spelling in the proposal',
    spec: 'spec:\n  maxDeletions: True\n',
    expected: [
      {
        rule: 'wrong-type',
        at: '4:17',
        message: '`spec.maxDeletions` must be an integer or a string, got the boolean True; write "True"',
        proposed: 'True',
      },
    ],
  },
  {
    reason: 'an integer beyond what a number holds',
    spec: 'spec:\n  maxDeletions: 9007199254740993\n',
    expected: [
      {
        rule: 'wrong-type',
        at: '4:17',
        message: '`spec.maxDeletions` must be an integer or a string, got the number 9007199254740993, which is beyond 2^53',
      },
    ],
  },
  {
    reason: 'none of the allowed values',
    spec: 'spec: {lookups: requird}\n',
    expected: [
      {
        rule: 'allowed-values',
        at: '3:17',
        message: "`spec.lookups` must be one of 'optional', 'required', got 'requird'; did you mean 'required'?",
        proposed: 'required',
      },
    ],
  },
  {
    reason: 'too small, and of the wrong form',
    spec: 'spec: {maxDeletions: -1}\n',
    expected: [{ rule: 'minimum', at: '3:22', message: '`spec.maxDeletions` must be at least 0, got the number -1' }],
  },
  {
    reason: 'a pattern is shown by examples',
    spec: 'spec: {maxDeletions: many}\n',
    expected: [{ rule: 'pattern', at: '3:22', message: "`spec.maxDeletions` must look like 10 or '30%', got 'many'" }],
  },
  {
    reason: 'a key twice, with both lines',
    spec: 'spec:\n  status: true\n  status: false\n',
    expected: [{ rule: 'duplicate-key', at: '5:3', message: '`spec.status` must occur once in its map, but occurs in lines 4 and 5' }],
  },
  {
    reason: 'the value that an alias stands for, at the place of the alias',
    spec: 'metadata: {name: &n a}\nspec: {lookups: *n}\n',
    expected: [{ rule: 'allowed-values', at: '4:8', message: "`spec.lookups` must be one of 'optional', 'required', got 'a'" }],
  },
  {
    reason: 'the values that a merge key stands for',
    spec: 'metadata: &n {name: a, lookups: many}\nspec: {status: true, <<: *n}\n',
    expected: [
      { rule: 'allowed-values', at: '4:1', message: "`spec.lookups` must be one of 'optional', 'required', got 'many'" },
      {
        rule: 'unknown-field',
        at: '4:1',
        message: "`spec.name` is not a field of spec; its fields are 'allowEmpty', 'maxDeletions', 'lookups', 'status'",
      },
    ],
  },
  {
    reason: 'a merge key without a map, and nothing else: the rest cannot be read',
    spec: 'metadata: {name: &n a}\nspec: {<<: *n, frobnicate: 1}\n',
    expected: [
      {
        rule: 'alias',
        at: '4:12',
        message:
          '`spec["<<"]` must be written out: it refers to the anchor \'n\', and a merge key needs a map with that anchor above it in the same document',
      },
    ],
  },
  { reason: 'nulls count as absent, an absent spec as empty', spec: 'metadata:\nspec:\n  lookups:\n', expected: [] },
])('$reason', ({ spec, expected }) => {
  const results = validate(options(spec), VALIDATOR)
  expect(results.map(summary)).toEqual(expected.map((row) => ({ severity: 'error', proposed: undefined, ...row })))
})

test.each([
  { text: 'yes', warned: true },
  { text: 'Off', warned: true },
  { text: 'n', warned: true },
  { text: '"yes"', warned: false },
  { text: 'yesterday', warned: false },
])('a plain $text where a string is wanted: warned $warned', ({ text, warned }) => {
  const object = KrmObject.fromDocument(`${HEAD}metadata:\n  name: ${text}\n`)
  const results = validate(object, VALIDATOR)
  expect(results.map(({ severity, tags }) => [severity, tags.rule])).toEqual(warned ? [['warning', 'ambiguous-string']] : [])
})

test('what is missing is said of the field, at the key of what should hold it; a constant is shown', () => {
  const results = validate(KrmObject.fromDocument('kind: FanOut\n'), VALIDATOR)
  expect(results.map(summary)).toEqual([
    {
      severity: 'error',
      rule: 'required',
      at: '1:1',
      message: "`apiVersion` must be set, to 'fn.krm-variants.dev/v1alpha1'",
      proposed: undefined,
    },
  ])
})

test('decode gives the value, typed as the schema says, with warnings; or throws every fault', () => {
  const { value, warnings } = decode(options('metadata: {name: on}\nspec: {maxDeletions: 30%, lookups: required}\n'), VALIDATOR)
  expectTypeOf(value.spec?.lookups).toEqualTypeOf<'optional' | 'required' | undefined>()
  expectTypeOf(value.spec?.maxDeletions).toEqualTypeOf<number | string | undefined>()
  expect(value.spec).toEqual({ maxDeletions: '30%', lookups: 'required' })
  expect(warnings.map(({ tags }) => tags.rule)).toEqual(['ambiguous-string'])
  const faulty = options('metadata: {name: on}\nspec: {allowEmpty: 1, status: 2, x: 3}\n')
  expect(() => decode(faulty, VALIDATOR)).toThrow(FunctionError)
  expect(validate(faulty, VALIDATOR).map(({ tags }) => tags.rule)).toEqual([
    'wrong-type',
    'wrong-type',
    'unknown-field',
    'ambiguous-string',
  ])
})

test('Infer reads constants, unions, lists, maps and what is required', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: ['array', 'object'], items: { type: 'integer' }, additionalProperties: { type: 'boolean' } },
    },
    required: ['a'],
  } as const satisfies Schema
  type Expected = { readonly a: string } & { readonly b?: readonly number[] | { readonly [key: string]: boolean } }
  expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<Expected>()
  expect(schema.required).toEqual(['a'])
})

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 1, 'text', '', 'v1', '${X}', 'yes'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ...'upstream repo package revision targets repositories name packageNames template labelExprs key __proto__ constructor'.split(' '),
      ),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
  ),
})).value

test('any spec is read without an exception, and every fault has a field, a rule, a place and a message in form', () => {
  fc.assert(
    fc.property(json, (spec) => {
      const set = { apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet', metadata: { name: 'a' }, spec }
      for (const { message, field, position, tags } of packageVariantSetResults(KrmObject.fromDocument(JSON.stringify(set)))) {
        expect(message.startsWith(`\`${formatFieldPath(field?.path ?? [])}\` `)).toBe(true)
        expect(message).toMatch(/^`[^\n]+` (must|is) [^\n]*[^.\n]$/)
        expect(tags.rule).toMatch(/^[a-z]+(-[a-z]+)*$/)
        expect(position?.line).toBe(1)
      }
    }),
    { numRuns: 300 },
  )
})

// https://yaml.org/type/bool.html, but for true and false, which every reader takes for booleans.
test.each(['y', 'Y', 'n', 'N', 'yes', 'Yes', 'YES', 'no', 'No', 'NO', 'on', 'On', 'ON', 'off', 'Off', 'OFF'])(
  'a plain %s is a boolean for YAML 1.1',
  (text) => {
    expect(isAmbiguous(text)).toBe(true)
  },
)

test.each(['', 'true', 'false', 'yess', 'nope', 'o', 'ye', 'of', ' no', 'no\n', 'on1'])('a plain %j is a text for YAML 1.1', (text) => {
  expect(isAmbiguous(text)).toBe(false)
})
