import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { fieldRule, INFERRED, keyedBy, keyText, type ListKey, listRule, type MergeRule, SET, withKeys } from './merge-rule.ts'

function keyIn({ list }: MergeRule): ListKey {
  if (list === undefined) throw new Error('no list')
  return list.key
}

const textsOf = (rule: MergeRule, entry: JsonValue) => {
  const key = keyIn(rule)
  return 'of' in key ? key.of(entry) : undefined
}

test.each<[JsonValue | undefined, string | undefined]>([
  [80, '80'],
  ['80', '80'],
  [true, 'true'],
  ['', ''],
  [null, undefined],
  [undefined, undefined],
  [{}, undefined],
  [['a'], undefined],
])('the key text of %j is %j', (value, text) => {
  expect(keyText(value)).toBe(text)
})

test('an entry is identified by its fields, of which the first must be there', () => {
  const ports = keyedBy(['port', 'protocol'])
  expect(textsOf(ports, { port: 80, protocol: 'TCP' })).toEqual(['80', 'TCP'])
  expect(textsOf(ports, { port: 80 })).toEqual(['80', undefined])
  for (const entry of [{ protocol: 'TCP' }, { port: {} }, { port: null }, 'port', null, [80]]) expect(textsOf(ports, entry)).toBeUndefined()
})

test('only a key of several fields is loose', () => {
  const [one, several] = [keyedBy(['a']), keyedBy(['a', 'b'])]
  expect([keyIn(one), keyIn(several), keyIn(SET)]).toMatchObject([{ loose: false }, { loose: true }, { loose: false }])
})

test('the rule of entries is that which is given', () => {
  expect(keyedBy(['a'], SET).list?.entries).toBe(SET)
  expect(keyedBy(['a']).list).not.toHaveProperty('entries')
})

test('the entries of a set are identified by their texts', () => {
  expect(['a', 7, null, {}].map((entry) => textsOf(SET, entry))).toEqual([['a'], ['7'], undefined, undefined])
  expect(keyIn(SET).fields).toEqual([])
})

test('a field has its own rule; below a value without a schema every field is one without a schema', () => {
  const rule: MergeRule = { fields: { a: SET } }
  expect(fieldRule(rule, 'a')).toBe(SET)
  for (const key of ['b', 'toString', 'constructor']) expect(fieldRule(rule, key)).toBeUndefined()
  expect(fieldRule(INFERRED, 'a')).toBe(INFERRED)
  expect(fieldRule({}, 'a')).toBeUndefined()
  expect(fieldRule(undefined, 'a')).toBeUndefined()
})

test('a list has the rule that is given; without a schema it is merged by name if one side is a list', () => {
  const none = { base: undefined, theirs: undefined, ours: undefined }
  expect(listRule(SET, none)).toBe(SET.list)
  expect(listRule({}, { ...none, ours: [] })).toBeUndefined()
  expect(listRule(undefined, { ...none, ours: [] })).toBeUndefined()
  expect(listRule(INFERRED, { base: 'a', theirs: {}, ours: null })).toBeUndefined()
  for (const side of ['base', 'theirs', 'ours']) {
    const rule = listRule(INFERRED, { ...none, [side]: [] })
    expect(rule?.entries).toBe(INFERRED)
    expect(rule && textsOf({ list: rule }, { name: 'a' })).toEqual(['a'])
  }
})

test.each<{ rule: string; entry: JsonValue; source: JsonValue | undefined; result: JsonValue }>([
  {
    rule: 'missing fields of the key come from the source, before the others',
    entry: { x: 1 },
    source: { a: 'p', b: 'q', c: 'r' },
    result: { a: 'p', b: 'q', x: 1 },
  },
  { rule: 'fields that the entry has stay, also a null', entry: { a: null, x: 1 }, source: { a: 'p' }, result: { a: null, x: 1 } },
  { rule: 'a field that the source lacks stays missing', entry: { x: 1 }, source: { b: 'q' }, result: { b: 'q', x: 1 } },
  { rule: 'an entry that is no map is unchanged', entry: 'x', source: { a: 'p' }, result: 'x' },
  { rule: 'a source that is no map gives nothing', entry: { x: 1 }, source: 'p', result: { x: 1 } },
  { rule: 'without a source an entry is unchanged', entry: { x: 1 }, source: undefined, result: { x: 1 } },
])('$rule', ({ entry, source, result }) => {
  const found = withKeys(entry, source, keyIn(keyedBy(['a', 'b'])))
  expect(JSON.stringify(found)).toBe(JSON.stringify(result))
})
