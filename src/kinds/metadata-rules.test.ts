import { expect, test } from 'vitest'
import { metadataFaults, objectNameFaults } from './metadata-rules.ts'

test.each([
  { reason: 'nothing', metadata: {}, expected: [] },
  {
    reason: 'valid keys and values',
    metadata: { labels: { 'example.com/a': '' }, annotations: { 'Example.com/a': 'any text' } },
    expected: [],
  },
  { reason: 'a label key', metadata: { labels: { 'a b': 'c' } }, expected: ['label-key labels/a b at the key'] },
  { reason: 'a label value', metadata: { labels: { a: 'b c' } }, expected: ['label-value labels/a'] },
  {
    reason: 'key and value of one label',
    metadata: { labels: { 'a b': 'c d' } },
    expected: ['label-key labels/a b at the key', 'label-value labels/a b'],
  },
  {
    reason: 'capitals in the prefix of a label',
    metadata: { labels: { 'Example.com/a': 'b' } },
    expected: ['label-key labels/Example.com/a at the key'],
  },
  { reason: 'an annotation key', metadata: { annotations: { 'a b': 'c d' } }, expected: ['annotation-key annotations/a b at the key'] },
  {
    reason: 'placeholders, which another rule reports',
    metadata: { labels: { '${A}': '${B C}', '{{ a }}': '{{ b }}' }, annotations: { '${A B}': 'c' } },
    expected: [],
  },
])('labels and annotations of a package revision: $reason', ({ metadata, expected }) => {
  const faults = metadataFaults(metadata, [])
  expect(faults.map(({ rule, path, atKey }) => `${rule} ${path.join('/')}${atKey ? ' at the key' : ''}`)).toEqual(expected)
  expect(faults.every(({ severity }) => severity === 'warning')).toBe(true)
})

test('the message says what is allowed, what was found, and that only the package revision is refused', () => {
  const [key, value, annotation] = metadataFaults({ labels: { '-': 'b'.repeat(64) }, annotations: { '-': '' } }, ['spec'])
  expect(key?.message).toBe("must have a label key such as 'env' or 'example.com/env', got '-'; an API server refuses the package revision")
  expect(value?.message).toBe(
    `must be a label value: at most 63 of A-Z, a-z, 0-9, '-', '_' and '.', beginning and ending with a letter or digit, got '${'b'.repeat(64)}'; an API server refuses the package revision`,
  )
  expect(annotation?.message).toBe(
    "must have an annotation key such as 'env' or 'example.com/env', got '-'; an API server refuses the package revision",
  )
  expect(key?.path).toEqual(['spec', 'labels', '-'])
})

test.each([
  { reason: 'a subdomain and a label', metadata: { name: 'a.b-c', namespace: 'd-e' }, expected: [] },
  { reason: 'no namespace', metadata: { name: 'a' }, expected: [] },
  { reason: 'an empty name and namespace', metadata: { name: '', namespace: '' }, expected: [] },
  { reason: 'placeholders', metadata: { name: '${A}', namespace: 'a-$B' }, expected: [] },
  { reason: 'capitals', metadata: { name: 'A', namespace: 'B' }, expected: ['name', 'namespace'] },
  { reason: 'a dot in a namespace', metadata: { name: 'a', namespace: 'b.c' }, expected: ['namespace'] },
  { reason: 'braces without a dollar', metadata: { name: '{{ a }}' }, expected: ['name'] },
])('the name and namespace of an object: $reason', ({ metadata, expected }) => {
  const faults = objectNameFaults(metadata)
  expect(faults.map(({ severity, rule, path }) => [severity, rule, path])).toEqual(
    expected.map((field) => ['error', 'object-name', ['metadata', field]]),
  )
})

test('the message about a name has the form of a subdomain, the message about a namespace the form of a label', () => {
  expect(objectNameFaults({ name: 'A', namespace: 'B' }).map(({ message }) => message)).toEqual([
    "must be at most 253 of a-z, 0-9, '-' and '.', beginning and ending with a letter or digit, got 'A'",
    "must be at most 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit, got 'B'",
  ])
})
