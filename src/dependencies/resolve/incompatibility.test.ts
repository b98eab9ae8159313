import { expect, test } from 'vitest'
import { boundTerm, fails, holds, resolveTerms, valuesByPackage } from './incompatibility.ts'
import { packageState, ROOT_CAUSE } from './testing/package-state.ts'
import { firstVersions } from './version-set.ts'

test.each([2, 29, 30, 40])('a term of a package with %i versions holds, fails or is open', (count) => {
  const state = packageState('a', count)
  const last = 1n << BigInt(count)
  const others = firstVersions(count)
  const open = boundTerm(state, last)
  expect([holds(open), fails(open)]).toEqual([false, false])
  state.values = last
  expect([holds(open), fails(open)]).toEqual([true, false])
  state.values = others
  expect([holds(open), fails(open)]).toEqual([false, true])
  state.values = 1n | last
  const first = boundTerm(state, 1n)
  expect([holds(first), fails(first)]).toEqual([false, false])
})

test('a resolution unites the values of the package that it is on, and intersects those of the others', () => {
  const [a, b, c] = [packageState('a'), packageState('b'), packageState('c')]
  const terms = valuesByPackage({ terms: [boundTerm(a, 0b001n), boundTerm(b, 0b011n)], cause: ROOT_CAUSE })
  const reason = { terms: [boundTerm(a, 0b010n), boundTerm(b, 0b110n), boundTerm(c, 0b100n)], cause: ROOT_CAUSE }
  resolveTerms(terms, { on: a, reason })
  expect([...terms].map(([state, values]) => [state.package.id, values])).toEqual([
    ['a', 0b011n],
    ['b', 0b010n],
    ['c', 0b100n],
  ])
})

test('a term that allows every value after a resolution is dropped', () => {
  const [a, b] = [packageState('a'), packageState('b')]
  const terms = valuesByPackage({ terms: [boundTerm(a, 0b001n), boundTerm(b, 0b001n)], cause: ROOT_CAUSE })
  resolveTerms(terms, { on: a, reason: { terms: [boundTerm(a, 0b110n)], cause: ROOT_CAUSE } })
  expect([...terms.keys()]).toEqual([b])
})
