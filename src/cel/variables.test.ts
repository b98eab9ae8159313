import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { compile } from './program.ts'
import { extendVariables, prepareVariables, replaceField } from './variables.ts'

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
