import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalJson, type JsonValue } from '../json.ts'
import { mergeFields } from './merge-fields.ts'
import { INFERRED, type MergeRule } from './merge-rule.ts'

/** Three values and the result; undefined: the field is not there. `kpt` is what kpt makes of it where that is something else. */
interface Rule {
  readonly rule: string
  readonly base?: JsonValue
  readonly theirs?: JsonValue
  readonly ours?: JsonValue
  readonly merged?: JsonValue
  readonly told: readonly string[]
}

// kpt pkg/lib/update/merge3, kyaml yaml/merge3/visitor.go VisitScalar.
const SCALARS: readonly Rule[] = [
  { rule: 'changed upstream', base: 1, theirs: 2, ours: 1, merged: 2, told: ['taken'] },
  { rule: 'changed downstream', base: 1, theirs: 1, ours: 3, merged: 3, told: ['kept'] },
  { rule: 'changed on both sides', base: 1, theirs: 2, ours: 3, merged: 2, told: ['lost'] },
  { rule: 'changed alike', base: 1, theirs: 2, ours: 2, merged: 2, told: [] },
  { rule: 'added upstream', theirs: 2, merged: 2, told: ['taken'] },
  { rule: 'added downstream', ours: 3, merged: 3, told: ['kept'] },
  { rule: 'added on both sides', theirs: 2, ours: 3, merged: 2, told: ['lost'] },
  { rule: 'removed upstream', base: 1, ours: 1, told: ['taken'] },
  { rule: 'removed upstream, changed downstream', base: 1, ours: 3, told: ['lost'] },
  { rule: 'deleted downstream', base: 1, theirs: 1, told: ['kept'] },
  { rule: 'deleted downstream, changed upstream: it comes back', base: 1, theirs: 2, merged: 2, told: ['lost'] },
  { rule: 'null upstream is removed upstream', base: 1, theirs: null, ours: 1, told: ['taken'] },
  { rule: 'null downstream stays', base: 1, theirs: 2, ours: null, merged: null, told: ['kept, contested'] },
  { rule: 'a value in the place of a null', base: null, theirs: 2, ours: null, merged: 2, told: ['taken'] },
  { rule: 'a value in the place of a null that the downstream deleted', base: null, theirs: 2, merged: 2, told: ['taken'] },
  { rule: 'a null that upstream adds removes nothing', theirs: null, ours: 3, merged: 3, told: ['kept, contested'] },
  { rule: 'a null that upstream removes takes no value along', base: null, ours: 3, merged: 3, told: ['kept, contested'] },
  { rule: 'null downstream stays where upstream removes the value', base: 1, ours: null, merged: null, told: ['kept, contested'] },
  { rule: 'null upstream, deleted downstream', base: 1, theirs: null, told: ['kept, contested'] },
  { rule: 'quotes alone, untouched', base: 1, theirs: '1', ours: 1, merged: '1', told: ['taken'] },
  { rule: 'quotes alone, changed downstream', base: 1, theirs: '1', ours: 2, merged: 2, told: ['kept, contested'] },
]

// visitor.go VisitMap, visitNAList.
const MAPS_AND_LISTS: readonly Rule[] = [
  {
    rule: 'a map, key by key',
    base: { a: 1, b: 1 },
    theirs: { a: 2, b: 1 },
    ours: { a: 1, b: 3 },
    merged: { a: 2, b: 3 },
    told: ['taken', 'kept'],
  },
  {
    rule: 'a map that upstream removed',
    base: { m: { a: 1 } },
    theirs: {},
    ours: { m: { a: 1 } },
    merged: {},
    told: ['taken'],
  },
  {
    rule: 'and that the downstream changed',
    base: { m: { a: 1 } },
    theirs: {},
    ours: { m: { a: 3 } },
    merged: { m: {} },
    told: ['lost'],
  },
  {
    rule: 'and that the downstream added to',
    base: { m: { a: 1 } },
    theirs: {},
    ours: { m: { a: 1, b: 3 } },
    merged: { m: { b: 3 } },
    told: ['taken', 'kept'],
  },
  {
    rule: 'a map that the downstream deleted',
    base: { m: { a: 1 }, b: 1 },
    theirs: { m: { a: 1 }, b: 2 },
    ours: { b: 1 },
    merged: { b: 2 },
    told: ['taken', 'kept'],
  },
  {
    rule: 'and that upstream changed: that comes back',
    base: { m: { a: 1, b: 1 } },
    theirs: { m: { a: 2, b: 1 } },
    ours: {},
    merged: { m: { a: 2 } },
    told: ['lost'],
  },
  {
    rule: 'a map that the downstream deleted and in which upstream changed quotes alone',
    base: { m: { a: 1 } },
    theirs: { m: { a: '1' } },
    ours: {},
    merged: {},
    told: ['kept, contested'],
  },
  {
    rule: 'a field that upstream adds to a map that the downstream deleted comes back alone',
    base: { m: { a: 1, deep: { b: 1 } } },
    theirs: { m: { a: 1, deep: { b: 1, c: 2 } } },
    ours: {},
    merged: { m: { deep: { c: 2 } } },
    told: ['lost'],
  },
  {
    rule: 'a map that both added',
    theirs: { a: 2, c: 2 },
    ours: { a: 3, b: 3 },
    merged: { a: 2, b: 3, c: 2 },
    told: ['lost', 'kept', 'taken'],
  },
  { rule: 'a list is one value', base: ['a'], theirs: ['a', 'u'], ours: ['a', 'd'], merged: ['a', 'u'], told: ['lost'] },
  {
    rule: 'also one of maps with names',
    base: [{ name: 'a', v: 1 }],
    theirs: [{ name: 'a', v: 2 }],
    ours: [{ name: 'a', v: 1 }, { name: 'd' }],
    merged: [{ name: 'a', v: 2 }],
    told: ['lost'],
  },
  { rule: 'a list that the downstream deleted', base: ['a'], theirs: ['a', 'u'], merged: ['a', 'u'], told: ['lost'] },
]

test.each([...SCALARS, ...MAPS_AND_LISTS])('$rule', ({ base, theirs, ours, merged, told }) => {
  const { value, outcomes, typeChanges } = mergeFields({ base, theirs, ours }, undefined)
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
])('%s: a change of type, and nothing changes', (_, base, theirs, ours) => {
  const { value, typeChanges } = mergeFields({ base: { s: base }, theirs: { s: theirs }, ours: { s: ours } }, undefined)
  expect(value).toEqual({ s: ours })
  expect(typeChanges.map((change) => change.ours.field)).toEqual([['s']])
})

test('a type that only the downstream changed is its own', () => {
  expect(mergeFields({ base: { s: 1 }, theirs: { s: 1 }, ours: { s: [1] } }, undefined)).toMatchObject({
    value: { s: [1] },
    typeChanges: [],
  })
})

test('without a schema, a list whose entries all have names is merged by them', () => {
  const merge = (...own: JsonValue[]) =>
    mergeFields({ base: [{ name: 'a', v: 1 }], theirs: [{ name: 'a', v: 2 }], ours: [{ name: 'a', v: 1 }, ...own] }, INFERRED).value
  expect(merge({ name: 'd' })).toEqual([{ name: 'a', v: 2 }, { name: 'd' }])
  expect(merge({ kind: 'd' })).toEqual([{ name: 'a', v: 2 }])
})

test('without a schema, a list that upstream removed goes whole, with the entries that the downstream added', () => {
  const sides = { base: [{ name: 'a' }], theirs: undefined, ours: [{ name: 'a' }, { name: 'd' }] }
  expect(mergeFields(sides, INFERRED)).toMatchObject({ value: undefined, outcomes: [{ result: 'lost' }] })
})

test('without a schema, lists of lists of names are merged by name at every depth', () => {
  const of = (v: number, ...own: JsonValue[]): JsonValue => ({ groups: [{ name: 'g', deep: { list: [{ name: 'a', v }, ...own] } }] })
  expect(mergeFields({ base: of(1), theirs: of(2), ours: of(1, { name: 'd' }) }, INFERRED).value).toEqual(of(2, { name: 'd' }))
})

test('an outcome has the position of a list entry on each side, and the next free one where the side lacks the entry', () => {
  const [a, b] = [
    { name: 'a', v: 1 },
    { name: 'b', v: 1 },
  ]
  const { outcomes } = mergeFields(
    { base: [a, b], theirs: [{ name: 'u' }, { name: 'a', v: 2 }, b], ours: [{ name: 'd' }, a, { name: 'b', v: 3 }] },
    INFERRED,
  )
  expect(outcomes.map(({ result, ours, theirs }) => [result, ours.field.join('.'), theirs.field.join('.')])).toEqual([
    ['kept', '0', '3'],
    ['taken', '1.v', '1.v'],
    ['kept', '2', '2'],
    ['taken', '3', '0'],
  ])
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
  const property = fc.property(value, value, fc.constantFrom(...RULES), (base, other, rule) => {
    const taken = mergeFields({ base, theirs: other, ours: base }, rule)
    const kept = mergeFields({ base, theirs: base, ours: other }, rule)
    return equalJson(kept.value, other) && (taken.typeChanges.length > 0 || equalJson(taken.value, other))
  })
  expect(() => fc.assert(property, { numRuns: 2000 })).not.toThrow()
})

test('a merge of its own result changes nothing', () => {
  const property = fc.property(value, value, value, fc.constantFrom(...RULES), (base, theirs, ours, rule) => {
    const merged = mergeFields({ base, theirs, ours }, rule).value
    const again = mergeFields({ base: theirs, theirs, ours: merged }, rule).value
    return equalJson(again, merged)
  })
  expect(() => fc.assert(property, { numRuns: 2000 })).not.toThrow()
})

test('a list with keys that upstream emptied stays an empty list, and one that upstream removed goes', () => {
  const [base, ours] = [[{ name: 'a', v: 1 }], [{ name: 'a', v: 1 }]]
  expect(mergeFields({ base: { s: base }, theirs: { s: [] }, ours: { s: ours } }, INFERRED).value).toEqual({ s: [] })
  expect(mergeFields({ base: { s: base }, theirs: {}, ours: { s: ours } }, INFERRED).value).toEqual({})
})
