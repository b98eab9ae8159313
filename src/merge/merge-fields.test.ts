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

const pod = (...containers: JsonValue[]): JsonValue => ({ apiVersion: 'v1', kind: 'Pod', spec: { containers } })
const c = (name: string, more: object = {}): JsonValue => ({ name, image: `${name}:1`, ...more })

// kyaml walk/associative_sequence.go.
test.each<[string, JsonValue[], JsonValue[], JsonValue[], JsonValue[]]>([
  [
    'entries are merged by name',
    [c('a'), c('b')],
    [c('a', { image: 'a:2' }), c('b')],
    [c('a', { tty: true }), c('b')],
    [c('a', { image: 'a:2', tty: true }), c('b')],
  ],
  ["both add: the downstream's come first", [c('a')], [c('a'), c('u')], [c('a'), c('d')], [c('a'), c('d'), c('u')]],
  ['upstream removes', [c('a'), c('b')], [c('b')], [c('a'), c('b'), c('d')], [c('b'), c('d')]],
  ['upstream removes what was changed', [c('a'), c('b')], [c('b')], [c('a', { image: 'mine' }), c('b')], [c('b')]],
  [
    'upstream removes, the downstream added a field',
    [c('a'), c('b')],
    [c('b')],
    [c('a', { tty: true }), c('b')],
    [{ name: 'a', tty: true }, c('b')],
  ],
  ['the downstream deletes', [c('a'), c('b')], [c('a'), c('b', { image: 'b:1' })], [c('a')], [c('a')]],
  [
    'the downstream deletes what upstream changes: that comes back, at the end',
    [c('a'), c('b'), c('z')],
    [c('a'), c('b', { image: 'b:2' }), c('z')],
    [c('a'), c('z')],
    [c('a'), c('z'), { name: 'b', image: 'b:2' }],
  ],
  ['upstream puts one in front', [c('a')], [c('u'), c('a')], [c('a'), c('d')], [c('u'), c('a'), c('d')]],
  ['upstream changes the order', [c('a'), c('b')], [c('b'), c('a')], [c('a'), c('b'), c('d')], [c('b'), c('d'), c('a')]],
  [
    "both change the order: the downstream's stays",
    [c('a'), c('b'), c('c')],
    [c('c'), c('a'), c('b')],
    [c('b'), c('a'), c('c')],
    [c('b'), c('a'), c('c')],
  ],
  ['one without a name makes the list one value', [c('a')], [c('a'), c('u')], [c('a'), { image: 'd' }], [c('a'), c('u')]],
  ['so do two of one name', [c('a')], [c('a'), c('u')], [c('a'), c('a')], [c('a'), c('u')]],
])('containers: %s', (_, original, upstream, downstream, merged) => {
  expect(mergeFields({ original: pod(...original), upstream: pod(...upstream), downstream: pod(...downstream) }, undefined).value).toEqual(
    pod(...merged),
  )
})

const ports = (...list: JsonValue[]): JsonValue => ({ apiVersion: 'v1', kind: 'Service', spec: { ports: list } })

test('ports are told apart by number and protocol; one without a protocol is any of its number', () => {
  const original = ports({ port: 53, protocol: 'UDP', name: 'u' }, { port: 53, protocol: 'TCP', name: 't' }, { port: 80 })
  const upstream = ports(
    { port: 53, protocol: 'UDP', name: 'u2' },
    { port: 53, protocol: 'TCP', name: 't' },
    { port: 80, targetPort: 8080 },
  )
  const downstream = ports(
    { port: 53, protocol: 'UDP', name: 'u' },
    { port: 53, protocol: 'TCP', name: 'mine' },
    { port: 80, protocol: 'TCP' },
  )
  const merged = ports(
    { port: 53, protocol: 'UDP', name: 'u2' },
    { port: 53, protocol: 'TCP', name: 'mine' },
    { port: 80, protocol: 'TCP', targetPort: 8080 },
  )
  expect(mergeFields({ original, upstream, downstream }, undefined).value).toEqual(merged)
})

test('finalizers are a set', () => {
  const of = (...finalizers: string[]): JsonValue => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { finalizers } })
  expect(mergeFields({ original: of('a', 'b'), upstream: of('b', 'u'), downstream: of('a', 'd', 'b') }, undefined).value).toEqual(
    of('d', 'b', 'u'),
  )
})

test('a kind or version that the OpenAPI document lacks has no lists with keys', () => {
  const of = (apiVersion: string, image: string, ...more: JsonValue[]): JsonValue => ({
    apiVersion,
    kind: 'Deployment',
    spec: { template: { spec: { containers: [{ name: 'a', image }, ...more] } } },
  })
  const merge = (apiVersion: string) =>
    mergeFields({ original: of(apiVersion, '1'), upstream: of(apiVersion, '2'), downstream: of(apiVersion, '1', { name: 'd' }) }, undefined)
      .value
  expect(merge('apps/v1')).toEqual(of('apps/v1', '2', { name: 'd' }))
  expect(merge('apps/v1beta1')).toEqual(of('apps/v1beta1', '2'))
})

test('an object in a field of a custom resource has the lists of its own kind', () => {
  const of = (...containers: JsonValue[]): JsonValue => ({ apiVersion: 'x.io/v1', kind: 'X', spec: { template: pod(...containers) } })
  const sides = { original: of(c('a')), upstream: of(c('a', { image: 'a:2' })), downstream: of(c('a'), c('d')) }
  expect(mergeFields(sides, undefined).value).toEqual(of(c('a', { image: 'a:2' }), c('d')))
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
