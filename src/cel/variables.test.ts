import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { compile } from './program.ts'
import { extendVariables, prepareVariables, replaceField, sharedVisibleValue, sortedTexts, visibleValue } from './variables.ts'

function evaluate(expression: string, target: JsonValue): string {
  return compile(expression, ['target']).evaluate(prepareVariables(new Map([['target', target]])))
}

test.each([
  { reason: 'keys come in order', value: { b: 1, a: 2 }, expression: 'target.map(k, k)[0]', expected: 'a' },
  { reason: 'a whole number is an int, as Kubernetes reads it', value: 3, expression: 'string(type(target) == int)', expected: 'true' },
  { reason: 'other numbers are doubles', value: 1.5, expression: 'string(target)', expected: '1.5' },
  { reason: 'large integers keep their digits', value: 9007199254740993n, expression: 'string(target)', expected: '9007199254740993' },
  { reason: 'null is null, not missing', value: { a: null }, expression: "has(target.a) && target.a == null ? 'y' : 'n'", expected: 'y' },
  { reason: 'lists are lists', value: ['x', ['y']], expression: 'target[1][0]', expected: 'y' },
  { reason: 'false is there', value: { a: false }, expression: 'string(target.a)', expected: 'false' },
])('$reason', ({ value, expression, expected }) => {
  expect(evaluate(expression, value)).toBe(expected)
})

test('unsorted texts are copied once in the order of their keys, and sorted ones are not copied', () => {
  const sorted = new Map([
    ['a', '2'],
    ['b', '1'],
  ])
  expect(sortedTexts(sorted)).toBe(sorted)
  const unsorted = new Map([
    ['a', '1'],
    ['c', '2'],
    ['b', '3'],
  ])
  expect([...sortedTexts(unsorted)]).toEqual([
    ['a', '1'],
    ['b', '3'],
    ['c', '2'],
  ])
  expect(sortedTexts(unsorted)).toBe(sortedTexts(unsorted))
  expect([...unsorted.keys()]).toEqual(['a', 'c', 'b'])
})

test('an object that targets have in common has one value, an equal object another', () => {
  const object = { name: 'a', namespace: 'n', labels: new Map([['b', 'c']]), annotations: new Map([['d', 'e']]) }
  const value = sharedVisibleValue(object)
  expect([...value]).toEqual([
    ['annotations', object.annotations],
    ['labels', object.labels],
    ['name', 'a'],
    ['namespace', 'n'],
  ])
  expect(sharedVisibleValue(object)).toBe(value)
  expect(sharedVisibleValue({ ...object })).not.toBe(value)
  expect(visibleValue(object)).not.toBe(value)
})

describe('an object', () => {
  const labels = new Map([
    ['tier', 'gold'],
    ['env', 'prod'],
  ])
  const object = { name: 'edge', namespace: 'default', labels, annotations: new Map<string, string>() }
  const variables = extendVariables(prepareVariables(new Map([['packageDefault', 'app']])), 'target', object)

  test.each([
    {
      reason: 'its fields are in order',
      expression: "target.map(k, k) == ['annotations', 'labels', 'name', 'namespace']",
      expected: 'true',
    },
    { reason: 'so are its labels', expression: "target.labels.map(k, k) == ['env', 'tier']", expected: 'true' },
    { reason: 'a label has its value', expression: "target.labels.tier == 'gold'", expected: 'true' },
    { reason: 'no annotations are an empty map', expression: 'target.annotations == {}', expected: 'true' },
    { reason: 'other variables stay', expression: "packageDefault == 'app'", expected: 'true' },
  ])('$reason', ({ expression, expected }) => {
    expect(compile(`string(${expression})`, ['target', 'packageDefault']).evaluate(variables)).toBe(expected)
  })

  test('leaves its labels as they are', () => {
    expect([...labels.keys()]).toEqual(['tier', 'env'])
  })
})

test.each([
  { path: ['target', 'labels', 'tier'], value: 'gold', expected: 'env: gold' },
  { path: ['target', 'labels', 'app'], value: 'web', expected: 'app: silver' },
  { path: ['target', 'labels', 'env'], value: undefined, expected: 'tier: silver' },
  { path: ['target', 'labels'], value: { tier: 'none' }, expected: 'tier: none' },
  { path: ['other', 'labels'], value: 'x', expected: 'env: silver' },
] as const)('$path replaced by $value gives the other fields as they were, in order', ({ path, value, expected }) => {
  const variables = prepareVariables(new Map([['target', { labels: { env: 'prod', tier: 'silver' } }]]))
  const program = compile("target.labels.map(k, k)[0] + ': ' + target.labels.tier", ['target'])
  expect(program.evaluate(replaceField(variables, { path, value }))).toBe(expected)
  expect(program.evaluate(variables)).toBe('env: silver')
})
