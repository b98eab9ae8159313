import { expect, test } from 'vitest'
import type { Result } from '../result.ts'
import { conditionsOf, mergeConditions } from './conditions.ts'

function error(message: string, reason?: string): Result {
  return { severity: 'error', message, tags: { rule: 'required', ...(reason !== undefined && { reason }) } }
}

test.each([
  { reason: 'no error', results: [], expected: ['False', 'Valid', 'True', 'Reconciled'] },
  {
    reason: 'a warning is no error',
    results: [{ ...error('w', 'ValidationError'), severity: 'warning' as const }],
    expected: ['False', 'Valid', 'True', 'Reconciled'],
  },
  {
    reason: 'the first stage that failed counts',
    results: [error('e', 'UnexpectedError'), error('u', 'UpstreamNotFound')],
    expected: ['True', 'UpstreamNotFound', 'False', 'UpstreamNotFound'],
  },
  {
    reason: 'a fault without reason is one of the text',
    results: [error('t')],
    expected: ['True', 'ValidationError', 'False', 'ValidationError'],
  },
])('$reason', ({ results, expected }) => {
  const [stalled, ready] = conditionsOf(results)
  expect([stalled?.status, stalled?.reason, ready?.status, ready?.reason]).toEqual(expected)
})

test('the messages of the stage that failed are joined', () => {
  const [stalled] = conditionsOf([error('a', 'ValidationError'), error('later', 'UnexpectedError'), error('b', 'ValidationError')])
  expect(stalled?.message).toBe('a; b')
})

test('conditions go in place of those of their type; others stay; the time stays as long as the status does', () => {
  const merged = mergeConditions(
    [
      { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'Old', message: 'old' },
      { type: 'Custom', status: 'True' },
      { type: 'Stalled', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ],
    conditionsOf([]),
  )
  expect(merged).toEqual([
    {
      type: 'Ready',
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'Reconciled',
      message: 'package variants successfully reconciled',
    },
    { type: 'Custom', status: 'True' },
    {
      type: 'Stalled',
      status: 'False',
      lastTransitionTime: '1970-01-01T00:00:00Z',
      reason: 'Valid',
      message: 'all validation checks passed',
    },
  ])
  expect(mergeConditions(merged, conditionsOf([]))).toEqual(merged)
})

test('what is no list of conditions is replaced', () => {
  expect(mergeConditions('broken', conditionsOf([])).map((condition) => (condition as { type: string }).type)).toEqual(['Stalled', 'Ready'])
})
