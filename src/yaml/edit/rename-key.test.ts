import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readYaml } from '../read/yaml-reader.ts'
import { keyComment } from './rename-key.ts'

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

test.each([
  { reason: 'a first one', text: 'spec:\n  a: 1\n', expected: 'spec: # new\n  a: 1\n' },
  { reason: 'in the place of another', text: 'spec: # old\n  a: 1\n', expected: '# old\nspec: # new\n  a: 1\n' },
  { reason: 'a first one, CRLF', text: 'spec:\r\n  a: 1\r\n', expected: 'spec: # new\r\n  a: 1\r\n' },
  { reason: 'in the place of another, CRLF', text: 'spec: # old\r\n  a: 1\r\n', expected: '# old\r\nspec: # new\r\n  a: 1\r\n' },
  { reason: 'behind an anchor', text: 'spec: &s # old\n  a: 1\n', expected: '# old\nspec: &s # new\n  a: 1\n' },
  { reason: 'none for a value on the same line', text: 'spec: {a: 1} # old\n', expected: 'spec: {a: 1} # old\n' },
  { reason: 'none for a key that is not there', text: 'a: 1\n', expected: 'a: 1\n' },
])('a comment behind a key: $reason', ({ text, expected }) => {
  const object = KrmObject.fromDocument(text)
  object.setKeyComment(['spec'], '# new')
  expect(object.toText()).toBe(expected)
})

test.each([
  ['of a nested key has its column', 'a:\n  spec: # old\n    b: 1\n', 'a:\n  # old\n  spec: # new\n    b: 1\n', ['a', 'spec']],
  [
    'of the first key of an item is behind the dash',
    '- spec: # old\r\n    b: 1\r\n',
    '- # old\r\n  spec: # new\r\n    b: 1\r\n',
    [0, 'spec'],
  ],
])('an earlier comment that moves up %s', (_what, text, expected, path) => {
  const object = KrmObject.fromDocument(text)
  object.setKeyComment(path, '# new')
  expect(object.toText()).toBe(expected)
})

test('a comment behind a key goes without a trace', () => {
  const object = KrmObject.fromDocument('spec: # old\r\n  a: 1\r\n')
  object.setKeyComment(['spec'], undefined)
  expect(object.toText()).toBe('spec:\r\n  a: 1\r\n')
})

test.each([
  ['spec: # note\n  a: 1\n', ['spec'], '# note'],
  ['spec: # note\r\n  a: 1\r\n', ['spec'], '# note'],
  ['- spec: # note\n    a: 1\n', [0, 'spec'], '# note'],
  ['spec:\n  a: 1 # of a\n', ['spec'], undefined],
  ['spec:\n# of a\n  a: 1\n', ['spec'], undefined],
  ['spec: {a: 1} # note\n', ['spec'], undefined],
  ['spec: x # note\n', ['spec'], undefined],
  ['spec: # note\n  a: 1\n', ['other'], undefined],
  ['- # note\n  a: 1\n', [0], undefined],
])('the comment of a key with its value below, in %j at %j, is %j', (text, path, expected) => {
  expect(keyComment(text, readYaml(text), path)).toBe(expected)
})
