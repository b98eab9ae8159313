import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { PackageContent } from './package-files.ts'
import { isSameContent } from './same-content.ts'
import { showOwn, showValue } from './shown-values.ts'

const bytes = (text: string) => Buffer.from(text)
const objects = (...names: readonly string[]) => names.map((name) => KrmObject.fromDocument(`kind: A\nmetadata: {name: ${name}}\n`))

test.each<[string, PackageContent | undefined, PackageContent | undefined, boolean]>([
  ['two missing files', undefined, undefined, true],
  ['a missing file and one', undefined, bytes(''), false],
  ['a file and a missing one', objects(), undefined, false],
  ['equal bytes', bytes('a'), bytes('a'), true],
  ['other bytes', bytes('a'), bytes('b'), false],
  ['bytes and resources', bytes('a'), objects('a'), false],
  ['resources and bytes', objects('a'), bytes('a'), false],
  ['equal resources', objects('a', 'b'), objects('a', 'b'), true],
  ['resources in another order', objects('a', 'b'), objects('b', 'a'), false],
  ['one more', objects('a'), objects('a', 'b'), false],
  ['one less', objects('a', 'b'), objects('a'), false],
])('%s are the same content', (_what, a, b, expected) => {
  expect(isSameContent(a, b)).toBe(expected)
})

const LONG = 'x'.repeat(200)

test.each([
  ['a short text', 'a', 'b', "'a'"],
  ['a text of two hundred characters', LONG, 'b', `'${LONG}'`],
  ['a number', 5, 6, 'the number 5'],
  ['null', null, 1, 'null'],
  ['a short list', [1], [2], '[1]'],
  ['a long map beside one', { a: LONG, b: 1 }, { a: LONG, b: 2 }, 'a map with b the number 1'],
  ['a long map with a field more', { a: LONG, b: { c: 'd' } }, { a: LONG }, `a map with b {"c":"d"}`],
  ['a long map with a field less', { a: LONG }, { a: LONG, b: 1 }, 'a map'],
  ['a long list beside one', [LONG, 'b'], [LONG, 'c'], `a list of 2 with [1] 'b'`],
  ['a long list in another order', [LONG, 'b'], ['b', LONG], 'a list of 2 in another order'],
  ['a long list with less', [LONG], [LONG, LONG], 'a list of 1'],
  ['a long list with one twice', [LONG, 'b', 'b'], [LONG, 'b'], `a list of 3 with [2] 'b'`],
])('%s is shown beside another value', (_what, value, other, shown) => {
  expect(showValue(value, other)).toBe(shown)
})

test('a long value beside one of another kind is cut, and a long text begins shortly before it differs', () => {
  for (const other of [undefined, [LONG], 'x']) expect(showValue({ a: LONG }, other)).toMatch(/^\{"a":"x+…?/)
  expect(showValue([LONG], { a: LONG })).not.toContain('a list')
  expect(showValue(`${LONG}${LONG}end`, `${LONG}${LONG}`)).toBe(`'…${'x'.repeat(20)}end'`)
  expect(showValue(`y${LONG}${LONG}`, `z${LONG}${LONG}`)).not.toContain("'…")
})

test('fields that differ are shown, at most three', () => {
  expect(showOwn({ a: 1, b: 2 }, { a: 1, b: 2 })).toBe('')
  expect(showOwn({ a: 1 }, { a: 1, b: 2 })).toBe('')
  expect(showOwn({ a: { b: 'c' } }, { a: { b: 'd' } })).toBe(" with a.b 'c'")
  expect(showOwn({ a: 1, b: 2, c: 3, d: 4 }, {})).toContain('c the number 3')
  expect(showOwn({ a: 1, b: 2, c: 3, d: 4 }, {})).not.toContain('d the number 4')
})
