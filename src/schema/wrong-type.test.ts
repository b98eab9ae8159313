import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Schema } from './schema.ts'
import { schemaFaults } from './schema-faults.ts'

const LIST_OF_TEXTS: Schema = { type: 'array', items: { type: 'string' } }
const LABELS: Schema = { type: 'object', additionalProperties: { type: 'string' } }
const SELECTOR: Schema = { type: 'object', properties: { matchLabels: LABELS, matchExpressions: { type: 'array' } } }
const FUNCTIONS: Schema = { type: 'array', items: { type: 'object', properties: { image: {}, name: {} } } }
const CONDITION: Schema = { type: 'string', format: 'cel', examples: ["target.labels.ring == 'canary'"] }
const fields = (...names: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})

interface Row {
  readonly reason: string
  readonly schema: Schema
  readonly value: string
  readonly message: string
  readonly proposed?: JsonValue
}

const WRONG_TYPES: readonly Row[] = [
  {
    reason: 'a number keeps its spelling as a text',
    schema: { type: 'string' },
    value: '0644',
    message: 'a string, got the number 0644; write "0644"',
    proposed: '0644',
  },
  {
    reason: 'a boolean keeps its spelling as a text',
    schema: { type: 'string' },
    value: 'True',
    message: 'a string, got the boolean True; write "True"',
    proposed: 'True',
  },
  {
    reason: 'a large number keeps its digits as a text',
    schema: { type: 'string' },
    value: '9007199254740993',
    message: 'a string, got the number 9007199254740993, which is beyond 2^53; write "9007199254740993"',
    proposed: '9007199254740993',
  },
  {
    reason: 'a fraction is no integer and not proposed as a text',
    schema: { type: ['integer', 'string'] },
    value: '1.5',
    message: 'an integer or a string, got the number 1.5',
  },
  {
    reason: 'a large integer is not proposed as a text where an integer is wanted',
    schema: { type: ['integer', 'string'] },
    value: '9007199254740993',
    message: 'an integer or a string, got the number 9007199254740993, which is beyond 2^53',
  },
  {
    reason: 'a boolean is proposed as a text where an integer would do too',
    schema: { type: ['integer', 'string'] },
    value: 'true',
    message: 'an integer or a string, got the boolean true; write "true"',
    proposed: 'true',
  },
  { reason: 'an integer in quotes', schema: { type: 'integer' }, value: '"12"', message: "an integer, got '12'; write 12", proposed: 12 },
  {
    reason: 'a revision with the letter of its tag',
    schema: { type: 'integer' },
    value: 'v2',
    message: "an integer, got 'v2'; write 2",
    proposed: 2,
  },
  {
    reason: 'fifteen digits',
    schema: { type: 'integer' },
    value: '"123456789012345"',
    message: "an integer, got '123456789012345'; write 123456789012345",
    proposed: 123456789012345,
  },
  {
    reason: 'sixteen digits may be too many',
    schema: { type: 'integer' },
    value: '"1234567890123456"',
    message: "an integer, got '1234567890123456'",
  },
  { reason: 'a text with more than a number', schema: { type: 'integer' }, value: 'v2.1', message: "an integer, got 'v2.1'" },
  { reason: 'a text before the number', schema: { type: 'integer' }, value: 'rev2', message: "an integer, got 'rev2'" },
  { reason: 'a fraction for an integer', schema: { type: 'integer' }, value: '1.5', message: 'an integer, got the number 1.5' },
  { reason: 'a text for a boolean', schema: { type: 'boolean' }, value: '"true"', message: "true or false, got 'true'" },
  { reason: 'a map for a text', schema: { type: 'string' }, value: '{a: b}', message: 'a string, got a map' },
  { reason: 'a list for a text', schema: { type: 'string' }, value: '[a]', message: 'a string, got a list' },

  { reason: 'one text for a list of texts', schema: LIST_OF_TEXTS, value: 'a', message: "a list, got 'a'; write [a]", proposed: ['a'] },
  {
    reason: 'one map for a list of maps',
    schema: FUNCTIONS,
    value: '{image: a}',
    message: "a list, got a map; its first key must begin with '- '",
    proposed: [{ image: 'a' }],
  },
  { reason: 'one text for a list of maps', schema: { type: 'array', items: fields('a') }, value: 'b', message: "a list, got 'b'" },
  {
    reason: 'one map for a list of texts',
    schema: LIST_OF_TEXTS,
    value: '{a: b}',
    message: "a list, got a map; its first key must begin with '- '",
  },
  { reason: 'a number for a list of texts', schema: LIST_OF_TEXTS, value: '1', message: 'a list, got the number 1' },
  { reason: 'a text for a list of anything', schema: { type: 'array' }, value: 'a', message: "a list, got 'a'" },
  {
    reason: 'a dash without its space',
    schema: LIST_OF_TEXTS,
    value: '-a',
    message: "a list, got '-a'; a space must follow each dash",
    proposed: ['-a'],
  },
  { reason: 'a dash alone', schema: { type: 'array', items: { type: 'integer' } }, value: '"-"', message: "a list, got '-'" },
  {
    reason: 'the image of a function for the list',
    schema: FUNCTIONS,
    value: 'example.com/a:v1',
    message: "a list, got 'example.com/a:v1'; write '- image: example.com/a:v1'",
  },
  {
    reason: 'a name for a list of maps with names',
    schema: { type: 'array', items: fields('name', 'kind') },
    value: 'a',
    message: "a list, got 'a'; write '- name: a'",
  },
  { reason: 'a sentence is no name', schema: { type: 'array', items: fields('name') }, value: 'a b', message: "a list, got 'a b'" },

  {
    reason: 'a map on one line without the space',
    schema: LABELS,
    value: 'env:prod',
    message: "a map, got 'env:prod'; a space must follow the colon: 'env: prod'",
  },
  {
    reason: 'a field on one line without the space',
    schema: fields('image', 'tag'),
    value: 'tag:v1',
    message: "a map, got 'tag:v1'; a space must follow the colon: 'tag: v1'",
  },
  {
    reason: 'an image with a tag is no field',
    schema: fields('image', 'tag'),
    value: 'a:v1',
    message: "a map, got 'a:v1'; write 'image: a:v1'",
  },
  { reason: 'an address is no field', schema: LABELS, value: 'https://a', message: "a map, got 'https://a'" },
  { reason: 'a label as kubectl takes it', schema: LABELS, value: 'env=prod', message: "a map, got 'env=prod'; write env: prod" },
  {
    reason: 'a label of a selector as kubectl takes it',
    schema: SELECTOR,
    value: 'env=prod',
    message: "a map, got 'env=prod'; write matchLabels: {env: prod}",
  },
  {
    reason: 'the fields of a map',
    schema: fields('a', 'b', 'c', 'd', 'e', 'f'),
    value: 'x y',
    message: "a map, got 'x y'; its fields are 'a', 'b', 'c', 'd', 'e', 'f'",
  },
  {
    reason: 'more than six fields are no hint',
    schema: fields('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    value: 'x y',
    message: "a map, got 'x y'",
  },
  { reason: 'a number for a map', schema: fields('a'), value: '1', message: 'a map, got the number 1' },

  {
    reason: 'a list of keys and values for a map',
    schema: LABELS,
    value: '[{key: a, value: b}, {name: c, value: d}]',
    message: 'a map, got a list; write a: b, c: d, without dashes',
    proposed: { a: 'b', c: 'd' },
  },
  {
    reason: 'the key of an entry comes before its name',
    schema: LABELS,
    value: '[{name: a, key: b, value: c}]',
    message: 'a map, got a list; write b: c, without dashes',
    proposed: { b: 'c' },
  },
  {
    reason: 'a list of maps with one key each',
    schema: LABELS,
    value: '[{a: b}, {c: d}]',
    message: 'a map, got a list; write a: b, c: d, without dashes',
  },
  {
    reason: 'a list of labels as kubectl takes them',
    schema: LABELS,
    value: '[a=b, c=d]',
    message: 'a map, got a list; write a: b, c: d, without dashes',
  },
  { reason: 'one entry that is no label', schema: LABELS, value: '[a=b, c]', message: 'a map, got a list' },
  { reason: 'an empty list', schema: LABELS, value: '[]', message: 'a map, got a list' },
  {
    reason: 'an entry without a value',
    schema: LABELS,
    value: '[{key: a, value: b}, {key: c}]',
    message: 'a map, got a list; write key: c, value: b, without dashes',
  },
  { reason: 'a value that is no text', schema: LABELS, value: '[{a: 1}]', message: 'a map, got a list' },
  {
    reason: 'a list of things with names, by which the map has them',
    schema: { type: 'object', additionalProperties: { type: 'object' } },
    value: '[{name: a, image: b}]',
    message: "a map, got a list; write 'a: …': its keys are the names",
  },
  {
    reason: 'a list for a map with fields',
    schema: fields('a', 'b'),
    value: '[{a: b}]',
    message: "a map, got a list; its fields are 'a', 'b'",
  },
  {
    reason: 'a list of keys and values for a map with fields',
    schema: fields('a', 'b'),
    value: '[{key: a, value: b}]',
    message: "a map, got a list; its fields are 'a', 'b'",
    proposed: { a: 'b' },
  },
  {
    reason: 'a list for a text or a map',
    schema: { type: ['string', 'object'], additionalProperties: {} },
    value: '[a=b]',
    message: 'a string or a map, got a list; write a: b, without dashes',
  },

  {
    reason: 'a label selector for a condition',
    schema: CONDITION,
    value: '{matchLabels: {ring: canary}}',
    message: `a string, got a map; write "target.labels.ring == 'canary'", an expression in CEL`,
  },
  {
    reason: 'labels for a condition',
    schema: CONDITION,
    value: '{ring: canary}',
    message: `a string, got a map; write "target.labels.ring == 'canary'", an expression in CEL`,
  },
  {
    reason: 'the object of the example',
    schema: { ...CONDITION, examples: ['item.a'] },
    value: '{ring: canary}',
    message: `a string, got a map; write "item.labels.ring == 'canary'", an expression in CEL`,
  },
  {
    reason: 'another map for a condition',
    schema: CONDITION,
    value: '{ring: {a: b}}',
    message: 'a string, got a map; it is an expression in CEL',
  },
  { reason: 'an empty map for a condition', schema: CONDITION, value: '{}', message: 'a string, got a map; it is an expression in CEL' },
  {
    reason: 'a condition without an example',
    schema: { type: 'string', format: 'cel' },
    value: '{ring: canary}',
    message: 'a string, got a map; it is an expression in CEL',
  },
]

test.each(WRONG_TYPES)('a value of another type: $reason', ({ schema, value, message, proposed }) => {
  const object = KrmObject.fromDocument(`f: ${value}\n`)
  const validator = { schema: { properties: { f: schema } } }
  expect(schemaFaults(object.toJson(), validator, 'Example', (path) => object.scalars(path)[0]?.text)).toEqual([
    {
      severity: 'error',
      rule: 'wrong-type',
      path: ['f'],
      message: `must be ${message}`,
      ...(proposed !== undefined && { proposedValue: proposed }),
    },
  ])
})
