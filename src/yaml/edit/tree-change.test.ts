import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { AliasError } from '../read/alias-targets.ts'
import { linkedRoot } from './testing/linked-root.ts'
import { treeHas } from './tree-change.ts'

/** Returns a text after a value is set. */
function withValue(text: string, path: readonly (string | number)[], value: string | number): string {
  const object = KrmObject.fromDocument(text)
  object.set(path, value)
  return object.toText()
}

const MERGED = 'base: &b {replicas: 1}\nspec:\n  <<: *b\n'

test('a key of its own is set to the value that the merge key brings in, and stays', () => {
  expect(withValue(`${MERGED}  replicas: 3\n`, ['spec', 'replicas'], 1)).toBe(`${MERGED}  replicas: 1\n`)
})

test('a value that the merge key brings in already is not written', () => {
  expect(withValue(MERGED, ['spec', 'replicas'], 1)).toBe(MERGED)
})

test('a value that the merge key brings in goes, and the other values of the merge key stay', () => {
  const object = KrmObject.fromDocument('base: &b {replicas: 1, paused: true}\nspec:\n  <<: *b\n')
  object.delete(['spec', 'replicas'])
  expect(object.toText()).toBe('base: &b {replicas: 1, paused: true}\nspec:\n  paused: true\n')
})

test('a value is written where the merge key brings in the same text with a tag', () => {
  const text = 'base: &b {image: !Ref web}\nspec:\n  <<: *b\n'
  expect(withValue(text, ['spec', 'image'], 'web')).toBe(`${text}  image: web\n`)
})

function edited(text: string, edit: (object: KrmObject) => void): string {
  const object = KrmObject.fromDocument(text)
  edit(object)
  return object.toText()
}

test.each<[string, string, readonly (string | number)[], string]>([
  ['a map for a name', 'a: 1\n', ['b', 'c', 'd'], 'a: 1\nb:\n  c:\n    d: new\n'],
  ['a list for a number', 'a: 1\n', ['b', 0, 'c'], 'a: 1\nb:\n- c: new\n'],
  ['a list in a list', 'a: 1\n', ['b', 0, 0], 'a: 1\nb:\n- - new\n'],
  ['a list for a number in an empty map', 'a: {}\n', ['a', 0], 'a:\n- new\n'],
  ['an entry for a number in a map with entries', 'a:\n  b: 1\n', ['a', 0], 'a:\n  b: 1\n  "0": new\n'],
  ['a map in the place of a list, for a name', 'a:\n- 1\n', ['a', 'b'], 'a:\n  b: new\n'],
  ['a map in the place of a text', 'a: 1\n', ['a', 'b'], 'a:\n  b: new\n'],
  ['a list in the place of a text', 'a: 1\n', ['a', 0], 'a:\n- new\n'],
  ['an item behind the last, for any number above', 'a:\n- 1\n', ['a', 7], 'a:\n- 1\n- new\n'],
  ['an item in the place of one', 'a:\n- 1\n- 2\n', ['a', 0], 'a:\n- new\n- 2\n'],
])('what is missing on the way to a value is made: %s', (_, text, path, expected) => {
  expect(withValue(text, path, 'new')).toBe(expected)
})

test('what was set before is opened again, a map and a list alike', () => {
  const result = edited('a: 1\n', (object) => {
    object.set(['b'], { c: 1, l: [1] })
    object.set(['b', 'd'], 2)
    object.set(['b', 'l', 1], 2)
    object.delete(['b', 'c'])
    object.delete(['b', 'l', 0])
  })
  expect(result).toBe('a: 1\nb:\n  l:\n  - 2\n  d: 2\n')
  expect(
    edited('a: 1\n', (object) => {
      object.set(['b'], {})
      object.set(['b', 0], 'x')
    }),
  ).toBe('a: 1\nb:\n- x\n')
})

test('what is not there cannot go, and takes nothing along', () => {
  for (const path of [['z'], ['a', 'z'], ['l', 5], ['l', 0, 'z'], ['s', 'x'], ['z', 'y', 'x']]) {
    const text = 'a:\n  b: 1\nl:\n- c: 1\ns: x\n'
    expect(edited(text, (object) => object.delete(path))).toBe(text)
  }
})

test('a value below an alias is not changed, and one that an alias has not is not made', () => {
  const object = KrmObject.fromDocument('a: &x {b: 1}\nc: *x\n')
  expect(() => object.set(['c', 'b'], 2)).toThrow('must be written out: the alias *x is not expanded')
  expect(() => object.delete(['c', 'b'])).toThrow('must be written out: the alias *x is not expanded')
  expect(object.toText()).toBe('a: &x {b: 1}\nc: *x\n')
})

test('an item that moves to its own place, or is not there, changes nothing', () => {
  const text = 'l:\n- 1\n- 2\n- 3\n'
  const moved = (from: number, to: number) => edited(text, (object) => object.move(['l'], from, to))
  expect([moved(1, 1), moved(3, 0)]).toEqual([text, text])
  expect([moved(0, 2), moved(2, 0), moved(0, 1)]).toEqual(['l:\n- 2\n- 3\n- 1\n', 'l:\n- 3\n- 1\n- 2\n', 'l:\n- 2\n- 1\n- 3\n'])
})

const ROOT = linkedRoot('a: {b: 1}\nl: [x]\nc: &c {d: 1}\ne: *c\nf: *none\nm: {<<: *c}\ns: x\nn: null\n')

test.each<[readonly (string | number)[], boolean]>([
  [[], true],
  [['a', 'b'], true],
  [['a', 'z'], false],
  [['a', 'z', 'y'], false],
  [['l', 0], true],
  [['l', 1], false],
  [['e', 'd'], true],
  [['e', 'z'], false],
  [['m', 'd'], true],
  [['s', 'x'], false],
  [['n'], true],
  [['f'], true],
])('a value is at %j: %s', (path, expected) => {
  expect(treeHas(ROOT, path)).toBe(expected)
})

test('nothing is known below an alias without its value', () => {
  expect(() => treeHas(ROOT, ['f', 'd'])).toThrow(AliasError)
})
