import { expect, test } from 'vitest'
import { list, planOf, resourceListOf, setOf, variant, type Written } from '../testing/fleet-of-objects.ts'
import { clusters, matrixWithRings } from '../testing/fleet-with-rings.ts'
import { judgeRingsLeft } from './ring-left.ts'
import { judgeRingsSince } from './rings-since.ts'

const CLUSTERS = clusters({ a: 'v1', b: 'v1' })
const canary = { name: 'canary', repos: ['a'], revision: 2 }
const world = { name: 'world', revision: 1 }

function left(before: readonly Written[], after: readonly Written[]): readonly string[] {
  return judgeRingsLeft(planOf([...after, ...CLUSTERS]), planOf([...before, ...CLUSTERS])).map(({ message }) => message)
}

test('a package that stays in its ring, or keeps its revision, does not leave it', () => {
  expect(left([matrixWithRings([canary, world])], [matrixWithRings([{ ...canary, revision: 3 }, world])])).toEqual([])
  expect(left([matrixWithRings([canary, world])], [matrixWithRings([{ ...canary, name: 'first' }, world])])).toEqual([])
})

test('a ring that is renamed in the change of its revision loses its packages', () => {
  expect(left([matrixWithRings([canary, world])], [matrixWithRings([{ ...canary, name: 'first', revision: 3 }, world])])).toEqual([
    expect.stringContaining(
      "must not be 'v3' in the change in which 1 package of the rings of matrix 'm' leaves its ring, a/app (ring 'canary', v2)",
    ),
  ])
})

test('a package may move to another ring and get the revision that this ring had', () => {
  const before = matrixWithRings([canary, world])
  expect(left([before], [matrixWithRings([{ ...canary, repos: ['a', 'b'] }, world])])).toEqual([])
  expect(left([before], [matrixWithRings([{ ...canary, repos: ['a', 'b'], revision: 3 }, world])])).toEqual([
    expect.stringContaining("b/app (ring 'world', v1)"),
  ])
})

test('rings that are gone, and a matrix that is gone or another set, lose all packages with another revision', () => {
  const before = [matrixWithRings([canary, world])]
  expect(left(before, [matrixWithRings([], 5)])).toEqual([expect.stringContaining('2 packages of the rings of matrix')])
  expect(left(before, [matrixWithRings([canary, world], 1, 'other')])).toEqual([])
  expect(left(before, [setOf([list('a')])])).toEqual([])
  expect(left(before, [setOf([list('a', 'b')])])).toEqual([expect.stringContaining("b/app (ring 'world', v1)")])
})

test('a package of a set without rings leaves none', () => {
  expect(left([setOf([list('a')])], [matrixWithRings([{ ...canary, revision: 7 }, world])])).toEqual([])
})

test('a written variant takes the package of a ring', () => {
  const before = [matrixWithRings([world])]
  expect(left(before, [variant('own', 'a')])).toEqual([expect.stringContaining("a/app (ring 'world', v1)")])
})

test('a package of another namespace that was there before does not take the package of a ring', () => {
  const own = variant('own', 'a')
  const elsewhere = { ...own, metadata: { name: 'own', namespace: 'other' } }
  expect(left([matrixWithRings([world]), elsewhere], [elsewhere])).toEqual([])
  expect(left([matrixWithRings([world])], [elsewhere])).toEqual([expect.stringContaining("a/app (ring 'world', v1)")])
})

/** Returns the rules of the findings about rings that change their revision. */
function since(before: readonly Written[], after: readonly Written[], refs = { a: 'v1', b: 'v1' }): readonly string[] {
  const earlier = [...before, ...clusters(refs)]
  return judgeRingsSince(planOf([...after, ...CLUSTERS]), resourceListOf(earlier).items).map(({ tags }) => tags.rule ?? '')
}

test('a ring must not get a revision before the packages of the ring before it, as they were', () => {
  const before = [matrixWithRings([canary, world])]
  const after = [matrixWithRings([canary, { ...world, revision: 2 }])]
  expect(since(before, after)).toEqual(['ring-overtaken'])
  expect(since(before, after, { a: 'v2', b: 'v1' })).toEqual([])
  expect(since(before, before)).toEqual([])
})

test('a set that is new has no revision to compare', () => {
  expect(since([], [matrixWithRings([canary, world])])).toEqual([])
})

test('a new ring had the revision of the ring after it', () => {
  const before = [matrixWithRings([{ ...canary, revision: 1 }, world])]
  const after = [matrixWithRings([{ ...canary, revision: 1 }, { name: 'middle', repos: ['b'], revision: 2 }, world])]
  expect(since(before, after)).toEqual(['ring-skipped'])
})
