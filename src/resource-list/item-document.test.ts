import { expect, test } from 'vitest'
import { allAnnotations, itemDocument, objectValue } from './item-document.ts'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'

function item(text: string): KrmObject {
  const [first] = ResourceList.parse(`${HEAD}${text}`).items
  if (first === undefined) throw new Error('there is one')
  return first
}

const PATH = 'config.kubernetes.io/path: a.yaml'

test.each([
  {
    reason: 'without its dash and indentation',
    text: '- kind: A\n  spec:\n    b: |\n      c\n       d\n',
    expected: 'kind: A\nspec:\n  b: |\n    c\n     d\n',
  },
  { reason: 'of a deeper list', text: '  -   kind: A\n      spec: 1\n', expected: 'kind: A\nspec: 1\n' },
  {
    reason: 'without the annotations of the wire',
    text: `- kind: A\n  metadata:\n    annotations:\n      ${PATH}\n      x: y # kept\n    name: a\n`,
    expected: 'kind: A\nmetadata:\n  annotations:\n    x: y # kept\n  name: a\n',
  },
  {
    reason: 'without annotations that were all of the wire',
    text: `- kind: A\n  metadata:\n    name: a\n    annotations:\n      ${PATH}\n`,
    expected: 'kind: A\nmetadata:\n  name: a\n',
  },
  {
    reason: 'without metadata that was all of the wire',
    text: `- kind: A\n  metadata:\n    annotations:\n      ${PATH}\n  b: 1\n`,
    expected: 'kind: A\nb: 1\n',
  },
])('an item as a document of a file: $reason', ({ text, expected }) => {
  const document = itemDocument(item(text))
  expect(document.toText()).toBe(expected)
  expect(document.isDocument).toBe(true)
})

test('a document stays as it is, and the copy is edited alone', () => {
  const object = KrmObject.fromDocument('# head\nkind: A\nmetadata: {name: a}\n')
  const copy = itemDocument(object)
  copy.set(['kind'], 'B')
  expect(copy.toText()).toBe('# head\nkind: B\nmetadata: {name: a}\n')
  expect(object.toText()).toBe('# head\nkind: A\nmetadata: {name: a}\n')
})

test('all annotations are those of the wire too', () => {
  expect(allAnnotations(item(`- kind: A\n  metadata: {annotations: {${PATH}, x: y}}\n`))).toEqual(
    new Map([
      ['config.kubernetes.io/path', 'a.yaml'],
      ['x', 'y'],
    ]),
  )
})

test.each([
  { text: '- kind: A\n  b: 1\n', expected: { kind: 'A', b: 1 } },
  { text: '- kind: A\n  metadata: {}\n', expected: { kind: 'A' } },
  { text: `- kind: A\n  metadata: {annotations: {${PATH}}}\n`, expected: { kind: 'A' } },
  { text: '- kind: A\n  metadata: {name: a}\n', expected: { kind: 'A', metadata: { name: 'a' } } },
  { text: '- kind: A\n  metadata: a\n', expected: { kind: 'A', metadata: 'a' } },
])('the value of an item has no metadata that was of the wire alone: $text', ({ text, expected }) => {
  expect(objectValue(item(text))).toEqual(expected)
})
