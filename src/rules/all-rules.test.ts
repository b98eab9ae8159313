import { expect, test } from 'vitest'
import { meaningOf, RULES, severityText } from './all-rules.ts'

test('rules are known by their ids, in the order of the ids', () => {
  const ids = [...RULES.keys()]
  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(RULES.get('required')?.id).toBe('required')
})

test('the severities of a rule are listed, or said in its own words', () => {
  const rule = { severity: 'error', summary: 's', example: 'e', shownBy: 'x' } as const
  expect(severityText(rule)).toBe('error')
  expect(severityText({ ...rule, severity: ['error', 'warning'] })).toBe('error, warning')
  expect(severityText({ ...rule, severity: ['error', 'warning'], when: 'warning; error of `plan`' })).toBe('warning; error of `plan`')
})

test('the meaning of a rule is its summary, with the reason if there is one', () => {
  const rule = { severity: 'error', summary: 'A thing is wrong', example: 'e', shownBy: 'x' } as const
  expect(meaningOf(rule)).toBe('A thing is wrong')
  expect(meaningOf({ ...rule, why: 'Porch refuses it' })).toBe('A thing is wrong. Porch refuses it')
})
