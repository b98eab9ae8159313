import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerFault } from './testing/answer-fault.ts'
import { randomProblem } from './testing/random-problem.ts'

test('finds the preferred solution where brute force finds any, and the smallest explanation where there is none', () => {
  fc.assert(
    fc.property(randomProblem(), (problem) => {
      expect(answerFault(problem)).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})
