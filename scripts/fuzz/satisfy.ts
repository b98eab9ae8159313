import fc from 'fast-check'
import { answerFault } from '../../src/dependencies/resolve/testing/answer-fault.ts'
import { randomProblem } from '../../src/dependencies/resolve/testing/random-problem.ts'
import type { FuzzOutcome, FuzzTarget } from './target.ts'

/** The resolver finds what brute force finds, and the preferred one of all; where there is no solution its explanation is the smallest. */
export const satisfy: FuzzTarget = {
  name: 'satisfy',
  count: 10_000,
  run(count, seed): FuzzOutcome {
    const result = fc.check(
      fc.property(randomProblem(), (problem) => answerFault(problem) === undefined),
      { numRuns: count, seed },
    )
    const [problem] = result.counterexample ?? []
    return problem === undefined
      ? { cases: result.numRuns, failures: 0, examples: [] }
      : { cases: result.numRuns, failures: 1, examples: [`${fc.stringify(problem)}\n    ${answerFault(problem)}`] }
  },
}
