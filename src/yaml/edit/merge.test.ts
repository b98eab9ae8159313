import { expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'

/** Returns a text after the value of its key `a` is set. */
function withValue(text: string, value: JsonValue): string {
  const object = KrmObject.fromDocument(text)
  object.set(['a'], value)
  return object.toText()
}

/** Returns a text after the value of its key `a` is copied from that of another text. */
function withCopy(text: string, source: string): string {
  const object = KrmObject.fromDocument(text)
  object.copy(['a'], KrmObject.fromDocument(source))
  return object.toText()
}

test.each<[string, string, JsonValue]>([
  ['a number in another spelling', 'a: 0x10 # why\n', 16],
  ['a text in quotes that it does not need', "a: 'x' # why\n", 'x'],
  ['a null', 'a: ~ # why\n', null],
  ['an empty map', 'a: { } # why\n', {}],
  ['an empty list', 'a: [ ] # why\n', []],
  ['a map with its keys in another order', 'a:\n  # one\n  b: 1\n  c: 2\n', { c: 2, b: 1 }],
  ['a list', 'a:\n- x # why\n- {y: 1}\n', ['x', { y: 1 }]],
  ['an alias with the same value', 'b: &x {c: 1}\na: *x\n', { c: 1 }],
])('a value that is there already keeps its bytes: %s', (_, text, value) => {
  expect(withValue(text, value)).toBe(text)
})

test.each<[string, string, JsonValue, string]>([
  ['a number is no text of the same letters', "a: '1' # why\n", 1, 'a: 1 # why\n'],
  ['a text is no number of the same letters', 'a: 1 # why\n', '1', 'a: "1" # why\n'],
  ['a text is no null', 'a: ~ # why\n', 'x', 'a: x # why\n'],
  ['a list for an empty map', 'a: {} # why\n', [], 'a: [] # why\n'],
  ['a map for an empty list', 'a: [] # why\n', {}, 'a: {} # why\n'],
  ['a map that is emptied', 'a:\n  b: 1\n', {}, 'a: {}\n'],
  ['a list that is emptied', 'a:\n- b\n', [], 'a: []\n'],
  ['a list that is filled', 'a: []\n', ['b'], 'a:\n- b\n'],
  ['a map in which nothing stays goes with its comments', 'a:\n  # of b\n  b: 1\n', { c: 1 }, 'a:\n  c: 1\n'],
  [
    'of a map in which a key stays, the other entries keep their comments',
    'a:\n  # of b\n  b: 1\n  # of c\n  c: 2 # two\n  d: 3 # three\n',
    { e: 5, d: 4, c: 2 },
    'a:\n  # of c\n  c: 2 # two\n  d: 4 # three\n  e: 5\n',
  ],
  ['a map in a map', 'a:\n  b:\n    c: 1 # one\n    d: 2\n', { b: { c: 1, d: 3 } }, 'a:\n  b:\n    c: 1 # one\n    d: 3\n'],
  ['an alias with another value', 'b: &x {c: 1}\na: *x\n', { c: 2 }, 'b: &x {c: 1}\na:\n  c: 2\n'],
  ['a plain value leaves the tag of a map', 'a: !t\n  b: 1\n', { b: 2 }, 'a: !t\n  b: 2\n'],
])('what differs is written, and all else stays: %s', (_, text, value, expected) => {
  expect(withValue(text, value)).toBe(expected)
})

const NAMED = 'a:\n- name: x # of x\n  v: 1\n- name: z # of z\n  v: 2\n'

test.each<[string, string, JsonValue, string]>([
  [
    'items of one name are one item, though their values and places differ',
    NAMED,
    [{ name: 'w', v: 1 }, { name: 'x', v: 3 }, { name: 'z' }],
    'a:\n- name: w\n  v: 1\n- name: x # of x\n  v: 3\n- name: z # of z\n',
  ],
  [
    'an item before all others moves none of them',
    NAMED,
    [{ name: 'w' }, { name: 'x', v: 1 }, { name: 'z', v: 2 }],
    'a:\n- name: w\n- name: x # of x\n  v: 1\n- name: z # of z\n  v: 2\n',
  ],
  ['an item goes with its comment', NAMED, [{ name: 'z', v: 2 }], 'a:\n- name: z # of z\n  v: 2\n'],
  [
    'an item without a name that differs takes the place and comment of the one there',
    'a:\n- x # of x\n- z # of z\n',
    ['w', 'z'],
    'a:\n- w # of x\n- z # of z\n',
  ],
  ['an item behind the last', 'a:\n- x # of x\n', ['x', 'z'], 'a:\n- x # of x\n- z\n'],
])('of a list: %s', (_, text, value, expected) => {
  expect(withValue(text, value)).toBe(expected)
})

const MERGED = 'base: &b {r: 1, p: true}\na:\n  <<: *b\n  s: 2 # of s\n'

test.each<[string, JsonValue, string]>([
  ['stays if all that it brings in is wanted', { r: 1, p: true, s: 2 }, '  <<: *b\n  s: 2 # of s\n'],
  ['stays beside a value of its own that is written', { r: 1, p: true, s: 3 }, '  <<: *b\n  s: 3 # of s\n'],
  ['stays beside a value of its own that goes', { r: 1, p: true }, '  <<: *b\n'],
  ['stays beside a value that differs from the one that it brings in', { r: 3, p: true, s: 2 }, '  <<: *b\n  s: 2 # of s\n  r: 3\n'],
  ['stays beside a new value', { r: 1, p: true, s: 2, t: 4 }, '  <<: *b\n  s: 2 # of s\n  t: 4\n'],
  ['is written out if one of its values is not wanted', { r: 1, s: 2 }, '  s: 2 # of s\n  r: 1\n'],
])('a merge key %s', (_, value, expected) => {
  expect(withValue(MERGED, value)).toBe(`base: &b {r: 1, p: true}\na:\n${expected}`)
})

test.each([
  ['a text with the same tag and other quotes stays', "a: !t 'x' # why\n", 'a: !t "x"\n', "a: !t 'x' # why\n"],
  ['a text with another tag is written', 'a: x # why\n', 'a: !t x\n', 'a: !t x # why\n'],
  ['a text without the tag is written', 'a: !t x # why\n', 'a: x\n', 'a: x # why\n'],
  ['a number in another spelling stays', 'a: 16 # why\n', 'a: 0x10\n', 'a: 16 # why\n'],
  ['a text of the letters of a number is written', 'a: 1 # why\n', 'a: "1"\n', 'a: "1" # why\n'],
  ['a map goes entry by entry', 'a:\n  b: 1 # one\n  c: 2\n', 'a: {b: 1, c: 0x3}\n', 'a:\n  b: 1 # one\n  c: 0x3\n'],
  ['a map with another tag is written whole', 'a:\n  b: 1 # one\n', 'a: !t {b: 1}\n', 'a: !t\n  b: 1\n'],
  ['a list with another tag is written whole', 'a:\n- x # one\n', 'a: !t [x]\n', 'a: !t\n- x\n'],
  ['a list goes item by item', 'a:\n- x # one\n- y\n', 'a: [x, z]\n', 'a:\n- x # one\n- z\n'],
  ['an item with another tag is another item', 'a:\n- x # one\n- y # two\n', 'a: [!t x, y]\n', 'a:\n- !t x # one\n- y # two\n'],
  ['an empty map for an empty list', 'a: [] # why\n', 'a: {}\n', 'a: {} # why\n'],
  ['an empty map for an empty map', 'a: { } # why\n', 'a: {}\n', 'a: { } # why\n'],
  ['an empty list for an empty list', 'a: [ ] # why\n', 'a: []\n', 'a: [ ] # why\n'],
])('of a value that is copied, %s', (_, text, source, expected) => {
  expect(withCopy(text, source)).toBe(expected)
})
