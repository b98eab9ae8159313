import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { fieldRule, INFERRED, keyedBy, keyText, listRule, type MergeRule, SET, withKeys } from './merge-rule.ts'
import { pairListEntries } from './pair-list-entries.ts'

const PORTS = keyedBy(['port', 'protocol'])

/** Returns the places of each entry in base, theirs and ours, as `0 - 1`. */
function paired(rule: MergeRule, base: readonly JsonValue[], theirs: readonly JsonValue[], ours: readonly JsonValue[]) {
  const key = listRule(rule, { base: [...base], theirs: [...theirs], ours: [...ours] })?.key
  return (
    key &&
    pairListEntries({ base, theirs, ours }, key)?.map((places) =>
      [places.base, places.theirs, places.ours].map((at) => at ?? '-').join(' '),
    )
  )
}

const named = (...names: readonly string[]) => names.map((name) => ({ name }))
const port = (number: JsonValue, protocol?: string) => ({ port: number, ...(protocol !== undefined && { protocol }) })

test.each<[string, MergeRule, readonly JsonValue[], readonly JsonValue[], readonly JsonValue[], readonly string[] | undefined]>([
  ['the same name is one entry, ours first', INFERRED, named('a'), named('b', 'a'), named('c', 'a'), ['- - 0', '0 1 1', '- 0 -']],
  ['an entry that ours dropped follows', INFERRED, named('a', 'b'), named('b', 'a'), named('b'), ['1 0 0', '0 1 -']],
  ['an entry without a name leaves the list without keys', INFERRED, named('a'), [{ x: 1 }], named('a'), undefined],
  ['a text among the entries, too', INFERRED, named('a'), ['a'], named('a'), undefined],
  ['a null as the name, too', INFERRED, [{ name: null }], [], [], undefined],
  ['a map as the name, too', INFERRED, [{ name: {} }], [], [], undefined],
  ['two entries of one name in one list, too', INFERRED, named('a', 'a'), named('a'), named('a'), undefined],
  ['a number equals its text', INFERRED, [{ name: 80 }], [{ name: '80' }], [{ name: 80 }], ['0 0 0']],
  ['texts of a set are their own keys', SET, ['a', 'b'], ['b'], ['b', 'c'], ['1 0 0', '- - 1', '0 - -']],
  ['a set with a text twice has no keys', SET, ['a', 'a'], ['a'], ['a'], undefined],
  ['both fields of a key count', PORTS, [port(1, 'TCP')], [port(1, 'UDP')], [port(1, 'TCP')], ['0 - 0', '- 0 -']],
  ['without the second field an entry is any of the first', PORTS, [port(1)], [port(1, 'TCP')], [port(1, 'TCP')], ['0 0 0']],
  ['an exact match comes before', PORTS, [port(1), port(1, 'UDP')], [], [port(1, 'UDP'), port(1)], ['1 - 0', '0 - 1']],
  ['each entry is paired once', PORTS, [port(1)], [], [port(1, 'TCP'), port(1, 'UDP')], ['0 - 0', '- - 1']],
  ['without the first field there is no key', PORTS, [{ protocol: 'TCP' }], [], [], undefined],
])('of three lists %s', (_what, rule, base, theirs, ours, expected) => {
  expect(paired(rule, base, theirs, ours)).toEqual(expected)
})

test('entries with one field for a key are not paired with others', () => {
  expect(paired(keyedBy(['id']), [{ id: 'a' }], [{ id: 'b' }], [{ id: 'c' }])).toEqual(['- - 0', '0 - -', '- 0 -'])
})

test.each<[JsonValue | undefined, string | undefined]>([
  ['a', 'a'],
  ['', ''],
  [80, '80'],
  [false, 'false'],
  [null, undefined],
  [undefined, undefined],
  [[], undefined],
  [{}, undefined],
])('the text of %j as a key is %j', (value, text) => {
  expect(keyText(value)).toBe(text)
})

test('a list without a schema is merged by name, and a value that is no list by no key', () => {
  const sides = (value: JsonValue) => ({ base: 'x', theirs: value, ours: null })
  expect(listRule(INFERRED, sides([]))?.key.fields).toEqual(['name'])
  expect(listRule(INFERRED, sides({}))).toBeUndefined()
  expect(listRule(undefined, sides([]))).toBeUndefined()
  expect(listRule({}, sides([]))).toBeUndefined()
  expect(listRule(SET, sides({}))?.key.fields).toEqual([])
})

test('the rule of a field is its own, and below a value without a schema that of such a value', () => {
  const own: MergeRule = { fields: { a: SET } }
  expect([fieldRule(own, 'a'), fieldRule(own, 'b'), fieldRule(own, 'toString')]).toEqual([SET, undefined, undefined])
  expect(fieldRule(INFERRED, 'a')).toBe(INFERRED)
  expect(fieldRule(undefined, 'a')).toBeUndefined()
})

test('an entry keeps the fields of its key, in front', () => {
  const { list } = PORTS
  if (list === undefined) throw new Error('no list')
  const kept = (entry: JsonValue | undefined, source: JsonValue | undefined) => withKeys(entry, source, list.key)
  expect(Object.entries(kept({ x: 1 }, { port: 2, protocol: 'TCP', y: 3 }) ?? {})).toEqual([
    ['port', 2],
    ['protocol', 'TCP'],
    ['x', 1],
  ])
  expect(kept({ port: 1 }, { port: 2 })).toEqual({ port: 1 })
  expect(kept({ port: 1 }, {})).toEqual({ port: 1 })
  expect([kept('x', { port: 2 }), kept(undefined, { port: 2 })]).toEqual(['x', undefined])
  expect(kept({ x: 1 }, 'x')).toEqual({ x: 1 })
})
