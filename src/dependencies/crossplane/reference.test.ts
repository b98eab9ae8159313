import { describe, expect, test } from 'vitest'
import {
  friendlyID,
  generatedName,
  hasRegistry,
  isCompleteTag,
  isDigest,
  parseReference,
  referenceTo,
  sourceFromReference,
  toDNSLabel,
} from './reference.ts'
import { digest } from './testing/objects.ts'

const A = digest('a')

describe('parseReference', () => {
  test.each([
    { reference: 'xpkg.example.org/acme/helm:v1.2.3', source: 'xpkg.example.org/acme/helm', tag: 'v1.2.3', digest: '' },
    { reference: `xpkg.example.org/acme/helm@${A}`, source: 'xpkg.example.org/acme/helm', tag: '', digest: A },
    { reference: `xpkg.example.org/acme/helm:v1@${A}`, source: 'xpkg.example.org/acme/helm', tag: 'v1', digest: A },
    { reference: 'localhost:5000/acme/helm', source: 'localhost:5000/acme/helm', tag: '', digest: '' },
    { reference: 'localhost:5000/acme/helm:v1', source: 'localhost:5000/acme/helm', tag: 'v1', digest: '' },
    { reference: '', source: '', tag: '', digest: '' },
  ])('$reference', ({ reference, ...parts }) => {
    expect(parseReference(reference)).toEqual(parts)
  })

  test('a reference that is written from its parts is read as these parts', () => {
    for (const version of ['v1.2.3', A]) {
      const { source, tag, digest } = parseReference(referenceTo('localhost:5000/acme/helm', version))
      expect([source, tag || digest]).toEqual(['localhost:5000/acme/helm', version])
    }
  })
})

test('the Lock keeps the tag of a reference with tag and digest in the source, as crossplane#7458 describes', () => {
  expect(sourceFromReference(`xpkg.example.org/helm:v1@${A}`)).toBe('xpkg.example.org/helm:v1')
  expect(sourceFromReference('xpkg.example.org/helm:v1')).toBe('xpkg.example.org/helm')
  expect(sourceFromReference(`xpkg.example.org/helm@${A}`)).toBe('xpkg.example.org/helm')
})

test.each([
  { source: 'xpkg.example.org/acme/helm', has: true },
  { source: 'localhost/helm', has: true },
  { source: 'registry:5000/helm', has: true },
  { source: 'acme/helm', has: false },
  { source: 'helm', has: false },
  { source: 'example.org', has: false },
])('the first part of $source names a registry: $has', ({ source, has }) => {
  expect(hasRegistry(source)).toBe(has)
})

describe('generatedName', () => {
  test('is the path of the repository without its registry', () => {
    expect(generatedName('xpkg.example.org/acme/provider-helm')).toBe('acme-provider-helm')
  })

  test('is the whole source if the source names no registry', () => {
    expect(generatedName('acme/provider-helm')).toBe('acme-provider-helm')
  })
})

describe('toDNSLabel', () => {
  test.each([
    { rule: 'separators become hyphens', text: 'a.b/c:d-e', label: 'a-b-c-d-e' },
    { rule: 'any other character is removed, capitals too', text: 'aBc_d', label: 'acd' },
    { rule: 'a separator at either end is removed', text: '/abc.', label: 'abc' },
    { rule: 'a label has at most 63 characters', text: 'a'.repeat(80), label: 'a'.repeat(63) },
    { rule: 'a separator at the 63rd character is removed', text: `${'a'.repeat(62)}-b`, label: 'a'.repeat(62) },
  ])('$rule', ({ text, label }) => {
    expect(toDNSLabel(text)).toBe(label)
  })
})

test('the name of a revision has at most 50 characters of the package and 12 of the hash', () => {
  expect(friendlyID('helm', '0123456789abcdef')).toBe('helm-0123456789ab')
  expect(friendlyID('p'.repeat(60), '0123456789abcdef')).toBe(`${'p'.repeat(50)}-0123456789ab`)
})

test('a tag is complete with three numbers, with or without v, prerelease and build', () => {
  expect(['v1.2.3', '1.2.3', 'v1.2.3-rc.1', '1.2.3+build'].filter(isCompleteTag).length).toBe(4)
  expect(['v1', 'v1.2', 'latest', '', 'v1.2.3.4'].filter(isCompleteTag)).toEqual([])
})

test('a digest has 64 hex digits in lower case', () => {
  expect(isDigest(A)).toBe(true)
  expect([A.slice(0, -1), A.toUpperCase(), `${A}a`, 'v1.0.0', ''].filter(isDigest)).toEqual([])
})
