import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clausesOf, type LabelSelector, matchesSelector } from '../../kubernetes/label-selector.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readFleet } from '../fleet.ts'

const API = 'config.porch.kpt.dev/v1alpha1'

const label = fc.constantFrom('a', 'b', 'a\nb')
const labels = fc.dictionary(fc.constantFrom('env', 'ring', 'env\na'), label)

const selectors: fc.Arbitrary<LabelSelector> = fc.record({
  matchLabels: labels.map((record) => new Map(Object.entries(record))),
  matchExpressions: fc.array(
    fc.record({
      key: fc.constantFrom('env', 'ring', 'none'),
      operator: fc.constantFrom('In' as const, 'NotIn' as const, 'Exists' as const, 'DoesNotExist' as const),
      values: fc.array(label, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 2 },
  ),
})

function objectsWith(labelsOfEach: readonly Record<string, string>[]) {
  const items = labelsOfEach.map((own, index) =>
    KrmObject.fromDocument(
      JSON.stringify({ apiVersion: API, kind: 'Repository', metadata: { name: `r-${index}`, namespace: 'default', labels: own } }),
    ),
  )
  return readFleet(items).objectsOf(API, 'Repository', 'default')
}

test('the second selector, which reads the index, matches the objects that a look at every object finds, in the same order', () => {
  fc.assert(
    fc.property(
      fc.array(labels, { maxLength: 6 }),
      selectors,
      fc.option(fc.constantFrom('r-0', 'r-3'), { nil: undefined }),
      (each, selector, name) => {
        const objects = objectsWith(each)
        objects.matching({ selector })
        const wanted = objects.all.filter((object) => (name ?? object.name) === object.name && matchesSelector(selector, object.labels))
        expect(objects.matching({ name, selector })).toEqual(wanted)
      },
    ),
  )
})

test('a clause is met by some object if a look at every object finds one', () => {
  fc.assert(
    fc.property(fc.array(labels, { maxLength: 6 }), selectors, (each, selector) => {
      const objects = objectsWith(each)
      for (const clause of clausesOf(selector))
        expect(objects.someMeet(clause)).toBe(objects.all.some((object) => clause.isMet(object.labels)))
    }),
  )
})
