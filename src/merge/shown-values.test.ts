import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { cut, showOwn, showValue } from './shown-values.ts'

const long = (text: string, count = 250) => text.repeat(count)
/** A map whose text is longer than what a message shows. */
const filled = (own: Readonly<Record<string, JsonValue>>): JsonValue => ({ ...own, filler: long('f') })

test.each<{ rule: string; value: JsonValue; other?: JsonValue | undefined; source?: string; shown: string }>([
  { rule: 'a text is quoted', value: 'a', other: 'b', shown: "'a'" },
  { rule: 'a text beside another type is quoted', value: 'a', other: 7, shown: "'a'" },
  { rule: 'a number has its spelling in the file', value: 420, other: 1, source: '0644', shown: 'the number 0644' },
  { rule: 'null is described', value: null, other: 'a', shown: 'null' },
  { rule: 'a short map is shown whole', value: { a: [1] }, other: { a: [2] }, shown: '{"a":[1]}' },
  { rule: 'a short list is shown whole', value: [1, 2n], other: undefined, shown: '[1,2]' },
  { rule: 'a map of 200 characters is shown whole', value: { a: long('x', 192) }, other: {}, shown: `{"a":"${long('x', 192)}"}` },
  {
    rule: 'a longer map is cut beside no value',
    value: { a: long('x', 193) },
    other: undefined,
    shown: `{"a":"${long('x', 193)}"…`,
  },
  { rule: 'a long map beside a list is cut', value: { a: long('x') }, other: [], shown: `{"a":"${long('x', 194)}…` },
  { rule: 'a long map beside a text is cut', value: { a: long('x') }, other: 'x', shown: `{"a":"${long('x', 194)}…` },
  { rule: 'a long list beside a map is cut', value: [long('x')], other: {}, shown: `["${long('x', 198)}…` },
  {
    rule: 'a long map is shown with the fields that differ',
    value: filled({ a: 1, b: 2 }),
    other: filled({ a: 1, b: 3, c: 4 }),
    shown: 'a map with b the number 2',
  },
  { rule: 'a long map without a field of its own', value: filled({ a: 1 }), other: filled({ a: 1, b: 3 }), shown: 'a map' },
  {
    rule: 'a long list is shown with its number and the entries that differ',
    value: [long('x'), 'a', 'b'],
    other: [long('x'), 'b'],
    shown: "a list of 3 with [1] 'a'",
  },
  { rule: 'a list in another order', value: [long('x'), 'a'], other: ['a', long('x')], shown: 'a list of 2 in another order' },
  { rule: 'a list that lacks entries of the other', value: [long('x')], other: [long('x'), 'a'], shown: 'a list of 1' },
])('$rule', ({ value, other, source, shown }) => {
  expect(showValue(value, other, source)).toBe(shown)
})

test('a long text is shown from shortly before its first difference', () => {
  const same = long('s', 100)
  const [one, two] = [`${same}one${long('x')}`, `${same}two`]
  expect(showValue(one, two)).toBe(`'…${long('s', 20)}one${long('x', 177)}…'`)
  expect(showValue(long('x', 200), 'y')).toBe(`'${long('x', 200)}'`)
  expect(showValue(long('x', 201), 'y')).toBe(`'${long('x', 200)}…'`)
  expect(showValue(`${long('s', 20)}a${long('x')}`, `${long('s', 20)}b`)).toBe(`'${long('s', 20)}a${long('x', 179)}…'`)
  expect(showValue(`${long('s', 21)}a${long('x')}`, `${long('s', 21)}b`)).toBe(`'…${long('s', 20)}a${long('x', 179)}…'`)
  // The other text is a beginning of this one.
  expect(showValue(`${same}${long('x')}`, same)).toBe(`'…${long('s', 20)}${long('x', 180)}…'`)
})

test('no character is split at the begin of what is shown', () => {
  const text = `${long('s', 20)}😀${long('t', 19)}a${long('x')}`
  expect(showValue(text, `${long('s', 20)}😀${long('t', 19)}b`)).toBe(`'…${long('t', 19)}a${long('x', 180)}…'`)
})

test.each<{ rule: string; value: JsonValue; other: JsonValue; shown: string }>([
  { rule: 'equal values differ in nothing', value: { a: [1] }, other: { a: [1] }, shown: '' },
  { rule: 'a field that only the other has is left out', value: {}, other: { a: 1 }, shown: '' },
  { rule: 'a field is named with its path', value: { a: { b: 1, c: 2 } }, other: { a: { b: 1, c: 3 } }, shown: ' with a.c the number 2' },
  { rule: 'a field that the other lacks is shown whole', value: { a: { b: 1 } }, other: {}, shown: ' with a {"b":1}' },
  {
    rule: 'three fields are named, the others counted',
    value: { a: 1, b: 2, c: 3, d: 4, e: 5 },
    other: {},
    shown: ' with a the number 1, b the number 2, c the number 3 and 2 more',
  },
  { rule: 'an entry is looked for at any position', value: ['a', 'b', 'c'], other: ['c', 'a'], shown: " with [1] 'b'" },
  { rule: 'an entry that is there twice counts twice', value: ['a', 'a'], other: ['a'], shown: " with [1] 'a'" },
  {
    rule: 'as many own entries on both sides are compared in pairs',
    value: ['x', { a: 1, b: 2 }],
    other: [{ a: 1, b: 3 }, 'x'],
    shown: ' with [1].b the number 2',
  },
  {
    rule: 'other numbers of own entries are not compared',
    value: [{ a: 1, b: 2 }],
    other: [{ a: 1, b: 3 }, 'y'],
    shown: ' with [0] {"a":1,"b":2}',
  },
  { rule: 'a value of another type is shown whole', value: { a: [1] }, other: { a: { b: 1 } }, shown: ' with a [1]' },
  { rule: 'large numbers are compared as numbers', value: { a: 1n }, other: { a: 1 }, shown: '' },
])('$rule', ({ value, other, shown }) => {
  expect(showOwn(value, other)).toBe(shown)
})

test('a text is cut after 200 characters', () => {
  expect([cut(long('x', 200)), cut(long('x', 201))]).toEqual([long('x', 200), `${long('x', 200)}…`])
})
