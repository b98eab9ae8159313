import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { wholeOutcome } from './merged-package.ts'

test('the outcome of a whole resource has the place of the resource and no value, on each side its own', () => {
  const object = writtenObject('kind: A\n')
  const outcome = { result: 'lost', contested: true, path: 'a.yaml' } as const
  expect(wholeOutcome(outcome, { object, exists: true }, { object: undefined, exists: false })).toEqual({
    ...outcome,
    ours: { object, exists: true, field: [], value: undefined },
    theirs: { object: undefined, exists: false, field: [], value: undefined },
  })
})
