import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { configMapPairs, isEmptyConfigMap, isNestedValue, readerFor, scalarTexts } from './config-map-pairs.ts'

function configMap(fields: string, kind = 'ConfigMap'): KrmObject {
  return KrmObject.fromDocument(`apiVersion: v1\nkind: ${kind}\n${fields}`)
}

test('the pairs of a ConfigMap have their value and the text of the file', () => {
  expect(
    configMapPairs(configMap('metadata: {name: a}\nimmutable: true\nbinaryData: {}\ndata: {a: text, b: 1.30, c: TRUE, d: null, e: "1"}\n')),
  ).toEqual({
    pairs: [
      { name: 'a', value: 'text', text: 'text' },
      { name: 'b', value: 1.3, text: '1.30' },
      { name: 'c', value: true, text: 'TRUE' },
      { name: 'd', value: null, text: '' },
      { name: 'e', value: '1', text: '1' },
    ],
    faults: [],
  })
})

test.each([
  { reason: 'no data', fields: '' },
  { reason: 'null', fields: 'data: null\n' },
  { reason: 'an empty map', fields: 'data: {}\n' },
])('a ConfigMap without options has neither pairs nor faults: $reason', ({ fields }) => {
  expect(configMapPairs(configMap(fields))).toEqual({ pairs: [], faults: [] })
  expect(isEmptyConfigMap(configMap(fields))).toBe(true)
})

test.each([
  { reason: 'data that is a list', fields: 'data: [a]\n', pairs: [], expected: ['data wrong-type must be a map, got a list'] },
  { reason: 'data that is a text', fields: 'data: a\n', pairs: [], expected: ["data wrong-type must be a map, got 'a'"] },
  {
    reason: 'maps and lists for texts, beside a pair',
    fields: 'data: {a: {}, b: [], c: d}\n',
    pairs: ['c'],
    expected: ['data.a wrong-type must be a string, got a map', 'data.b wrong-type must be a string, got a list'],
  },
  {
    reason: 'fields that a ConfigMap does not have',
    fields: 'date: {}\nspec: {}\n',
    pairs: [],
    expected: ["date unknown-field is not a field of ConfigMap; did you mean 'data'?", 'spec unknown-field is not a field of ConfigMap'],
  },
  {
    reason: 'a key twice',
    fields: 'data: {a: b, a: c}\n',
    pairs: ['a'],
    expected: ['data.a duplicate-key must occur once in its map, but occurs 2 times in line 3'],
  },
])('faults: $reason', ({ fields, pairs, expected }) => {
  const found = configMapPairs(configMap(fields))
  expect(found.pairs.map(({ name }) => name)).toEqual(pairs)
  expect(found.faults.map(({ path, rule, message }) => `${path.join('.')} ${rule} ${message}`)).toEqual(expected)
  expect(found.faults.every(({ severity }) => severity === 'error')).toBe(true)
  expect(isEmptyConfigMap(configMap(fields))).toBe(false)
})

test('a misspelt field is reported at its key, with the key that was most likely meant', () => {
  expect(configMapPairs(configMap('date: {}\n')).faults).toMatchObject([{ atKey: true, proposedKey: 'data' }])
})

test('a ConfigMap with an option is not empty, and another kind is no ConfigMap', () => {
  expect(isEmptyConfigMap(configMap('data: {a: b}\n'))).toBe(false)
  expect(isEmptyConfigMap(configMap('data: {}\n', 'Secret'))).toBe(false)
})

test('the scalars of a map are texts of the file, without maps and lists', () => {
  const object = configMap('spec: {inner: {a: 010, b: null, c: {}, d: []}}\n')
  expect(scalarTexts(object, ['spec', 'inner'], { a: 8, b: null, c: {}, d: [] })).toEqual(
    new Map([
      ['a', '010'],
      ['b', ''],
    ]),
  )
  expect(scalarTexts(object, ['spec', 'none'], {})).toEqual(new Map())
})

test('maps and lists are nested values, null and scalars are not', () => {
  expect([{}, [], null, 'a', 1, false].map(isNestedValue)).toEqual([true, true, false, false, false, false])
})

test('a functionConfig gets the reader of its kind', () => {
  expect(readerFor(configMap(''), { ConfigMap: 'a', SetLabels: 'b' })).toBe('a')
  expect(readerFor(configMap('', 'SetLabels'), { ConfigMap: 'a', SetLabels: 'b' })).toBe('b')
})

test.each([
  {
    object: configMap('', 'constructor'),
    whose: undefined,
    message: "must be one of 'ConfigMap', 'SetLabels' in a functionConfig of this function, got 'constructor'",
  },
  {
    object: configMap('', 'Secret'),
    whose: 'set-labels',
    message: "must be one of 'ConfigMap', 'SetLabels' in a functionConfig of set-labels, got 'Secret'",
  },
  {
    object: KrmObject.fromDocument('data: {}\n'),
    whose: 'set-labels',
    message: "must be one of 'ConfigMap', 'SetLabels' in a functionConfig of set-labels, got ''",
  },
])('a functionConfig of another kind is refused: $message', ({ object, whose, message }) => {
  const read = () => readerFor(object, { ConfigMap: 'a', SetLabels: 'b' }, whose)
  expect(read).toThrow(FunctionError)
  expect(read).toThrow(`\`kind\` ${message}`)
})
