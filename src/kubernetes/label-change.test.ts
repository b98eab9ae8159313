import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LabelSelector, matchesSelector, smallestLabelChange } from './label-selector.ts'

const KEY: fc.Arbitrary<string> = fc.constantFrom('env', 'region', 'tier')
const VALUE: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'true')
const SELECTOR: fc.Arbitrary<LabelSelector> = fc.record({
  matchLabels: fc.array(fc.tuple(KEY, VALUE), { maxLength: 2 }).map((pairs) => new Map(pairs)),
  matchExpressions: fc.array(
    fc.oneof(
      fc.record({ key: KEY, operator: fc.constantFrom('In' as const, 'NotIn' as const), values: fc.uniqueArray(VALUE, { minLength: 1 }) }),
      fc.record({ key: KEY, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const), values: fc.constant([]) }),
    ),
    { maxLength: 4 },
  ),
})

const LABELS = fc.array(fc.tuple(KEY, VALUE), { maxLength: 3 }).map((pairs) => new Map(pairs))

/** Every set of labels with these keys and values, and a value that no selector names. */
function* allLabels(keys: readonly string[]): Generator<ReadonlyMap<string, string>> {
  const [key, ...rest] = keys
  if (key === undefined) return yield new Map()
  for (const labels of allLabels(rest)) {
    yield labels
    for (const value of ['a', 'b', 'true', 'other']) yield new Map([...labels, [key, value]])
  }
}

function distance(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): number {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key)).length
}

test('no labels that match are nearer than those of the smallest change, and where there are none it has none', () => {
  fc.assert(
    fc.property(SELECTOR, LABELS, (selector, labels) => {
      const change = smallestLabelChange(selector, labels, () => [])
      const distances = [...allLabels(['env', 'region', 'tier'])].flatMap((other) =>
        matchesSelector(selector, other) ? distance(labels, other) : [],
      )
      expect(change?.length ?? Number.POSITIVE_INFINITY).toBe(Math.min(...distances))
      const changed = new Map(labels)
      for (const { key, value } of change ?? []) value === undefined ? changed.delete(key) : changed.set(key, value)
      expect(matchesSelector(selector, changed)).toBe(change !== undefined)
    }),
    { numRuns: 1000 },
  )
})

test('a value that others have is proposed before the label is taken away', () => {
  const selector: LabelSelector = { matchLabels: new Map(), matchExpressions: [{ key: 'status', operator: 'NotIn', values: ['closed'] }] }
  expect(smallestLabelChange(selector, new Map([['status', 'closed']]), () => ['closed', 'open'])).toEqual([
    { key: 'status', value: 'open' },
  ])
})
