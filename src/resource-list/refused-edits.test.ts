import { expect, test } from 'vitest'
import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

interface Row {
  readonly reason: string
  readonly text: string
  readonly path: FieldPath
  readonly expected: string
}

test.each<Row>([
  {
    reason: 'through an alias',
    text: 'a: &x {b: 1}\nc: *x\n',
    path: ['c', 'b'],
    expected: '`c` must be written out: the alias *x is not expanded',
  },
  {
    reason: 'a key that stands twice',
    text: 'a:\n  b: 1\n  b: 2\n',
    path: ['a', 'b'],
    expected: '`a.b` must occur once, occurs on lines 2 and 3',
  },
  {
    reason: 'a key behind a question mark',
    text: '? a\nb: 1\n',
    path: ['c'],
    expected: "`.` must be written with plain keys to be edited, has keys behind '? '",
  },
  {
    reason: 'an anchored value that an alias stands for',
    text: 'a: &x 1\nc: *x\n',
    path: ['a'],
    expected: '`c` must be written out: the alias *x would change with `a`',
  },
  {
    reason: 'below an anchored map',
    text: 'a: &x {b: 1}\nl:\n- <<: *x\n',
    path: ['a', 'k'],
    expected: '`l[0]["<<"]` must be written out: the alias *x would change with `a`',
  },
  {
    reason: 'above an anchored value',
    text: 'a: {b: &x 1}\nc: *x\n',
    path: ['a'],
    expected: '`c` must be written out: the alias *x would change with `a.b`',
  },
  {
    reason: 'an anchor that stands twice: the last before the alias counts',
    text: 'a: &x 1\nb: &x 2\nc: *x\n',
    path: ['b'],
    expected: '`c` must be written out: the alias *x would change with `b`',
  },
  ...[
    { reason: 'an entry for a pair without braces', text: 'a: [b: x, c]\n', path: ['a', 0, 'k'] },
    { reason: "a map behind '---'", text: '--- {}\n', path: ['k'] },
    { reason: 'a map whose first key has an anchor', text: '&x a: 1\n', path: ['k'] },
    { reason: 'a map whose first key has a tag', text: 'l:\n- !!str a: 1\n  b: 2\n', path: ['l', 0, 'k'] },
  ].map((row) => ({ ...row, expected: `\`${formatFieldPath(row.path)}\` must be in plain YAML to be edited` })),
])('refused: $reason', ({ text, path, expected }) => {
  const object = KrmObject.fromDocument(text)
  expect(() => {
    object.set(path, 'v')
    object.settle()
  }).toThrow(expected)
  expect(object.toText()).toBe(text)
})

test('refused: an edit of several steps makes none of them', () => {
  const text = 'a:\n  p: 1\n  q: &x 1\nb: *x\n'
  const object = KrmObject.fromDocument(text)
  object.set(['a'], { p: 2, q: 2 })
  expect(() => object.settle()).toThrow('`b` must be written out: the alias *x would change with `a.q`')
  expect(object.toText()).toBe(text)
})

test('refused: the place of an alias is that of its line', () => {
  const object = KrmObject.fromDocument('a: &x {b: 1}\n\nc: *x\n', { path: 'a.yaml', index: 0, line: 10 })
  object.delete(['a', 'b'])
  expect(() => object.settle()).toThrow('a.yaml:12:1: error: `c` must be written out: the alias *x would change with `a` [anchored]')
})

test('refused: an entry that an alias stands for is not moved below the alias', () => {
  const text = 'a:\n- &x x\n- *x\n'
  const object = KrmObject.fromDocument(text)
  object.move(['a'], 1, 0)
  expect(() => object.settle()).toThrow('`a[1]` must be written out: the alias *x would change with `a[0]`')
  expect(object.toText()).toBe(text)
})

test('an entry that an alias stands for is moved where the alias keeps its value', () => {
  const object = KrmObject.fromDocument('a:\n- &x x\n- y\nb: *x\n')
  object.move(['a'], 1, 0)
  expect(object.toText()).toBe('a:\n- y\n- &x x\nb: *x\n')
})

test('refused: an item of a list, with the tab and all', () => {
  const text =
    'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n  spec: [a: 1]\n  other:\n  -\t{}\n'
  const list = ResourceList.parse(text)
  const [object] = list.items
  object?.set(['spec', 0, 'k'], 1)
  expect(() => list.settle()).toThrow('`spec[0].k` must be in plain YAML to be edited')
  object?.set(['other', 0, 'k'], 1)
  expect(list.toString([])).toBe(text.replace('-\t{}', '- k: 1'))
})
