import { expect, test } from 'vitest'
import { boundTerm, type Incompatibility } from './incompatibility.ts'
import { beginningOf, levelOf, PartialSolution } from './partial-solution.ts'
import { packageState, ROOT_CAUSE } from './testing/package-state.ts'

const REASON: Incompatibility = { terms: [], cause: ROOT_CAUSE }

test('a decision begins a level, a derivation stays on it, and a backjump takes back both', () => {
  const [a, b] = [packageState('a'), packageState('b')]
  const solution = new PartialSolution()
  solution.exclude(boundTerm(b, 0b100n), REASON)
  solution.decide(a, 0b001n)
  solution.exclude(boundTerm(b, 0b001n), REASON)
  solution.decide(b, 0b010n)
  expect([solution.level, a.values, b.values]).toEqual([2, 0b001n, 0b010n])
  expect(solution.trail.map(({ state, index, level, before, excluded }) => [state.package.id, index, level, before, excluded])).toEqual([
    ['b', 0, 0, 0b111n, 0b100n],
    ['a', 1, 1, 0b111n, 0b110n],
    ['b', 2, 1, 0b011n, 0b001n],
    ['b', 3, 2, 0b010n, 0n],
  ])
  solution.backjump(1)
  expect([solution.level, a.values, b.values, b.assignments.length]).toEqual([1, 0b001n, 0b010n, 2])
  solution.backjump(0)
  expect([solution.level, a.values, b.values, solution.trail.length]).toEqual([0, 0b111n, 0b011n, 1])
})

test('each package that lost values is handed out once, and none after a backjump', () => {
  const [a, b] = [packageState('a'), packageState('b')]
  const solution = new PartialSolution()
  solution.decide(a, 0b011n)
  solution.decide(a, 0b001n)
  solution.decide(b, 0b001n)
  expect([solution.takeChanged(), solution.takeChanged()]).toEqual([[a, b], []])
  solution.decide(a, 0b001n)
  expect(solution.takeChanged()).toEqual([a])
  solution.decide(b, 0b001n)
  solution.backjump(0)
  expect(solution.takeChanged()).toEqual([])
  solution.decide(b, 0b001n)
  expect(solution.takeChanged()).toEqual([b])
})

test('a package has only some values since the assignment that took the last other value', () => {
  const a = packageState('a')
  const solution = new PartialSolution()
  solution.decide(a, 0b011n)
  solution.decide(a, 0b001n)
  expect([0b011n, 0b001n, 0b111n].map((values) => [beginningOf(a, values)?.index, levelOf(a, values)])).toEqual([
    [0, 1],
    [1, 2],
    [undefined, 0],
  ])
})

test('a derivation takes only values that the package still has', () => {
  const a = packageState('a')
  const solution = new PartialSolution()
  solution.exclude(boundTerm(a, 0b110n), REASON)
  solution.exclude(boundTerm(a, 0b011n), REASON)
  expect(solution.trail.map(({ before, excluded, reason }) => [before, excluded, reason])).toEqual([
    [0b111n, 0b110n, REASON],
    [0b001n, 0b001n, REASON],
  ])
  expect([a.values, solution.level]).toEqual([0n, 0])
})

test('each decision and derivation is logged with its level, the values that are left, and the reason', () => {
  const [a, b] = [packageState('a'), packageState('b')]
  const lines: string[] = []
  const solution = new PartialSolution((line) => lines.push(line))
  solution.decide(a, 0b001n)
  solution.exclude(boundTerm(b, 0b101n), REASON)
  expect(lines).toEqual(['level 1, decision: a 2', 'level 1, derivation: b 1, since app requires b'])
})
