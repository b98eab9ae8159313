import { expect, test } from 'vitest'
import { revisionNumber } from './revision.ts'

test.each([
  { revision: 3, number: 3 },
  { revision: '3', number: 3 },
  { revision: 'v3', number: 3 },
  { revision: 'v0', number: 0 },
  { revision: 'v-1', number: -1 },
  { revision: 'v3v', number: undefined },
  { revision: 'vv3', number: undefined },
  { revision: 'v1.0.0', number: undefined },
  { revision: 'main', number: undefined },
  { revision: '', number: undefined },
  { revision: 'v', number: undefined },
  { revision: '9'.repeat(17), number: undefined },
  { revision: null, number: undefined },
  { revision: undefined, number: undefined },
])('$revision is $number', ({ revision, number }) => {
  expect(revisionNumber(revision)).toBe(number)
})
