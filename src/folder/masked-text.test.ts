import { expect, test } from 'vitest'
import { maskedText } from './masked-text.ts'

const SECRET = `apiVersion: v1
kind: Secret
metadata:
  name: s
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"a":"one"}}'
    note: it is c2VjcmV0 # as base64
    other: kept
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
    note: not-shown # as base64
    other: kept
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

test('of a Secret that is no YAML, every value is hidden', () => {
  const text = 'kind: Secret\nmetadata:\n  name: s\nstringData:\n  a: *S3CRET\n  b: [S3CRET\n  S3CRET\n'
  expect(maskedText(text)).toBe('kind: Secret\nmetadata:\n  name: not-shown\nstringData:\n  a: not-shown\n  b: not-shown\n  not-shown\n')
})
