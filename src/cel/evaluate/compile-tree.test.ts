import { expect, test } from 'vitest'
import { CelError } from '../cel-error.ts'
import { compile } from '../program.ts'
import { prepareVariables } from '../variables.ts'

const VARIABLES = prepareVariables(new Map([['target', { name: 'edge' }]]))

/** The string, or the column and the words of the error. */
function outcome(expression: string): string {
  try {
    return compile(expression, ['target']).evaluate(VARIABLES)
  } catch (error) {
    if (error instanceof CelError) return `${error.column}: ${error.message}`
    throw error
  }
}

// Answers of cel-go 0.26.1; the places are those of the nodes that fail.
test.each([
  { reason: 'a term that decides makes up for one that fails before it', expression: 'string(1 / 0 == 1 || true)', answer: 'true' },
  { reason: 'and for one that fails behind it', expression: 'string(false && 1 / 0 == 1)', answer: 'false' },
  { reason: 'and for one that is no bool', expression: 'string(dyn(1) || true)', answer: 'true' },
  {
    reason: 'where no term decides, the first failure stands',
    expression: 'string(target.nope || 1 / 0 == 1)',
    answer: '14: no such key: nope',
  },
  { reason: 'no bool is a failure of the operator', expression: 'string(dyn(1) || false)', answer: '15: no such overload' },
  { reason: 'the branch that is not taken may fail', expression: 'string(false ? target.nope : 1)', answer: '1' },
  { reason: 'the condition may not', expression: 'string(target.nope ? 1 : 2)', answer: '14: no such key: nope' },
  { reason: 'exists finds a later element', expression: 'string([0, 1].exists(x, 1 / x == 1))', answer: 'true' },
  { reason: 'all finds a later element', expression: 'string([0, 2].all(x, 1 / x > 5))', answer: 'false' },
  { reason: 'a failure that nothing makes up for stands', expression: 'string([0, 1].all(x, 1 / x > 0))', answer: '24: division by zero' },
  { reason: 'exists_one asks every element', expression: 'string([0, 1].exists_one(x, 1 / x == 1))', answer: '31: division by zero' },
  { reason: 'map needs every element', expression: 'string([0, 1].map(x, 1 / x)[1])', answer: '24: division by zero' },
  {
    reason: 'of failing elements the first counts',
    expression: 'string([0, 1].map(x, x == 0 ? 1 / x : target.nope)[0])',
    answer: '33: division by zero',
  },
  {
    reason: 'of failing tests the last',
    expression: 'string([0, 1].filter(x, x == 0 ? 1 / x == 1 : target.nope)[0])',
    answer: '53: no such key: nope',
  },
  { reason: 'a test must be a bool', expression: "string([1, 2].filter(x, dyn('a'))[0])", answer: '21: no such overload' },
  { reason: 'a string is no range', expression: "string(dyn('a').all(x, true))", answer: "11: got 'types.String', expected iterable type" },
  { reason: 'an inner variable hides an outer one', expression: 'string([1].map(x, [2].map(x, x))[0][0])', answer: '2' },
  { reason: 'which is there again behind it', expression: 'string([1].map(x, [[2].map(x, x)[0], x])[0][1])', answer: '1' },
  { reason: 'the range of an inner loop sees the outer variable', expression: 'string([1].map(x, [x].map(x, x + 1)[0])[0])', answer: '2' },
  { reason: 'a loop in a loop', expression: 'string([[1, 2], [3]].all(l, l.exists(x, x in [2, 3])))', answer: 'true' },
  { reason: 'nothing is in an empty list, whatever fails', expression: 'string(target.nope in [])', answer: 'false' },
])('$reason', ({ expression, answer }) => {
  expect(outcome(expression)).toBe(answer)
})
