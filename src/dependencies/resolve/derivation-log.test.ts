import { afterEach, expect, test } from 'vitest'
import { turnOnDebugLogs } from '../../debug-log.ts'
import { firstLook, satisfy } from './satisfy.ts'
import { tableProblem } from './testing/table-problem.ts'

afterEach(() => turnOnDebugLogs('', () => {}))

// The example of `Search`.
const EXAMPLE = tableProblem(
  {
    foo: { '2.0.0': [], '1.1.0': ['bar 1.0.0'], '1.0.0': [] },
    bar: { '1.0.0': ['foo 1.0.0'] },
  },
  { app: 'foo 1.1.0 1.0.0' },
)

/** Returns what is logged with a value of KRM_VARIANTS_DEBUG. */
function logOf(names: string | undefined, work: () => void): readonly string[] {
  const lines: string[] = []
  turnOnDebugLogs(names, (text) => lines.push(...text.split('\n').slice(0, -1)))
  work()
  return lines
}

test('the log has each decision, derivation and conflict of a search, and its end', () => {
  expect(logOf('resolve', () => firstLook(EXAMPLE, 1000))).toMatchInlineSnapshot(`
    [
      "resolve: first look, which reads the versions that it tries",
      "resolve: level 0, derivation: foo 1.0.0 to 1.1.0, since app requires foo 1.1.0 1.0.0",
      "resolve: level 1, decision: foo 1.1.0",
      "resolve: level 1, derivation: bar 1.0.0, since foo 1.1.0 requires bar 1.0.0",
      "resolve: level 1, conflict: bar 1.0.0 requires foo 1.0.0",
      "resolve: back to level 0, learned: foo 1.1.0 cannot be used",
      "resolve: level 0, derivation: foo 1.0.0, since foo 1.1.0 cannot be used",
      "resolve: solution: foo 1.0.0",
    ]
  `)
})

test('without a solution the log ends with that', () => {
  const impossible = tableProblem({ a: { '1.0.0': ['b 2.0.0'] }, b: { '1.0.0': [] } }, { app: 'a' })
  expect(logOf('resolve', () => satisfy(impossible, { maxSteps: 1000 })).at(-1)).toBe('resolve: no solution')
})

test('nothing is logged without the variable, and an unknown topic is reported', () => {
  expect(logOf(undefined, () => satisfy(EXAMPLE, { maxSteps: 1000 }))).toEqual([])
  expect(logOf('resolv', () => satisfy(EXAMPLE, { maxSteps: 1000 }))).toEqual(["KRM_VARIANTS_DEBUG: must name resolve, got 'resolv'"])
})
