import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'

/** Returns a text without the fields at some paths. */
function without(text: string, ...paths: readonly (readonly (string | number)[])[]): string {
  const object = KrmObject.fromDocument(text)
  for (const path of paths) object.delete(path)
  return object.toText()
}

test.each([
  [
    'the blank lines below it, which would become part of a text before it that keeps them',
    'a: |+\n  x\nb: 1\n\n\nc: 2\n',
    'a: |+\n  x\nc: 2\n',
  ],
  ['the blank lines at the end of the file, for the same reason', 'a: >2+\n  x\nb: 1\n\n\n', 'a: >2+\n  x\n'],
  ['no blank lines behind a text that ends with one line break', 'a: |\n  x\nb: 1\n\nc: 2\n', 'a: |\n  x\n\nc: 2\n'],
  ['no blank lines behind another value', 'a: 1\nb: 1\n\nc: 2\n', 'a: 1\n\nc: 2\n'],
  ['its own comments, and none of the next field', 'a: 1\n# of b\nb: 1 # b\n# of c\nc: 2\n', 'a: 1\n# of c\nc: 2\n'],
  ['the lines of its value', 'a: 1\nb:\n  deep: |\n    x\n\n    y\nc: 2\n', 'a: 1\nc: 2\n'],
])('a field goes with %s', (_, before, after) => {
  expect(without(before, ['b'])).toBe(after)
})

test('the text before a field that goes has the same value as before, with the line breaks that it keeps', () => {
  const object = KrmObject.fromDocument('a: |+\n  x\n\nb: 1\n\nc: 2\n')
  object.delete(['b'])
  expect(KrmObject.fromDocument(object.toText()).get(['a'])).toBe('x\n\n')
})

test('the first field of an entry of a list leaves its dash to the next one', () => {
  expect(without('l:\n- a: 1\n  b: 2\n- c\n', ['l', 0, 'a'])).toBe('l:\n- b: 2\n- c\n')
  expect(without('l:\n- a: 1 # one\n\n  # of b\n  b: 2\n', ['l', 0, 'a'])).toBe('l:\n- # of b\n  b: 2\n')
})

test('an entry in braces or brackets goes with one comma', () => {
  expect(without('m: {a: 1, b: 2, c: 3}\n', ['m', 'a'])).toBe('m: {b: 2, c: 3}\n')
  expect(without('m: {a: 1, b: 2, c: 3}\n', ['m', 'b'])).toBe('m: {a: 1, c: 3}\n')
  expect(without('m: [a, b, c]\n', ['m', 2])).toBe('m: [a, b]\n')
  expect(without('m: [a, b, c]\n', ['m', 2], ['m', 1])).toBe('m: [a]\n')
})

test('the last fields go with their lines, to the end of a text without a line break', () => {
  expect(without('a: 1\n# of b\nb: 2', ['b'])).toBe('a: 1')
  expect(without('a: 1\r\nb: 2', ['b'])).toBe('a: 1')
  expect(without('a: 1\nb: 2\nc: 3', ['b'], ['c'])).toBe('a: 1')
  expect(without('a: 1\nb: 2\n', ['a'])).toBe('b: 2\n')
})

test('a field in a map behind a dash leaves the lines of the others', () => {
  expect(without('l:\n- a: 1\n  b: 2\n  c: 3\n', ['l', 0, 'a'], ['l', 0, 'b'])).toBe('l:\n- c: 3\n')
  expect(without('l:\n- a: 1\n  b: 2\n  c: 3\n', ['l', 0, 'b'])).toBe('l:\n- a: 1\n  c: 3\n')
  expect(without('l:\n- - 1\n  - 2\n', ['l', 0, 0])).toBe('l:\n- - 2\n')
  expect(without('l:\r\n- a: 1\r\n  b: 2\r\n', ['l', 0, 'a'])).toBe('l:\r\n- b: 2\r\n')
})
