import { expect, test } from 'vitest'
import { maskedText } from './masked-text.ts'

const SECRET = `apiVersion: v1
kind: Secret
metadata:
  name: s
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"a":"one"}}'
    note: it is c2VjcmV0 # as base64
    other: from before
    example.fluxcd.io/mode: kept
stringData:
  a: one
  a: "two"
  b: |
    lines
    of it
  c: secret
data: {d: b25l}
type: Opaque
`

test('the values of a Secret, and annotations that repeat them, are hidden; every line keeps its number', () => {
  expect(maskedText(`kind: ConfigMap\ndata: {a: one}\n---\n${SECRET}`)).toBe(`kind: ConfigMap
data: {a: one}
---
apiVersion: v1
kind: Secret
metadata:
  name: s
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: not-shown
    note: not-shown # not-shown
    other: not-shown
    example.fluxcd.io/mode: kept
stringData:
  a: not-shown
  a: not-shown
  b: not-shown


  c: not-shown
data: {d: not-shown}
type: Opaque
`)
})

test('a value that differs from the one before says so', () => {
  const before = 'kind: Secret\nmetadata: {name: s}\nstringData:\n  a: one\n  b: two\n'
  const after = before.replace('one', 'three')
  expect(maskedText(after, before)).toBe('kind: Secret\nmetadata: {name: s}\nstringData:\n  a: other-not-shown\n  b: not-shown\n')
})

test('the Secrets of a List, of a SecretList and of JSON are hidden', () => {
  const list = 'kind: List\nitems:\n- kind: Secret\n  data: {a: b25l}\n- kind: ConfigMap\n  data: {a: one}\n'
  expect(maskedText(list)).toBe(list.replace('b25l', 'not-shown'))
  expect(maskedText('kind: SecretList\nitems:\n- data: {a: b25l}\n')).toBe('kind: SecretList\nitems:\n- data: {a: not-shown}\n')
  expect(maskedText('{"kind": "Secret", "data": {"a": "b25l", "n": 5}}')).toBe(
    '{"kind": "Secret", "data": {"a": not-shown, "n": not-shown}}',
  )
})

test('comments of a Secret, which may hold an earlier value, are hidden, but for the marks of functions', () => {
  const text =
    '--- # old: one\n# old: one\nkind: Secret # one\nmetadata: {name: s}\nstringData: # one\n  a: two # kpt-set: ${a}\n  # three\n'
  expect(maskedText(text)).toBe(
    '--- # not-shown\n# not-shown\nkind: Secret # not-shown\nmetadata: {name: s}\nstringData: # not-shown\n  a: not-shown # kpt-set: ${a}\n  # not-shown\n',
  )
  expect(maskedText('# kind: Secret\n# stringData: {a: one}\n')).toBe('# not-shown\n# not-shown\n')
})

test('the value of an anchor is hidden where a Secret names it by an alias, in an item of a List as well', () => {
  expect(maskedText('kind: Secret\nx: &all\n  a: one\n  b: &b two\ndata: *all\nstringData: {c: *b}\n')).toBe(
    'kind: Secret\nx: &all\n  a: not-shown\n  b: &b not-shown\ndata: *all\nstringData: {c: *b}\n',
  )
  expect(maskedText('kind: List\nitems:\n- {kind: ConfigMap, data: &d {a: one}}\n- {kind: Secret, data: *d}\n')).toBe(
    'kind: List\nitems:\n- {kind: ConfigMap, data: &d {a: not-shown}}\n- {kind: Secret, data: *d}\n',
  )
})

test('of a Secret that is no YAML, every value is hidden', () => {
  const text = 'kind: Secret\nmetadata:\n  name: s\nstringData:\n  a: *S3CRET\n  b: [S3CRET\n  S3CRET\n'
  expect(maskedText(text)).toBe('kind: Secret\nmetadata:\n  name: not-shown\nstringData:\n  a: not-shown\n  b: not-shown\n  not-shown\n')
})

test('the lines of a text and the comments of a Secret that is no YAML are hidden', () => {
  expect(maskedText('kind: Secret # one\nstringData:\n  a: |\n    one: two\n  # three\n<<<<<<< here\n')).toBe(
    'kind: Secret\nstringData:\n  a: not-shown\n    not-shown\n  # not-shown\nnot-shown\n',
  )
})

test('a comment of a Secret behind the sign of a block of text is hidden as every other', () => {
  const text = 'kind: Secret\nmetadata: {name: s}\nnote: | # was hunter2\n  # shown\n'
  expect(maskedText(text)).toBe(text.replace('was hunter2', 'not-shown'))
})
