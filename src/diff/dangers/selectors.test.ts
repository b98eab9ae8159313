import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isNarrower, matchesLabels } from './selectors.ts'

const labels = new Map([
  ['app', 'till'],
  ['tier', ''],
])

test.each([
  ['{}', true],
  ['{matchLabels: {}, matchExpressions: []}', true],
  ['{matchLabels: {app: till}}', true],
  ['{matchLabels: {app: desk}}', false],
  ['{matchLabels: {tier: ""}}', true],
  ['{matchLabels: {zone: ""}}', false],
  ['{matchLabels: {app: till, zone: a}}', false],
  ['{matchExpressions: [{key: app, operator: In, values: [desk, till]}]}', true],
  ['{matchExpressions: [{key: app, operator: In, values: [desk]}]}', false],
  ['{matchExpressions: [{key: zone, operator: In, values: [a]}]}', false],
  ['{matchExpressions: [{key: app, operator: NotIn, values: [desk]}]}', true],
  ['{matchExpressions: [{key: app, operator: NotIn, values: [desk, till]}]}', false],
  ['{matchExpressions: [{key: zone, operator: NotIn, values: [a]}]}', true],
  ['{matchExpressions: [{key: tier, operator: Exists}]}', true],
  ['{matchExpressions: [{key: zone, operator: Exists}]}', false],
  ['{matchExpressions: [{key: zone, operator: DoesNotExist}]}', true],
  ['{matchExpressions: [{key: tier, operator: DoesNotExist}]}', false],
  ['{matchLabels: {app: till}, matchExpressions: [{key: zone, operator: Exists}]}', false],
  ['{matchLabels: {app: desk}, matchExpressions: [{key: app, operator: Exists}]}', false],
])('labels fulfil %s: %s', (selector, isFulfilled) => {
  expect(matchesLabels(parse(selector), labels)).toBe(isFulfilled)
})

test('each labels fulfil a selector that is absent', () => {
  expect(matchesLabels(undefined, new Map())).toBe(true)
})

const one = (operator: string, values = '[]', key = 'k') => ({
  matchExpressions: [{ key, operator, ...(values === '[]' ? {} : { values: parse(values) }) }],
})

/** The requirements of a selector, and each requirement of another selector that the first one fulfils as well. */
test.each([
  ['Exists', '[]', ['Exists']],
  ['DoesNotExist', '[]', ['DoesNotExist', 'NotIn [a]', 'NotIn [a, b]', 'NotIn [c]']],
  ['In', '[a]', ['Exists', 'In [a]', 'In [a, b]', 'NotIn [c]']],
  ['In', '[a, b]', ['Exists', 'In [a, b]', 'NotIn [c]']],
  ['NotIn', '[a]', ['NotIn [a]']],
  ['NotIn', '[a, b]', ['NotIn [a]', 'NotIn [a, b]']],
  ['NotIn', '[c]', ['NotIn [c]']],
])('what %s %s selects fulfils %s and no more', (operator, values, implied) => {
  const wanted = ['Exists', 'DoesNotExist', 'In [a]', 'In [a, b]', 'NotIn [a]', 'NotIn [a, b]', 'NotIn [c]']
  const known = one(operator, values)
  const isImplied = (text: string) => {
    const [name = '', ...list] = text.split(' ')
    return !isNarrower(one(name, list.join(' ') || '[]'), known)
  }
  expect(wanted.filter(isImplied)).toEqual(implied)
})

test('a requirement says nothing about another key', () => {
  expect(isNarrower(one('Exists'), one('Exists', '[]', 'other'))).toBe(true)
  expect(isNarrower(one('NotIn', '[a]'), one('DoesNotExist', '[]', 'other'))).toBe(true)
})

test('a selector is narrower by one requirement that no other one implies', () => {
  const app = { matchLabels: { app: 'till' } }
  expect(isNarrower(app, undefined)).toBe(true)
  expect(isNarrower(undefined, app)).toBe(false)
  expect(isNarrower({ matchLabels: { app: 'till', tier: 'a' } }, app)).toBe(true)
  expect(isNarrower(app, { matchLabels: { tier: 'a', app: 'till' } })).toBe(false)
  expect(isNarrower(app, one('In', '[till]', 'app'))).toBe(false)
  expect(isNarrower({ ...app, ...one('Exists') }, app)).toBe(true)
})
