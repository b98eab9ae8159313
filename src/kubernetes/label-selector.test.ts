import { expect, test } from 'vitest'
import { clausesOf, formatSelector, type LabelRequirement, type LabelSelector, matchesSelector } from './label-selector.ts'

const labels = new Map([
  ['env', 'prod'],
  ['empty', ''],
])

function requirement(key: string, operator: LabelRequirement['operator'], ...values: string[]): LabelSelector {
  return { matchLabels: new Map(), matchExpressions: [{ key, operator, values }] }
}

function equality(key: string, value: string): LabelSelector {
  return { matchLabels: new Map([[key, value]]), matchExpressions: [] }
}

test.each([
  { reason: 'no clause matches everything', selector: { matchLabels: new Map(), matchExpressions: [] }, unmet: undefined },
  { reason: 'equal label', selector: equality('env', 'prod'), unmet: undefined },
  { reason: 'other value', selector: equality('env', 'dev'), unmet: 'env=dev' },
  { reason: 'a label that is not there is not the empty label', selector: equality('none', ''), unmet: 'none=' },
  { reason: 'the empty label', selector: equality('empty', ''), unmet: undefined },
  { reason: 'a key that every object inherits in JavaScript', selector: equality('constructor', 'x'), unmet: 'constructor=x' },
  { reason: 'In with the value', selector: requirement('env', 'In', 'dev', 'prod'), unmet: undefined },
  { reason: 'In without the value', selector: requirement('env', 'In', 'dev', 'test'), unmet: 'env in (dev,test)' },
  { reason: 'In without the key', selector: requirement('none', 'In', 'x'), unmet: 'none in (x)' },
  { reason: 'NotIn with the value', selector: requirement('env', 'NotIn', 'prod'), unmet: 'env notin (prod)' },
  { reason: 'NotIn without the value', selector: requirement('env', 'NotIn', 'dev'), unmet: undefined },
  { reason: 'NotIn without the key holds, as in the API server', selector: requirement('none', 'NotIn', 'x'), unmet: undefined },
  { reason: 'Exists', selector: requirement('empty', 'Exists'), unmet: undefined },
  { reason: 'Exists without the key', selector: requirement('none', 'Exists'), unmet: 'none' },
  { reason: 'DoesNotExist', selector: requirement('none', 'DoesNotExist'), unmet: undefined },
  { reason: 'DoesNotExist with the key', selector: requirement('env', 'DoesNotExist'), unmet: '!env' },
])('$reason', ({ selector, unmet }) => {
  expect(clausesOf(selector).find(({ isMet }) => !isMet(labels))?.text).toBe(unmet)
  expect(matchesSelector(selector, labels)).toBe(unmet === undefined)
})

test('every clause must hold, and a selector prints as kubectl prints it', () => {
  const selector = { matchLabels: new Map([['env', 'prod']]), matchExpressions: requirement('zone', 'Exists').matchExpressions }
  expect(matchesSelector(selector, labels)).toBe(false)
  expect(matchesSelector(selector, new Map([...labels, ['zone', 'a']]))).toBe(true)
  expect(formatSelector(selector)).toBe('env=prod,zone')
})
