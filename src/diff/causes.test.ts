import { expect, test } from 'vitest'
import { diff } from '../../scripts/fuzz/diff.ts'

test('the changes of random fleets are those of two full renders, and the lines that causes name made them', () => {
  const { cases, examples, failures } = diff.run(30, 11)
  expect(examples.join('\n')).toBe('')
  expect([cases, failures]).toEqual([30, 0])
}, 120_000)
