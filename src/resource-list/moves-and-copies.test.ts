import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'

test.each([
  {
    reason: 'forward, its comments with it',
    text: 'a:\n- x\n# y\n- y # c\n- z\nb: 1\n',
    from: 1,
    to: 0,
    expected: 'a:\n# y\n- y # c\n- x\n- z\nb: 1\n',
  },
  { reason: 'back to the end of a text without a final line feed', text: 'a:\n- x\n- y', from: 0, to: 1, expected: 'a:\n- y\n- x' },
  { reason: 'in flow style', text: 'a: [x, z, w]\n', from: 2, to: 0, expected: 'a: [w, x, z]\n' },
  {
    reason: 'beside an alias of another value',
    text: 'a:\n- x\n# y\n- y\nb: &x 1\nc: *x\n',
    from: 1,
    to: 0,
    expected: 'a:\n# y\n- y\n- x\nb: &x 1\nc: *x\n',
  },
])('move: $reason', ({ text, from, to, expected }) => {
  const object = KrmObject.fromDocument(text)
  object.move(['a'], from, to)
  expect(object.toText()).toBe(expected)
})

test('copy: an entry that another takes the place of keeps nothing', () => {
  const source = KrmObject.fromDocument('l:\n- name: b\n  v: 1.0\n- name: a\n  v: 2\n')
  const copy = KrmObject.fromDocument('l:\n- name: a\n  v: 1\n')
  copy.copy(['l'], source)
  expect(copy.toText()).toBe('l:\n- name: b\n  v: 1.0\n- name: a\n  v: 2\n')
})

test('copy: new numbers are spelled as the source has them, equal ones keep their own', () => {
  const source = KrmObject.fromDocument('spec:\n  mode: 0644 # source\n  ratio: 1.0\n  same: 420\n  list: [1e3, ~]\n')
  const copy = KrmObject.fromDocument('spec:\n  same: 0o644 # own\n  gone: 1\n')
  copy.copy(['spec'], source)
  expect(copy.toText()).toBe('spec:\n  same: 0o644 # own\n  mode: 0644\n  ratio: 1.0\n  list:\n  - 1e3\n  - ~\n')
})
