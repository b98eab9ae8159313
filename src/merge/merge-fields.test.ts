import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalJson, type JsonValue } from '../json.ts'
import { mergeFields } from './merge-fields.ts'
import { INFERRED, type MergeRule } from './merge-rule.ts'

/** Three values and the result; undefined: the field is not there. `kpt` is what kpt makes of it where that is something else. */
interface Rule {
  readonly rule: string
  readonly original?: JsonValue
  readonly upstream?: JsonValue
  readonly downstream?: JsonValue
  readonly merged?: JsonValue
  readonly told: readonly string[]
}

// kpt pkg/lib/update/merge3, kyaml yaml/merge3/visitor.go VisitScalar.
const SCALARS: readonly Rule[] = [
  { rule: 'changed upstream', original: 1, upstream: 2, downstream: 1, merged: 2, told: ['taken'] },
  { rule: 'changed downstream', original: 1, upstream: 1, downstream: 3, merged: 3, told: ['kept'] },
  { rule: 'changed on both sides', original: 1, upstream: 2, downstream: 3, merged: 2, told: ['lost'] },
  { rule: 'changed alike', original: 1, upstream: 2, downstream: 2, merged: 2, told: [] },
  { rule: 'added upstream', upstream: 2, merged: 2, told: ['taken'] },
  { rule: 'added downstream', downstream: 3, merged: 3, told: ['kept'] },
  { rule: 'added on both sides', upstream: 2, downstream: 3, merged: 2, told: ['lost'] },
  { rule: 'removed upstream', original: 1, downstream: 1, told: ['taken'] },
  { rule: 'removed upstream, changed downstream', original: 1, downstream: 3, told: ['lost'] },
  { rule: 'deleted downstream', original: 1, upstream: 1, told: ['kept'] },
  { rule: 'deleted downstream, changed upstream: it comes back', original: 1, upstream: 2, merged: 2, told: ['lost'] },
  { rule: 'null upstream is removed upstream', original: 1, upstream: null, downstream: 1, told: ['taken'] },
  { rule: 'null downstream stays', original: 1, upstream: 2, downstream: null, merged: null, told: ['kept, contested'] },
  { rule: 'a value in the place of a null', original: null, upstream: 2, downstream: null, merged: 2, told: ['taken'] },
  { rule: 'quotes alone, untouched', original: 1, upstream: '1', downstream: 1, merged: '1', told: ['taken'] },
  { rule: 'quotes alone, changed downstream', original: 1, upstream: '1', downstream: 2, merged: 2, told: ['kept, contested'] },
]

// visitor.go VisitMap, visitNAList.
const MAPS_AND_LISTS: readonly Rule[] = [
  {
    rule: 'a map, key by key',
    original: { a: 1, b: 1 },
    upstream: { a: 2, b: 1 },
    downstream: { a: 1, b: 3 },
    merged: { a: 2, b: 3 },
    told: ['taken', 'kept'],
  },
  {
    rule: 'a map that upstream removed',
    original: { m: { a: 1 } },
    upstream: {},
    downstream: { m: { a: 1 } },
    merged: {},
    told: ['taken'],
  },
  {
    rule: 'and that the downstream changed',
    original: { m: { a: 1 } },
    upstream: {},
    downstream: { m: { a: 3 } },
    merged: { m: {} },
    told: ['lost'],
  },
  {
    rule: 'and that the downstream added to',
    original: { m: { a: 1 } },
    upstream: {},
    downstream: { m: { a: 1, b: 3 } },
    merged: { m: { b: 3 } },
    told: ['taken', 'kept'],
  },
  {
    rule: 'a map that the downstream deleted',
    original: { m: { a: 1 }, b: 1 },
    upstream: { m: { a: 1 }, b: 2 },
    downstream: { b: 1 },
    merged: { b: 2 },
    told: ['taken', 'kept'],
  },
  {
    rule: 'and that upstream changed: that comes back',
    original: { m: { a: 1, b: 1 } },
    upstream: { m: { a: 2, b: 1 } },
    downstream: {},
    merged: { m: { a: 2 } },
    told: ['lost'],
  },
  {
    rule: 'a map that both added',
    upstream: { a: 2, c: 2 },
    downstream: { a: 3, b: 3 },
    merged: { a: 2, b: 3, c: 2 },
    told: ['lost', 'kept', 'taken'],
  },
  { rule: 'a list is one value', original: ['a'], upstream: ['a', 'u'], downstream: ['a', 'd'], merged: ['a', 'u'], told: ['lost'] },
  {
    rule: 'also one of maps with names',
    original: [{ name: 'a', v: 1 }],
    upstream: [{ name: 'a', v: 2 }],
    downstream: [{ name: 'a', v: 1 }, { name: 'd' }],
    merged: [{ name: 'a', v: 2 }],
    told: ['lost'],
  },
  { rule: 'a list that the downstream deleted', original: ['a'], upstream: ['a', 'u'], merged: ['a', 'u'], told: ['lost'] },
]

test.each([...SCALARS, ...MAPS_AND_LISTS])('$rule', ({ original, upstream, downstream, merged, told }) => {
  const { value, outcomes, typeChanges } = mergeFields({ original, upstream, downstream }, undefined)
  expect({
    value,
    told: outcomes.map(({ result, contested }) => (result === 'kept' && contested ? 'kept, contested' : result)),
    typeChanges,
  }).toEqual({ value: merged, told, typeChanges: [] })
})

test.each<[string, JsonValue, JsonValue, JsonValue]>([
  ['a scalar becomes a map upstream', 'text', { now: 'map' }, 'text'],
  ['a map becomes a list upstream', { a: 1 }, ['a'], { a: 1 }],
  ['upstream changes what is a map downstream', 1, 2, { a: 1 }],
])('%s: a change of type, and nothing changes', (_, original, upstream, downstream) => {
  const { value, typeChanges } = mergeFields(
    { original: { s: original }, upstream: { s: upstream }, downstream: { s: downstream } },
    undefined,
  )
  expect(value).toEqual({ s: downstream })
  expect(typeChanges.map((change) => change.downstream.field)).toEqual([['s']])
})

test('a type that only the downstream changed is its own', () => {
  expect(mergeFields({ original: { s: 1 }, upstream: { s: 1 }, downstream: { s: [1] } }, undefined)).toMatchObject({
    value: { s: [1] },
    typeChanges: [],
  })
})

test('without a schema, a list whose entries all have names is merged by them', () => {
  const merge = (...own: JsonValue[]) =>
    mergeFields({ original: [{ name: 'a', v: 1 }], upstream: [{ name: 'a', v: 2 }], downstream: [{ name: 'a', v: 1 }, ...own] }, INFERRED)
      .value
  expect(merge({ name: 'd' })).toEqual([{ name: 'a', v: 2 }, { name: 'd' }])
  expect(merge({ kind: 'd' })).toEqual([{ name: 'a', v: 2 }])
})

const value = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(1, 2, 'a', 'b', true),
    fc.dictionary(fc.constantFrom('a', 'b', 'name', 'containers', 'apiVersion'), tie('any'), { maxKeys: 4 }),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
})).any
const RULES: readonly (MergeRule | undefined)[] = [undefined, INFERRED]

test("what only one side changed is that side's, whatever it is", () => {
  const property = fc.property(value, value, fc.constantFrom(...RULES), (original, other, rule) => {
    const taken = mergeFields({ original, upstream: other, downstream: original }, rule)
    const kept = mergeFields({ original, upstream: original, downstream: other }, rule)
    return equalJson(kept.value, other) && (taken.typeChanges.length > 0 || equalJson(taken.value, other))
  })
  expect(() => fc.assert(property, { numRuns: 2000 })).not.toThrow()
})

test('a merge of its own result changes nothing', () => {
  const property = fc.property(value, value, value, fc.constantFrom(...RULES), (original, upstream, downstream, rule) => {
    const merged = mergeFields({ original, upstream, downstream }, rule).value
    const again = mergeFields({ original: upstream, upstream, downstream: merged }, rule).value
    return equalJson(again, merged)
  })
  expect(() => fc.assert(property, { numRuns: 2000 })).not.toThrow()
})
