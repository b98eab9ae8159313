import { expect, test } from 'vitest'
import type { Result } from '../../src/result.ts'
import { isViolation, violationKey, violator, withEqualViolations } from './equal-violations.ts'

function violation(item: string, said: string): Result {
  const tags = { rule: 'policy-violation', policy: 'replicas', policyLine: '9' } as const
  return { severity: 'error', message: `${item}: ${said} (FleetPolicy replicas in policies.yaml:9:5)`, tags }
}

const OTHER: Result = { severity: 'error', message: 'a: must be set', tags: { rule: 'required' } }

test('equal violations of many items are one finding, in the place of the first', () => {
  const found = ['eu-1/shop', 'eu-2/shop', 'eu-3/shop', 'eu-4/shop', 'eu-5/shop'].map((item) => violation(item, 'must have two replicas'))
  const single = violation('us-1/shop', 'must have three replicas')
  const messages = withEqualViolations([...found.slice(0, 1), OTHER, single, ...found.slice(1)]).map(({ message }) => message)
  expect(messages).toEqual([
    'eu-1/shop: must have two replicas (FleetPolicy replicas in policies.yaml:9:5); the same for eu-2/shop, eu-3/shop, eu-4/shop and 1 more',
    'a: must be set',
    'us-1/shop: must have three replicas (FleetPolicy replicas in policies.yaml:9:5)',
  ])
})

test('two equal violations, and equal findings of other rules, stay as they are', () => {
  const found = [violation('eu-1/shop', 'x'), violation('eu-2/shop', 'x'), OTHER, OTHER, OTHER]
  expect(withEqualViolations(found)).toEqual(found)
})

test('the key of a violation leaves out its item only', () => {
  const key = violationKey(violation('eu-1/shop', 'x: y'))
  expect(violationKey(violation('eu-2/shop', 'x: y'))).toBe(key)
  expect(violationKey(violation('eu-1/shop', 'x: z'))).not.toBe(key)
  expect(violationKey({ ...violation('eu-1/shop', 'x: y'), severity: 'warning' })).not.toBe(key)
  expect(
    violationKey({ ...violation('eu-1/shop', 'x: y'), tags: { rule: 'policy-violation', policy: 'other', policyLine: '9' } }),
  ).not.toBe(key)
})

test('the item of a violation is named before the first colon, and a message without one names none', () => {
  expect(violator(violation('eu-1/shop', 'x: y'))).toBe('eu-1/shop')
  expect(violator({ ...OTHER, message: 'nothing' })).toBe('')
  expect([violation('a', 'x'), OTHER].map(isViolation)).toEqual([true, false])
})
