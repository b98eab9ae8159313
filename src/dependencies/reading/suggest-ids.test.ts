import { expect, test } from 'vitest'
import { suggestIds } from './suggest-ids.ts'

test.each([
  // [id, known names, the suggestion]
  ['shops', ['shop'], 'shop'],
  ['shpo', ['shop'], 'shop'],
  ['shoq', ['shop'], 'shop'],
  ['provider-hlem', ['provider-helm'], 'provider-helm'],
  ['provider-heml-x', ['provider-helm'], undefined],
  ['shop', ['shop'], undefined],
  ['abc', ['abd'], undefined],
  ['shop-v1', ['shop-v2'], undefined],
  ['shopping', ['shop'], undefined],
  // Of equally near names the first, and a nearer one before it.
  ['shoppers', ['shopperz', 'shoppert'], 'shoppert'],
  ['shoppers', ['shopprs', 'ahopperz'], 'shopprs'],
  // Case is no slip.
  ['Db', ['da', 'db'], 'db'],
  ['acme/D', ['acme/a', 'acme/d'], 'acme/d'],
  ['', [''], undefined],
])('for %s among %j the suggestion is %s', (id, known, expected) => {
  expect(suggestIds(() => known)(id)).toBe(expected === undefined ? '' : `; did you mean '${expected}'?`)
})

test('the package that requires the unknown one is never the nearest', () => {
  const suggest = suggestIds(() => ['shop-a', 'shop-bb'])
  expect(suggest('shop-b')).toBe("; did you mean 'shop-a'?")
  expect(suggest('shop-b', 'shop-a')).toBe("; did you mean 'shop-bb'?")
  expect(suggest('shop-b', 'other')).toBe("; did you mean 'shop-a'?")
})

test('the known names are read once, and only for a name of usual length', () => {
  let reads = 0
  const suggest = suggestIds(() => {
    reads++
    return ['a'.repeat(253), 'a'.repeat(254)]
  })
  expect([suggest('a'.repeat(254)), reads]).toEqual(['', 0])
  expect(suggest(`${'a'.repeat(252)}b`)).toContain('did you mean')
  suggest('other')
  expect(reads).toBe(1)
})

test('after fifty thousand comparisons nothing is suggested', () => {
  const known = Array.from(
    { length: 26 ** 2 },
    (_, n) => `name-${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + Math.floor(n / 26))}`,
  )
  const suggest = suggestIds(() => known)
  const unknown = (n: number) => `name-${String.fromCharCode(97 + (n % 26))}-${'x'.repeat(n < 26 ? 0 : 1)}`
  expect(suggest(unknown(0))).toContain('did you mean')
  for (let n = 1; n < 300; n++) suggest(`nam-${n}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? ''))
  expect(suggest('name-zz')).toBe('')
})
