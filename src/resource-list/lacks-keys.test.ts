import { expect, test } from 'vitest'
import { ResourceList } from './resource-list.ts'

const HEAD =
  'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: a\n'
const LAST = '- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: b\n'

test.each([
  {
    what: 'lines of maps and lists without the key',
    spec: 'spec:\n    ports:\n    - containerPort: 80\n    args: [a, "--b"]\n',
    lacks: true,
  },
  { what: 'the key', spec: 'spec:\n    secretName: a\n', lacks: false },
  { what: 'the key in a flow map', spec: 'spec: {secretName: a}\n', lacks: false },
  { what: 'a key that is written with an escape', spec: 'spec:\n    "secre\\x74Name": a\n', lacks: false },
  { what: 'a flow map without the key', spec: 'spec: {a: b}\n', lacks: false },
  { what: 'an alias', spec: 'spec:\n    a: &x 1\n    b: *x\n', lacks: false },
  { what: 'text that is not YAML', spec: 'spec:\n    a: [1\n', lacks: false },
])('an object with $what: $lacks', ({ spec, lacks }) => {
  const [item] = ResourceList.parse(`${HEAD}  ${spec}${LAST}`).items
  expect(item?.lacksKeys(['secretName', 'claimName'])).toBe(lacks)
  expect(item?.name).toBe('a')
  expect(item?.lacksKeys(['secretName', 'claimName'])).toBe(lacks)
})

test('an edit is seen', () => {
  const [item] = ResourceList.parse(`${HEAD}  spec:\n    a: b\n${LAST}`).items
  expect(item?.lacksKeys(['secretName'])).toBe(true)
  item?.set(['spec', 'secretName'], 'c')
  expect(item?.lacksKeys(['secretName'])).toBe(false)
})

test.each([
  { what: 'plain lines without the text', spec: 'spec:\n    args: [a, "--b"]\n', lacks: true },
  { what: 'the text in a value', spec: 'spec:\n    a: my-secret\n', lacks: false },
  { what: 'an alias, which may stand for the text', spec: 'spec:\n    a: *x\n', lacks: false },
  { what: 'an escape, which may hide the text', spec: 'spec:\n    a: "secre\\x74"\n', lacks: false },
  { what: 'text that is not YAML', spec: 'spec:\n    a: [1\n', lacks: false },
])('an object with $what lacks a text: $lacks, before and after its identity is read', ({ spec, lacks }) => {
  const [item] = ResourceList.parse(`${HEAD}  ${spec}${LAST}`).items
  expect(item?.lacksText(/secret/)).toBe(lacks)
  expect(item?.lacksText(/name: a\n/)).toBe(false)
  expect(item?.name).toBe('a')
  expect(item?.lacksText(/secret/)).toBe(lacks)
  expect(item?.lacksText(/name: a\n/)).toBe(false)
})

test('of objects with the same keys, each is searched', () => {
  const [first, second] = ResourceList.parse(`${HEAD}  spec:\n    a: b\n${HEAD.slice(HEAD.indexOf('- '))}  spec:\n    a: secret\n`).items
  expect(first?.lacksText(/secret/)).toBe(true)
  expect(second?.lacksText(/secret/)).toBe(false)
})
