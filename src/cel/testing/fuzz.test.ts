import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timed, unitTime } from '../../../testdata/processor-time.ts'
import { CelError } from '../cel-error.ts'
import { compile } from '../program.ts'
import { prepareVariables } from '../variables.ts'
import { randomExpression } from './random-expression.ts'

const SCOPE = ['repoDefault', 'packageDefault', 'upstream', 'repository', 'target']
const OBJECT = { name: 'edge-07', namespace: 'default', labels: { env: 'prod', region: 'us-east1', constructor: 'c' }, annotations: {} }
const VARIABLES = prepareVariables(
  new Map(Object.entries({ repoDefault: 'edge-07', packageDefault: 'network', upstream: OBJECT, repository: OBJECT, target: OBJECT })),
)
/** Units of processor time for one expression, and bytes for all. */
const PATIENCE = 75
const MEMORY = 300_000_000

/** The string, or the phase and the words of the error. Anything else that is thrown is a crash. */
function outcome(expression: string): string {
  try {
    return `ok: ${compile(expression, SCOPE).evaluate(VARIABLES)}`
  } catch (error) {
    if (error instanceof CelError) return `${error.phase}: ${error.message}`
    throw error
  }
}

test('no expression crashes, hangs, or takes the memory; each has one outcome', () => {
  const before = process.memoryUsage().rss
  const unit = unitTime()
  let slowest = 0
  fc.assert(
    fc.property(randomExpression(), (expression) => {
      const { value: first, time } = timed(() => outcome(expression))
      slowest = Math.max(slowest, time)
      return first === outcome(expression)
    }),
    { numRuns: 2_000 },
  )
  expect(slowest / Math.max(unit, unitTime())).toBeLessThan(PATIENCE)
  expect(process.memoryUsage().rss - before).toBeLessThan(MEMORY)
})

test('any text at all is an expression or an error with a place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(outcome(text)).toMatch(/^(?:ok|eval|convert): |^compile: ERROR: <input>:-?\d+:\d+: |^compile: (?!ERROR)/)
    }),
    { numRuns: 2_000 },
  )
})
