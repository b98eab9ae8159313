import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { markedFields } from './setter-comments.ts'

/** Returns the marked fields of a text: `spec.image ${image}`. */
const marked = (text: string) =>
  markedFields(writtenObject(text)).map(({ path, node, pattern }) => `${path.join('.')} ${node.type} ${pattern}`)

test('scalars with a setter comment are found at any depth, in the order of the text', () => {
  expect(
    marked(`kind: A # kpt-set: \${kind}
spec:
  list:
  - name: a # kpt-set: \${a}
  - b # kpt-set: \${b}
  image: nginx:1 # kpt-set: \${image}:\${tag}
last: 1 # kpt-set: \${last}
`),
  ).toEqual([
    'kind scalar ${kind}',
    'spec.list.0.name scalar ${a}',
    'spec.list.1 scalar ${b}',
    'spec.image scalar ${image}:${tag}',
    'last scalar ${last}',
  ])
})

test('a list has its comment behind its key, or behind its brackets', () => {
  expect(marked('wide: # kpt-set: ${wide}\n- a\nflow: [a] # kpt-set: ${flow}\n')).toEqual([
    'wide sequence ${wide}',
    'flow sequence ${flow}',
  ])
})

test('a list in a list has none, nor has a map, nor a key without a value', () => {
  expect(marked('a:\n- [x] # kpt-set: ${a}\nb: {c: d} # kpt-set: ${b}\nc: # kpt-set: ${c}\nd: "" # kpt-set: ${d}\n')).toEqual([
    'd scalar ${d}',
  ])
})

test('another comment marks nothing', () => {
  expect(marked('a: b # the licence\nc: d # kpt-merge: x\ne: f\n')).toEqual([])
})
