import { expect, test } from 'vitest'
import { evaluate } from '../run.ts'
import { KrmObject } from './krm-object.ts'
import { itemText, newDocumentText, ResourceList } from './resource-list.ts'

const LIST = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- # head
  apiVersion: v1
  kind: ConfigMap
  metadata: # kpt-merge: /a
    name: a
    annotations:
      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: 'a.yaml'
      internal.config.kubernetes.io/index: '0'
      internal.config.kubernetes.io/path: 'a.yaml'
  data:
    mode: 0644 # octal
    z: "1"
# between
- apiVersion: v1
  kind: Kptfile
  metadata:
    name: pkg
    annotations:
      config.kubernetes.io/path: 'Kptfile'
  list:
  - name: x # x
  - name: y
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: function-input
  data: {k: v}
`

function itemOf(list: ResourceList, index: number) {
  const item = list.items[index]
  if (item === undefined) throw new Error('no item')
  return item
}

function edited(change: (list: ResourceList) => void): string {
  const list = ResourceList.parse(LIST)
  change(list)
  return list.toString()
}

/** The lines that differ: `-old`, `+new`. */
function diff(text: string): readonly string[] {
  const [a, b] = [LIST.split('\n'), text.split('\n')]
  return [
    ...a.filter((line) => !b.includes(line)).map((line) => `-${line}`),
    ...b.filter((line) => !a.includes(line)).map((line) => `+${line}`),
  ]
}

test('a function that does nothing gives back every byte', () => {
  expect(evaluate(() => {}, LIST)).toEqual({ stdout: LIST, stderr: '', exitCode: 0 })
})

test('an object is what its file holds: no annotations of the wire', () => {
  const item = itemOf(ResourceList.parse(LIST), 0)
  expect(item.annotations.size).toBe(0)
  expect(item.toJson()).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { mode: 420, z: '1' } })
})

test('positions are those of the file', () => {
  const item = itemOf(ResourceList.parse(LIST), 0)
  expect(item.positionOf(['data', 'mode'])).toEqual({ line: 7, column: 9 })
  expect(item.keyPositionOf(['data', 'mode'])).toEqual({ line: 7, column: 3 })
})

test.each([
  { reason: 'an equal value is left alone', change: (list: ResourceList) => itemOf(list, 0).set(['data', 'mode'], 420), expected: [] },
  {
    reason: 'a scalar keeps its quotes',
    change: (list: ResourceList) => itemOf(list, 0).set(['data', 'z'], '2'),
    expected: ['-    z: "1"', '+    z: "2"'],
  },
  {
    reason: 'a trailing comment stays',
    change: (list: ResourceList) => itemOf(list, 0).set(['data', 'mode'], 'x'),
    expected: ['-    mode: 0644 # octal', '+    mode: x # octal'],
  },
  {
    reason: 'a new key goes to the end of its map',
    change: (list: ResourceList) => itemOf(list, 0).set(['data', 'new'], 'yes'),
    expected: ['+    new: "yes"'],
  },
  {
    reason: 'maps on the way are made',
    change: (list: ResourceList) => itemOf(list, 0).set(['a', 'b'], { c: [1] }),
    expected: ['+  a:', '+    b:', '+      c:', '+      - 1'],
  },
  {
    reason: 'equal list entries keep their comments',
    change: (list: ResourceList) => itemOf(list, 1).set(['list'], [{ name: 'w' }, { name: 'x' }, { name: 'y' }]),
    expected: ['+  - name: w'],
  },
  { reason: 'delete takes the line', change: (list: ResourceList) => itemOf(list, 0).delete(['data', 'z']), expected: ['-    z: "1"'] },
  {
    reason: 'the last key leaves an empty map',
    change: (list: ResourceList) => {
      itemOf(list, 0).delete(['data', 'z'])
      itemOf(list, 0).delete(['data', 'mode'])
    },
    expected: ['-  data:', '-    mode: 0644 # octal', '-    z: "1"', '+  data: {}'],
  },
  {
    reason: 'annotations of the wire survive',
    change: (list: ResourceList) => itemOf(list, 1).set(['metadata', 'annotations'], { a: 'b' }),
    expected: ['+      a: b'],
  },
])('$reason', ({ change, expected }) => {
  expect(diff(edited(change))).toEqual(expected)
})

test('removing an item keeps the comment between it and the next', () => {
  const text = edited((list) => list.remove(itemOf(list, 0)))
  expect(text).toContain('items:\n# between\n- apiVersion')
})

test('upsert adds beside and updates by identity', () => {
  const list = ResourceList.parse(LIST)
  const value = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }
  const added = list.upsert(value, 'a.yaml', itemOf(list, 0))
  expect(added.file).toEqual({ path: 'a.yaml', index: 1 })
  expect(list.upsert(value, 'b.yaml')).toBe(added)
  const again = ResourceList.parse(list.toString())
  expect(again.items.map((item) => item.name)).toEqual(['a', 's', 'pkg'])
})

test('what is put beside a new item stands where that stands', () => {
  const list = ResourceList.parse(LIST)
  const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } })
  const first = list.upsert(secret('first'), 'a.yaml', itemOf(list, 0))
  const last = list.upsert(secret('last'), 'b.yaml')
  list.upsert(secret('second'), 'a.yaml', first)
  list.upsert(secret('very-last'), 'b.yaml', last)
  list.remove(first)
  const names = ['a', 'second', 'pkg', 'last', 'very-last']
  expect(list.items.map(({ name }) => name)).toEqual(names)
  expect(ResourceList.parse(list.toString()).items.map(({ name }) => name)).toEqual(names)
})

test.each([
  ['    text\n', 'ConfigMap text'],
  ['\n    text\n', 'ConfigMap\ntext'],
  ['  # a comment\n', 'ConfigMap'],
  ['', 'ConfigMap'],
  ["  'metadata': {}\n", 'ConfigMap'],
])('a kind goes on where a deeper line follows: %j', (further, kind) => {
  const list = ResourceList.parse(
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n${further}`,
  )
  expect(itemOf(list, 0).kind).toBe(kind)
})

test.each([
  ['its lines are indented', 'a:\n  b: 1\n\nc: 2\n', '  - a:\n      b: 1\n\n    c: 2\n'],
  ['blank lines at the end go', 'a: 1\n\n\n', '  - a: 1\n'],
  ['blank lines at the end of a text that keeps them stay', 'a: |+\n  x\n\n', '  - a: |+\n      x\n\n'],
  ['CRLF is LF in a list', 'a: 1\r\nb: 2\r\n', '  - a: 1\n    b: 2\n'],
  ['a text without a line break gets one', 'a: 1', '  - a: 1\n'],
  ['a block of text at the end keeps its value', 'a: |\n  x', '  - a: |-\n      x\n'],
])('a document as an item of a list with dashes in column 2: %s', (_, text, expected) => {
  expect(itemText(KrmObject.fromDocument(text), 2)).toBe(expected)
})

test('the text of an item stays if its dash is in the column, else the item is written anew', () => {
  const [item] = ResourceList.parse('kind: ResourceList\napiVersion: config.kubernetes.io/v1\nitems:\n- a:   1 # one\n  b: 2\n').items
  expect(item && itemText(item, 0)).toBe('- a:   1 # one\n  b: 2\n')
  expect(item && itemText(item, 2)).toBe('  - a: 1\n    b: 2\n')
})

test('a new document has compact lists and ends with a line break', () => {
  expect(newDocumentText({ a: [{ b: 1 }], c: [] })).toBe('a:\n- b: 1\nc: []\n')
})
