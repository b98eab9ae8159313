import fc from 'fast-check'
import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { randomRuns } from '../../../testdata/random-runs.ts'
import { equalJson, isRecord, type JsonValue } from '../../json.ts'
import { readYaml } from '../read/yaml-reader.ts'
import { copied, type EmittedValue } from './content.ts'
import { emitEntry, emitFlow, emitFlowEntry, emitItem, emitJson, emitJsonEntry, emitValue, isNested, type Layout } from './emit.ts'

const compact: Layout = { column: 0, sequences: 'compact' }
const wide: Layout = { column: 0, sequences: 'wide' }

describe('emitValue', () => {
  test('a deployment, lists at the column of their keys', () => {
    const value = {
      metadata: { name: 'web', annotations: { 'a.b/c': '1' }, labels: {} },
      spec: { replicas: 3, paused: false, containers: [{ name: 'a', args: ['x', 'y z'], env: [] }, { name: 'b' }], data: 'one\ntwo\n' },
    }
    expect(emitValue(value, compact)).toBe(`metadata:
  name: web
  annotations:
    a.b/c: "1"
  labels: {}
spec:
  replicas: 3
  paused: false
  containers:
  - name: a
    args:
    - x
    - y z
    env: []
  - name: b
  data: |
    one
    two`)
  })

  test('lists two further than their keys, lists in lists, blocks in both', () => {
    const value = { a: [{ b: [1, [2, 'x\ny'], [], {}] }, 'p\nq\n'] }
    expect(emitValue(value, wide)).toBe(`a:
  - b:
      - 1
      - - 2
        - |-
          x
          y
      - []
      - {}
  - |
    p
    q`)
  })

  test('only the lines after the first are indented: the value stands behind `- `', () => {
    expect(`    - ${emitValue({ a: 1, b: ['x'] }, { column: 6, sequences: 'compact' })}`).toBe('    - a: 1\n      b:\n      - x')
  })

  test.each([
    { reason: 'null', value: null, written: 'null' },
    { reason: 'boolean', value: true, written: 'true' },
    { reason: 'integer', value: -42, written: '-42' },
    { reason: 'integer beyond 2^53', value: 9007199254740993n, written: '9007199254740993' },
    { reason: 'float', value: 0.1, written: '0.1' },
    { reason: 'YAML 1.1 needs a point before the exponent', value: 1e-7, written: '1.0e-7' },
    { reason: 'YAML 1.1 needs a point before the exponent', value: -1e21, written: '-1.0e+21' },
    {
      reason: 'a float without fraction stays a float where the integer would need more than 53 bits',
      value: 2 ** 63,
      written: '9.223372036854776e+18',
    },
    { reason: 'not a number', value: Number.NaN, written: '.nan' },
    { reason: 'infinity', value: Number.NEGATIVE_INFINITY, written: '-.inf' },
    { reason: 'a map without entries', value: {}, written: '{}' },
    { reason: 'a list without items', value: [], written: '[]' },
  ])('$reason', ({ value, written }) => {
    expect(emitValue(value, compact)).toBe(written)
  })
})

test('an item has its dash, its lines stand behind it, and the last one ends', () => {
  expect(emitItem({ a: 1, b: { c: ['x'] } }, { column: 2, sequences: 'wide' })).toBe('  - a: 1\n    b:\n      c:\n        - x\n')
})

describe('emitEntry', () => {
  test.each<{ reason: string; key: string; value: JsonValue; layout: Layout; written: string }>([
    { reason: 'scalar', key: 'a', value: 1, layout: compact, written: 'a: 1' },
    { reason: 'map', key: 'a', value: { b: 1 }, layout: { ...wide, column: 4 }, written: 'a:\n      b: 1' },
    { reason: 'compact list', key: 'a', value: [1], layout: { ...compact, column: 4 }, written: 'a:\n    - 1' },
    { reason: 'wide list', key: 'a', value: [1], layout: { ...wide, column: 4 }, written: 'a:\n      - 1' },
    { reason: 'empty list', key: 'a', value: [], layout: wide, written: 'a: []' },
    { reason: 'a key that is ambiguous is quoted', key: 'on', value: 1, layout: wide, written: '"on": 1' },
    { reason: 'a key that looks like a merge is quoted', key: '<<', value: 1, layout: wide, written: '"<<": 1' },
    { reason: 'a key of two lines stays on one', key: 'a\nb', value: 1, layout: wide, written: '"a\\nb": 1' },
    {
      reason: 'a key of more than 1,000 characters',
      key: 'k'.repeat(1001),
      value: [1],
      layout: compact,
      written: `? ${'k'.repeat(1001)}\n:\n- 1`,
    },
    {
      reason: '__proto__ is an ordinary key',
      key: '__proto__',
      value: { constructor: 1 },
      layout: compact,
      written: '__proto__:\n  constructor: 1',
    },
  ])('$reason', ({ key, value, layout, written }) => {
    expect(emitEntry(key, value, layout)).toBe(written)
  })

  test('no line of a value stands left of its column, empty lines aside', () => {
    fc.assert(
      fc.property(values, fc.constantFrom('wide', 'compact'), (value, sequences) => {
        expect(emitEntry('key', value, { column: 3, sequences })).not.toMatch(/\n(?! {3}|\n|$)/)
      }),
    )
  })
})

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'- ?:,#|>\'"yn0x1._\n\t', 'yes', '\x85', '\r', '😀'), maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const scalars = fc.oneof(
  texts,
  fc.integer(),
  fc.double(),
  fc.constant(null),
  fc.boolean(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
)
const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
  ),
}))

/** js-yaml has no bigint. */
function withoutBigint(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(withoutBigint)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withoutBigint(child)])) : value
}

test('two independent readers read every value back, in YAML 1.1 and 1.2, at any column, with wide and compact lists', () => {
  fc.assert(
    fc.property(values, fc.constantFrom(0, 1, 4), fc.constantFrom('wide', 'compact'), (value, column, sequences) => {
      const layout: Layout = { column: column + 2, sequences }
      const indent = ' '.repeat(column)
      const document = `${indent}- ${emitValue(value, layout)}\n${indent}- ${emitEntry('key', value, layout)}\n`
      const expected = [value, { key: value }]
      for (const version of ['1.1', '1.2'] as const) {
        expect(equalJson(parse(document, { version, intAsBigInt: true }), expected)).toBe(true)
      }
      for (const schema of [CORE_SCHEMA, YAML11_SCHEMA]) {
        expect(equalJson(load(document, { schema }) as JsonValue, withoutBigint(expected))).toBe(true)
      }
    }),
    { numRuns: randomRuns(300) },
  )
})

/** Returns the value of another text, in its spelling. */
const from = (text: string): EmittedValue => copied(readYaml(text))

test.each<[string, EmittedValue, string]>([
  ['a text', 'a"b\n', '"a\\"b\\n"'],
  ['null', null, 'null'],
  ['a number', 1.5, '1.5'],
  ['a large integer', 2n ** 64n, '18446744073709551616'],
  ['infinity, which JSON lacks', Number.NEGATIVE_INFINITY, '"-.inf"'],
  ['a copied infinity', from('.inf\n'), '".inf"'],
  ['a copied NaN in a list', from('[.nan]\n'), '[".nan"]'],
  ['a list and a record', { 'a b': [1, 'x', {}, []] }, '{"a b": [1, "x", {}, []]}'],
  ['a copied number of JSON, with its digits', from('1.50\n'), '1.50'],
  ['a copied number in another spelling', from('0x10\n'), '16'],
  ['a copied text of digits', from("'1'\n"), '"1"'],
  ['a copied null', from('~\n'), 'null'],
  ['a copied list', from('- a\n- {b: 1}\n'), '["a", {"b": 1}]'],
  ['a copied map, with the last of two keys', from('a: 1\na: 2\n'), '{"a": 2}'],
])('on one line of JSON: %s', (_, value, expected) => {
  expect(emitJson(value)).toBe(expected)
  expect(emitJsonEntry('k"', value)).toBe(`"k\\"": ${expected}`)
})

test.each<[string, EmittedValue, string]>([
  ['a word', 'a-b/c.d_e', 'a-b/c.d_e'],
  ['a text with a space', 'a b', '"a b"'],
  ['a text with a comma', 'a,b', '"a,b"'],
  ['a text that is a boolean elsewhere', 'yes', '"yes"'],
  ['a text of digits', '12', '"12"'],
  ['an empty text', '', '""'],
  ['a text of two lines', 'a\nb', '"a\\nb"'],
  ['null', null, 'null'],
  ['a number', 1.5, '1.5'],
  ['a list and a record', { 'a b': [1, 'x', {}, []] }, '{"a b": [1, x, {}, []]}'],
  ['a copied text in its quotes', from("'a b'\n"), "'a b'"],
  ['a copied text without quotes', from('a b\n'), 'a b'],
  ['a copied text with a comma', from('a,b\n'), '"a,b"'],
  ['a copied text with a bracket', from('a]b\n'), '"a]b"'],
  ['a copied block of text', from('|\n  x\n'), '"x\\n"'],
  ['a copied number', from('0x10\n'), '0x10'],
  ['a copied list with a tag', from('!t\n- a\n'), '!t [a]'],
  ['a copied map with a tag', from('!t {a: 1}\n'), '!t {a: 1}'],
])('on one line between brackets: %s', (_, value, expected) => {
  expect(emitFlow(value)).toBe(expected)
  expect(emitFlowEntry('k', value)).toBe(`k: ${expected}`)
})

test.each([
  ['a: 1\n', 'a: 1'],
  ['"a": 1\n', '"a": 1'],
  ["'a, b': 1\n", "'a, b': 1"],
  ['a, b: 1\n', '"a, b": 1'],
])('a copied key of %j between brackets', (text, expected) => {
  const root = readYaml(text)
  const key = root.type === 'map' ? root.entries[0]?.key : undefined
  expect(key && emitFlowEntry(key, 1)).toBe(expected)
})

test.each<[EmittedValue, boolean]>([
  [[], false],
  [{}, false],
  [[null], true],
  [{ a: null }, true],
  ['a', false],
  [null, false],
  [from('{}\n'), false],
  [from('[]\n'), false],
  [from('[a]\n'), true],
  [from('a: 1\n'), true],
  [from('a\n'), false],
])('%o needs lines of its own: %s', (value, expected) => {
  expect(isNested(value)).toBe(expected)
})
