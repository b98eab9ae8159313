import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'

test.each([
  {
    reason: 'comments and the value stay',
    text: 'spec: # of it\n  # why\n  nmae: x # the name\n',
    expected: 'spec: # of it\n  # why\n  name: x # the name\n',
  },
  { reason: 'a value on the lines below', text: 'spec:\n  nmae:\n    - x\n', expected: 'spec:\n  name:\n    - x\n' },
  { reason: 'in braces', text: 'spec: {nmae: x, b: 1}\n', expected: 'spec: {name: x, b: 1}\n' },
  { reason: 'double quotes stay', text: '{"spec": {"nmae": 1}}\n', expected: '{"spec": {"name": 1}}\n' },
  { reason: 'single quotes stay', text: "spec:\n  'nmae': 1\n", expected: "spec:\n  'name': 1\n" },
  { reason: 'CRLF stays', text: 'spec:\r\n  nmae: 1\r\n', expected: 'spec:\r\n  name: 1\r\n' },
  { reason: 'a key with an anchor beside it', text: 'spec:\n  nmae: &a 1\n  b: *a\n', expected: 'spec:\n  name: &a 1\n  b: *a\n' },
  { reason: 'the new key is there', text: 'spec:\n  nmae: 1\n  name: 2\n', expected: undefined },
  { reason: 'the key stands twice', text: 'spec:\n  nmae: 1\n  nmae: 2\n', expected: undefined },
  { reason: 'the key is not there', text: 'spec:\n  a: 1\n', expected: undefined },
  { reason: 'a key behind a question mark', text: 'spec:\n  ? nmae\n  : 1\n', expected: undefined },
])('a key gets another name: $reason', ({ text, expected }) => {
  const object = KrmObject.fromDocument(text)
  expect(object.renameKey(['spec', 'nmae'], 'name')).toBe(expected !== undefined)
  expect(object.toText()).toBe(expected ?? text)
})

test('a key at the root, and what is asked for afterwards', () => {
  const object = KrmObject.fromDocument('apiVersion: v1\nkin: ConfigMap\n')
  expect(object.kind).toBe(undefined)
  expect(object.renameKey(['kin'], 'kind')).toBe(true)
  expect(object.kind).toBe('ConfigMap')
})
