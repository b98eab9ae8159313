import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterSteps, type CrossplaneRevision, type ObservedCrossplanePackage, reconcileCurrent, reconcileSeed } from './revisions.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** Any revisions that a cluster may show, one name and one number each, and any wish of the package. */
const observed: fc.Arbitrary<ObservedCrossplanePackage> = fc
  .record({
    names: fc.subarray(NAMES),
    numbers: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: NAMES.length, maxLength: NAMES.length }),
    states: fc.array(fc.constantFrom('Active' as const, 'Inactive' as const, undefined), {
      minLength: NAMES.length,
      maxLength: NAMES.length,
    }),
    wanted: fc.constantFrom(...NAMES, 'new'),
    policy: fc.constantFrom('Automatic' as const, 'Manual' as const),
    limit: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    current: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
    isBlocked: fc.boolean(),
  })
  .map(({ names, numbers, states, isBlocked, ...rest }) => ({
    ...rest,
    obstacles: isBlocked ? ['missing dependency'] : [],
    revisions: names.map((name, i): CrossplaneRevision => ({ name, number: numbers[i] ?? 0, state: states[i] })),
  }))

describe.each([
  { semantics: 'current', reconcile: reconcileCurrent },
  { semantics: 'seed', reconcile: reconcileSeed },
])('$semantics', ({ semantics, reconcile }) => {
  /** The states one after another, the first as it was observed. */
  function states(first: ObservedCrossplanePackage): ObservedCrossplanePackage[] {
    const all = [first]
    for (let rounds = first.revisions.length + 2; rounds > 0; rounds--) {
      const now = all.at(-1) ?? first
      const { steps, current } = reconcile(now)
      if (steps.length === 0 && current === now.current) return all
      all.push({ ...now, current, revisions: afterSteps(now.revisions, steps) })
    }
    throw new Error('it does not come to rest')
  }

  test('whatever is observed comes to rest, with one Active revision at most and each number once', () => {
    fc.assert(
      fc.property(observed, (first) => {
        const last = states(first).at(-1)?.revisions ?? []
        expect(last.filter(({ state }) => state === 'Active').length).toBeLessThan(2)
        expect(new Set(last.map(({ number }) => number)).size).toBe(last.length)
      }),
      { numRuns: 2000 },
    )
  })

  test('no more than the limit allows is left, and the wanted revision is there unless something keeps it from being made', () => {
    fc.assert(
      fc.property(observed, (first) => {
        const { wanted, limit, obstacles, revisions } = first
        const last = states(first).at(-1)?.revisions ?? []
        const isMade = semantics === 'current' || obstacles.length === 0
        if (isMade) expect(last.map(({ name }) => name)).toContain(wanted)
        else expect(last.some(({ name }) => name === wanted && !revisions.some((each) => each.name === name))).toBe(false)
        if (limit === undefined || limit === 0) expect(last.length).toBeGreaterThanOrEqual(revisions.length)
        else expect(last.filter(({ state }) => state !== 'Active').length).toBeLessThanOrEqual(limit + (semantics === 'seed' ? 0 : 1))
      }),
      { numRuns: 2000 },
    )
  })
})
