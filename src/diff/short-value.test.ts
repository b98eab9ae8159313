import { beforeEach, expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { watchSecrets } from '../known-secrets.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { shortChange } from './short-value.ts'

beforeEach(watchSecrets)

test.each<[string, JsonValue | undefined, JsonValue | undefined, string]>([
  ['texts as written', 'a b', "it's", "a b → it's"],
  ['a missing value as `none`', undefined, 'none', 'none → none'],
  ['a value that is gone as `none`', 1, undefined, '1 → none'],
  ['an empty text in quotes', '', 'a', "'' → a"],
  ['null, false and zero as JSON', null, 0, 'null → 0'],
  ['a map as JSON', { a: [1, 'b'] }, false, '{"a":[1,"b"]} → false'],
  ['a text of eighty characters whole', 'a'.repeat(80), 'b', `${'a'.repeat(80)} → b`],
  ['a longer text cut', 'a'.repeat(81), 'b', `${'a'.repeat(80)}… → b`],
])('a change shows %s', (_, before, after, shown) => {
  expect(shortChange(before, after)).toBe(shown)
})

test('a value of a Secret that was read is not shown, and a new one does not look like the old one', () => {
  KrmObject.fromDocument('apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {a: Xk9-old/zQ71b, b: Xk9-new/zQ71b}\n')
  expect(shortChange('url=Xk9-old/zQ71b', 'url=Xk9-new/zQ71b')).toBe('url=not-shown → url=other-not-shown')
  expect(shortChange('Xk9-old/zQ71b', 'again Xk9-old/zQ71b')).toBe('not-shown → again not-shown')
})
