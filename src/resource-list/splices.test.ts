import { expect, test } from 'vitest'
import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { KrmObject } from './krm-object.ts'

interface Row {
  readonly reason: string
  readonly text: string
  readonly path: FieldPath
  readonly value?: JsonValue
  readonly expected: string
}

test.each<Row>([
  { reason: 'an empty value gets one, before its comment', text: 'a: # c\nb: 1\n', path: ['a'], value: 'x', expected: 'a: x # c\nb: 1\n' },
  {
    reason: 'an empty value opens into a map below its comment',
    text: 'a: # c\nb: 1\n',
    path: ['a', 'k'],
    value: 'x',
    expected: 'a: # c\n  k: x\nb: 1\n',
  },
  { reason: 'an empty flow map opens into block style', text: 'a: {} # c\n', path: ['a', 'k'], value: 1, expected: 'a: # c\n  k: 1\n' },
  { reason: 'an empty flow list opens into block style', text: 'a: []\n', path: ['a'], value: ['x'], expected: 'a:\n- x\n' },
  { reason: 'a flow map stays on its line', text: 'a: {b: 1} # c\n', path: ['a', 'k'], value: 'y', expected: 'a: {b: 1, k: "y"} # c\n' },
  {
    reason: 'a list inside a flow map is flow',
    text: 'a: {b: 1}\n',
    path: ['a', 'k'],
    value: ['x, y', 2],
    expected: 'a: {b: 1, k: ["x, y", 2]}\n',
  },
  { reason: 'a scalar becomes a map, its comment stays', text: 'a: 1 # c\n', path: ['a'], value: { k: 1 }, expected: 'a: # c\n  k: 1\n' },
  {
    reason: 'a map becomes a scalar',
    text: 'a: # c\n  b: 1 # gone\n  # gone\nd: 1\n',
    path: ['a'],
    value: 'x',
    expected: 'a: x # c\nd: 1\n',
  },
  {
    reason: 'a literal block keeps its style',
    text: 'a: | # c\n  x\n  y\nb: 1\n',
    path: ['a'],
    value: 'z\nw\n',
    expected: 'a: | # c\n  z\n  w\nb: 1\n',
  },
  { reason: 'a literal block becomes a number', text: 'a: | # c\n  x\n  y\nb: 1\n', path: ['a'], value: 7, expected: 'a: 7 # c\nb: 1\n' },
  {
    reason: 'a scalar becomes a literal block under its comment',
    text: 'a: x # c\n',
    path: ['a'],
    value: 'z\nw\n',
    expected: 'a: | # c\n  z\n  w\n',
  },
  {
    reason: 'a new key goes before comments that stand at its column',
    text: 'a:\n  b: 1\n  # foot\nc: 1\n',
    path: ['a', 'k'],
    value: 1,
    expected: 'a:\n  b: 1\n  k: 1\n  # foot\nc: 1\n',
  },
  {
    reason: 'a new key goes behind comments inside the last value',
    text: 'a:\n  b:\n    c: 1\n    # in b\nd: 1\n',
    path: ['a', 'k'],
    value: 1,
    expected: 'a:\n  b:\n    c: 1\n    # in b\n  k: 1\nd: 1\n',
  },
  { reason: 'the text need not end with a line feed', text: 'a: 1', path: ['b'], value: 2, expected: 'a: 1\nb: 2' },
  {
    reason: 'a list entry is added at the end, in the column of the others',
    text: 'a:\n    - x\n    - y # c\n',
    path: ['a', 2],
    value: { k: 1, l: 2 },
    expected: 'a:\n    - x\n    - y # c\n    - k: 1\n      l: 2\n',
  },
  { reason: 'an entry is put before the first', text: 'a:\n- x # c\n', path: ['a'], value: ['w', 'x'], expected: 'a:\n- w\n- x # c\n' },
  {
    reason: 'an entry in the middle goes, its comments with it',
    text: 'a:\n- x\n# y\n- y\n- z # z\n',
    path: ['a'],
    value: ['x', 'z'],
    expected: 'a:\n- x\n- z # z\n',
  },
  {
    reason: 'entries are matched by name',
    text: 'a:\n- name: p # p\n  v: 1\n- name: q # q\n',
    path: ['a'],
    value: [{ name: 'q' }],
    expected: 'a:\n- name: q # q\n',
  },
  {
    reason: 'a list that becomes empty is [] on the line of its key',
    text: 'a: # c\n- x\n- y\nb: 1\n',
    path: ['a'],
    value: [],
    expected: 'a: [] # c\nb: 1\n',
  },
  {
    reason: 'a list entry changes from a map to a scalar',
    text: 'a:\n- k: 1\n  l: 2\n- z\n',
    path: ['a', 0],
    value: 's',
    expected: 'a:\n- s\n- z\n',
  },
  {
    reason: 'a list entry changes from a scalar to a map, its comment stays on its line',
    text: 'a:\n- s # c\n- z\n',
    path: ['a', 0],
    value: { k: 1, l: 2 },
    expected: 'a:\n- k: 1 # c\n  l: 2\n- z\n',
  },
  {
    reason: 'a new list is indented as the other lists of the text',
    text: 'a:\n  - x\n',
    path: ['b'],
    value: ['y'],
    expected: 'a:\n  - x\nb:\n  - "y"\n',
  },
  { reason: 'carriage returns stay', text: 'a: 1\r\nb: 2\r\n', path: ['c'], value: { d: 1 }, expected: 'a: 1\r\nb: 2\r\nc:\r\n  d: 1\r\n' },
  { reason: 'a tag goes with the value that it described', text: 'a: !!str 1 # c\n', path: ['a'], value: 2, expected: 'a: 2 # c\n' },
  {
    reason: 'keys such as __proto__ are ordinary keys',
    text: 'a:\n  b: 1\n',
    path: ['a', '__proto__'],
    value: 'x',
    expected: 'a:\n  b: 1\n  __proto__: x\n',
  },
  {
    reason: 'numbers keep the spelling while they are equal',
    text: 'a: {b: 0644, c: 1.0}\n',
    path: ['a'],
    value: { b: 420, c: 1 },
    expected: 'a: {b: 0644, c: 1.0}\n',
  },
  { reason: 'a tab behind a colon stays', text: 'a:\tx # c\n', path: ['a'], value: 1, expected: 'a: 1 # c\n' },
  { reason: 'an empty flow map behind a tab opens', text: 'a: \t{} # c\n', path: ['a', 'k'], value: 1, expected: 'a: # c\n  k: 1\n' },
  {
    reason: 'a map behind the tab of a dash stands behind a space',
    text: '-\t{} # c\n- \tx\n',
    path: [0],
    value: { k: 1, l: 2 },
    expected: '- k: 1 # c\n  l: 2\n- \tx\n',
  },
  { reason: 'tabs between flow members stay', text: 'a: {b:\t1\t}\n', path: ['a', 'k'], value: 2, expected: 'a: {b:\t1, k: 2\t}\n' },
  { reason: 'a tab before a comment stays', text: 'a: x\t# c\n', path: ['a'], value: 2, expected: 'a: 2\t# c\n' },
  { reason: 'an empty key is a key', text: 'a: {"": x}\n', path: ['a', 'k'], value: 2, expected: 'a: {"": x, k: 2}\n' },
  { reason: 'an empty key in block style', text: '"": x\na: 1\n', path: [''], value: 2, expected: '"": 2\na: 1\n' },
  { reason: 'a tag goes with its map', text: 'a: !!map # c\n  b: 1\n', path: ['a'], value: 's', expected: 'a: s # c\n' },
  { reason: 'an anchor that no alias names goes with its list', text: 'a: &x\n- b\n', path: ['a'], value: 2, expected: 'a: 2\n' },
  { reason: 'an anchor of nothing', text: 'a: &x # c\n', path: ['a'], value: 2, expected: 'a: &x 2 # c\n' },
  {
    reason: 'an alias of another value changes nothing',
    text: 'a: &x {b: 1}\nc: *x\nd: 1\n',
    path: ['d'],
    value: 2,
    expected: 'a: &x {b: 1}\nc: *x\nd: 2\n',
  },
  {
    reason: 'a new key beside a merge key',
    text: 'a: &x {b: 1}\nc:\n  <<: *x\n',
    path: ['c', 'b'],
    value: 2,
    expected: 'a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n',
  },
  {
    reason: 'a new key beside an alias',
    text: 'a: &x {b: 1}\nc:\n  copy: *x # c\n',
    path: ['c', 'k'],
    value: { l: [1] },
    expected: 'a: &x {b: 1}\nc:\n  copy: *x # c\n  k:\n    l:\n    - 1\n',
  },
  {
    reason: 'an alias that is replaced whole',
    text: 'a: &x {b: 1}\nc: *x # c\n',
    path: ['c'],
    value: { b: 2 },
    expected: 'a: &x {b: 1}\nc: # c\n  b: 2\n',
  },
  {
    reason: 'a map that held an alias',
    text: 'a: &x {b: 1}\nc:\n  d: 1 # d\n  copy: *x\n',
    path: ['c'],
    value: { d: 1 },
    expected: 'a: &x {b: 1}\nc:\n  d: 1 # d\n',
  },
  {
    reason: 'an anchor and all its aliases at once',
    text: 'a:\n  p: &x 1\n  q: *x\n  r: 1 # r\n',
    path: ['a'],
    value: { p: 2, q: 2, r: 1 },
    expected: 'a:\n  p: &x 2\n  q: 2\n  r: 1 # r\n',
  },
  {
    reason: 'an alias of a value that stands as asked already',
    text: 'a: &x {b: 1}\nc: *x\n',
    path: ['a'],
    value: { b: 1 },
    expected: 'a: &x {b: 1}\nc: *x\n',
  },
])('set: $reason', ({ text, path, value, expected }) => {
  const object = KrmObject.fromDocument(text)
  object.set(path, value ?? null)
  expect(object.toText()).toBe(expected)
  expect(object.get(path)).toEqual(value)
})

test.each<Row>([
  { reason: 'a key with the comment above it', text: 'a: 1\n# b\nb: 2 # c\nc: 3\n', path: ['b'], expected: 'a: 1\nc: 3\n' },
  { reason: 'a comment further up stays', text: 'a: 1\n# far\n\nb: 2\n', path: ['b'], expected: 'a: 1\n# far\n\n' },
  { reason: 'the only key leaves {}', text: 'a: # c\n  b: 1\nd: 1\n', path: ['a', 'b'], expected: 'a: {} # c\nd: 1\n' },
  { reason: 'the key behind a dash', text: 'a:\n- b: 1\n  c: 2\n', path: ['a', 0, 'b'], expected: 'a:\n- c: 2\n' },
  {
    reason: 'the key behind a dash, with a comment below',
    text: 'a:\n- b: 1\n  # c\n  c: 2\n',
    path: ['a', 0, 'b'],
    expected: 'a:\n- # c\n  c: 2\n',
  },
  { reason: 'a flow entry with its comma', text: 'a: {b: 1, c: 2, d: 3}\n', path: ['a', 'c'], expected: 'a: {b: 1, d: 3}\n' },
  { reason: 'the last flow entry with the comma before it', text: 'a: [x, y]\n', path: ['a', 1], expected: 'a: [x]\n' },
  { reason: 'the last key of a text without a final line feed', text: 'a: 1\nb: 2', path: ['b'], expected: 'a: 1' },
  { reason: 'the only key of the root leaves {}', text: 'a: 1\n', path: ['a'], expected: '{}\n' },
  { reason: 'metadata, with more root keys around it', text: 'd: 1\nmetadata:\n  name: x\n', path: ['metadata'], expected: 'd: 1\n' },
  {
    reason: 'a key below a text that keeps its blank lines: they go too',
    text: 'a: |+\n  x\nb: 1\n\nc: 2\n',
    path: ['b'],
    expected: 'a: |+\n  x\nc: 2\n',
  },
  { reason: 'the only key of the root below a comment', text: '#\ne:\n', path: ['e'], expected: '#\n{}\n' },
  { reason: 'a key in a text that begins with an empty line', text: '\n# a\na: 1\nb: 1\n', path: ['a'], expected: '\nb: 1\n' },
  { reason: 'an anchor and all its aliases', text: 'a:\n  b: &x 1\n  c: *x\nd: 1\n', path: ['a'], expected: 'd: 1\n' },
  { reason: 'what is not there changes nothing', text: 'a: 1\n', path: ['b', 'c'], expected: 'a: 1\n' },
])('delete: $reason', ({ text, path, expected }) => {
  const object = KrmObject.fromDocument(text)
  object.delete(path)
  expect(object.toText()).toBe(expected)
})
