import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isReadable, withAnnotations } from './with-annotations.ts'

test.each([
  { reason: 'a map of annotations', text: '# head\nkind: A\nmetadata:\n  annotations: # why\n    b: "2"\n  name: x\n' },
  { reason: 'an indent of four', text: 'metadata:\n    annotations:\n        b: "2"\n' },
  { reason: 'metadata without annotations', text: 'kind: A\nmetadata:\n  name: x # name\n' },
  { reason: 'no metadata', text: '# head\nkind: A\ndata:\n  a: |+\n    b\n\n' },
  { reason: 'flow', text: '{kind: A, metadata: {name: x, annotations: {b: "2"}}}\n' },
  { reason: 'empty maps in flow', text: '{metadata: {annotations: {}}}\n' },
  { reason: 'JSON', text: '{\n  "kind": "A",\n  "metadata": {"name": "x"}\n}\n' },
  { reason: 'metadata is null', text: 'metadata:\nkind: A\n' },
  { reason: 'annotations are ~', text: 'metadata:\n  annotations: ~ # none\n  name: x\n' },
  { reason: 'an empty flow map in a block map', text: 'metadata:\n  annotations: {}\n' },
])('annotations are put in front of those that are there, and nothing else changes: $reason', ({ text }) => {
  const before = parse(text)
  const annotations = { 'x/y': '0', ...before.metadata?.annotations }
  const after = withAnnotations(text, { 'x/y': '0' })
  expect(parse(after)).toEqual({ ...before, metadata: { ...before.metadata, annotations } })
  const comments = text.match(/#.*/g) ?? []
  expect(after.match(/#.*/g) ?? []).toEqual(comments)
})

test('where none can be put it is said', () => {
  expect(() => withAnnotations('x: &a {b: c}\nmetadata: *a\n', { y: '0' })).toThrow('metadata')
})

test.each([
  { text: 'kind: A', readable: true },
  { text: '- a', readable: false },
  { text: 'a: [', readable: false },
  { text: '', readable: false },
])('$text is a resource: $readable', ({ text, readable }) => {
  expect(isReadable(text)).toBe(readable)
})
