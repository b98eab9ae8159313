import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

const ORIGIN = { path: 'folder/a.yaml', index: 0, line: 11 }
const TEXT = 'kind: A\nspec: # note\n  list:\n  - name: 007\n  text: "a\\u0062"\n'

function document(text = TEXT): KrmObject {
  return KrmObject.fromDocument(text, ORIGIN)
}

test.each<{ readonly path: readonly (string | number)[]; readonly value: string; readonly key: string }>([
  { path: [], value: '11:1', key: '11:1' },
  { path: ['kind'], value: '11:7', key: '11:1' },
  { path: ['spec'], value: '12:1', key: '12:1' },
  { path: ['spec', 'list'], value: '13:3', key: '13:3' },
  { path: ['spec', 'list', 0], value: '14:5', key: '14:5' },
  { path: ['spec', 'list', 0, 'name'], value: '14:11', key: '14:5' },
  { path: ['spec', 'none', 'deeper'], value: '12:1', key: '12:1' },
  { path: ['spec', 'text', 'none'], value: '15:3', key: '15:3' },
])('the value and the key of $path are at $value and $key', ({ path, value, key }) => {
  const object = document()
  const [ofValue, ofKey] = [object.positionOf(path), object.keyPositionOf(path)]
  expect([`${ofValue.line}:${ofValue.column}`, `${ofKey.line}:${ofKey.column}`]).toEqual([value, key])
})

test.each([
  { word: 'name', text: 'kind: A\nname: b\n', expected: true },
  { word: 'none', text: 'kind: A\n', expected: false },
  { word: 'folder', text: 'kind: A\n', expected: true },
  { word: 'none', text: 'kind: "\\u0041"\n', expected: true },
  { word: "it's", text: 'kind: A\n', expected: true },
  { word: 'two words', text: 'kind: A\n', expected: true },
])('$text may hold the word $word: $expected', ({ word, text, expected }) => {
  expect(document(text).mayHold(word)).toBe(expected)
})

test('an object without a file does not hold the name of one', () => {
  expect(KrmObject.fromDocument('kind: A\n').mayHold('folder')).toBe(false)
})

test('scalars are in the order of the text, as they are spelled, of the whole or of a part', () => {
  expect(
    document()
      .scalars()
      .map(({ path, text }) => `${path.join('/')} ${text}`),
  ).toEqual(['kind A', 'spec/list/0/name 007', 'spec/text ab'])
  expect(
    document()
      .scalars(['spec', 'list'])
      .map(({ path }) => path),
  ).toEqual([['spec', 'list', 0, 'name']])
  expect(document().scalars(['none'])).toEqual([])
})

test('the comment behind a key is that of the value below', () => {
  expect(document().keyComment(['spec'])).toBe('# note')
  expect(document().keyComment(['kind'])).toBeUndefined()
})

test('keys that occur twice have all their places', () => {
  expect(document('kind: A\nb: {c: 1, c: 2}\nkind: B\n').duplicateKeys()).toMatchObject([
    { path: ['kind'], positions: [{ line: 11 }, { line: 13 }] },
    { path: ['b', 'c'], positions: [{ line: 12 }, { line: 12 }] },
  ])
  expect(document().duplicateKeys()).toEqual([])
})

test('aliases and merge keys are found, those of new objects too', () => {
  const text = 'a: &x {b: 1}\nc: *x\nd: {<<: *x}\n'
  const expected = [['c'], ['d', '<<']]
  expect(
    document(text)
      .aliases()
      .map(({ path }) => path),
  ).toEqual(expected)
  expect(
    KrmObject.made(text, 'document')
      .aliases()
      .map(({ path }) => path),
  ).toEqual(expected)
  expect(KrmObject.made('a: b\n', 'document').aliases()).toEqual([])
  expect(document().aliases()).toEqual([])
})

test('the first alias of an unknown anchor is named with its place', () => {
  expect(document('a: *x\nb: &y 1\nc: *y\n').unknownAlias()).toMatchObject({ anchor: 'x', position: { line: 11, column: 4 } })
  expect(document('b: &y 1\nc: *y\n').unknownAlias()).toBeUndefined()
})

test('an item of a list is no document, and an object is edited when a byte is', () => {
  const [item] = ResourceList.parse('apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A\n').items
  const object = document()
  expect([item?.isDocument, object.isDocument]).toEqual([false, true])
  expect(object.mayBeEdited).toBe(false)
  object.set(['kind'], 'B')
  expect(object.mayBeEdited).toBe(true)
})
