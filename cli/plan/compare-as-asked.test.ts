import { expect, test } from 'vitest'
import { list, planOf, repository, resourceListOf, setOf, variant } from '../../src/fleet/testing/fleet-of-objects.ts'
import type { Result } from '../../src/result.ts'
import { isComparable, refusePlannedRemovals, withoutFailed } from './compare-as-asked.ts'

const PLAN = planOf([repository('a'), setOf([list('a')])])
const [SET] = PLAN.sets

const error = (resourceRef?: Result['resourceRef']): Result => ({
  severity: 'error',
  message: 'is wrong',
  tags: { rule: 'required' },
  ...(resourceRef && { resourceRef }),
})

test('a plan with errors is compared with a cluster alone, unless its folder could not be read', () => {
  const read = (results: readonly Result[]) => ({ results })
  const cluster = { sets: [], variants: [], described: '' }
  expect(isComparable([], read([]), undefined)).toBe(true)
  expect(isComparable([error()], read([]), undefined)).toBe(false)
  expect(isComparable([error()], read([]), cluster)).toBe(true)
  expect(isComparable([error()], read([error()]), cluster)).toBe(false)
})

test('a set with an error is left out of a comparison, and no other', () => {
  expect(withoutFailed(PLAN, [error(SET?.object.ref)]).sets).toEqual([])
  expect(withoutFailed(PLAN, [error({ apiVersion: 'v1', kind: 'PackageVariantSet', name: 'other' })]).sets).toEqual(PLAN.sets)
  expect(withoutFailed(PLAN, [{ ...error(SET?.object.ref), severity: 'warning' }])).toBe(PLAN)
})

test('a plan without removals refuses no object that is passed over', () => {
  expect(refusePlannedRemovals(resourceListOf([]), PLAN.options, PLAN.sets)).toEqual([])
})

test('an object without a kind, which may declare a target, refuses the removals of a plan', () => {
  const { sets } = planOf([repository('a'), setOf([list('a')]), variant('old', 'gone')], { maxDeletions: { percent: 100 } })
  const odd = resourceListOf([setOf([list('a')]), { apiVersion: 'v1', metadata: { name: 'odd' } }])
  expect(refusePlannedRemovals(odd, PLAN.options, sets).map(({ tags }) => tags.rule)).toEqual(['deletion-guard'])
  expect(refusePlannedRemovals(odd, PLAN.options, PLAN.sets)).toEqual([])
})
