import { expect, test } from 'vitest'
import { CelError } from './cel-error.ts'

test('an error has its phase and details, and no place or hints that are not given', () => {
  const plain = new CelError('eval', 'm')
  expect([plain.name, plain.message, plain.phase, plain.line, plain.column, plain.missingKey, plain.missingVariable, plain.hints]).toEqual([
    ...['CelError', 'm', 'eval'],
    ...[undefined, undefined, undefined, undefined, []],
  ])
  const missingKey = { key: 'a', keys: ['b'] }
  const full = new CelError('compile', 'm', {
    line: 1,
    column: 2,
    missingKey,
    missingVariable: 'v',
    hints: () => [{ kind: 'advice', text: 'x' }],
  })
  expect([full.phase, full.line, full.column, full.missingKey, full.missingVariable]).toEqual(['compile', 1, 2, missingKey, 'v'])
  expect(full.hints).toEqual([{ kind: 'advice', text: 'x' }])
})

test('hints are found each time that they are read, and not before', () => {
  let asked = 0
  const error = new CelError('convert', 'm', {
    hints: () => {
      asked++
      return []
    },
  })
  expect(asked).toBe(0)
  expect([error.hints, asked]).toEqual([[], 1])
})
