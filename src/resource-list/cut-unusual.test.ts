import { expect, test } from 'vitest'
import { cutUnusual, type WrapperRule } from './cut-unusual.ts'
import { WireError } from './wire-error.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'

test.each([
  {
    reason: 'JSON: bare items and a bare root',
    text: '{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "items": [{"a": 1}, {"b": 2}]}',
    expected: {
      pieces: [
        { key: 'kind', text: '"ResourceList"' },
        { key: 'apiVersion', text: '"config.kubernetes.io/v1"' },
        { key: 'items', text: '' },
      ],
      slices: ['{"a": 1}', '{"b": 2}'],
      column: 0,
      bareItems: true,
      bareRoot: true,
    },
  },
  {
    reason: 'a list in brackets in block style: bare items',
    text: `${HEAD}items: [{a: 1}, {b: 2}]\nfunctionConfig: {c: 3}\n`,
    expected: {
      pieces: [
        { key: '', text: '' },
        { key: 'apiVersion', text: 'apiVersion: config.kubernetes.io/v1\n' },
        { key: 'kind', text: 'kind: ResourceList\n' },
        { key: 'items', text: 'items: [{a: 1}, {b: 2}]\n' },
        { key: 'functionConfig', text: 'functionConfig: {c: 3}\n' },
      ],
      slices: ['{a: 1}', '{b: 2}'],
      column: 0,
      bareItems: true,
      bareRoot: false,
    },
  },
  {
    reason: 'items with dashes, whose last ends where the next key begins',
    text: `%YAML 1.2\n---\n${HEAD}"items":\n  - a: 1\n  # of b\n  - b: 2\nresults: []\n`,
    expected: {
      pieces: [
        { key: '', text: '%YAML 1.2\n---\n' },
        { key: 'apiVersion', text: 'apiVersion: config.kubernetes.io/v1\n' },
        { key: 'kind', text: 'kind: ResourceList\n' },
        { key: 'items', text: '"items":\n' },
        { key: 'results', text: 'results: []\n' },
      ],
      slices: ['  - a: 1\n  # of b\n', '  - b: 2\n'],
      column: 2,
      bareItems: false,
      bareRoot: false,
    },
  },
  {
    reason: 'items without a value',
    text: `${HEAD}items:\n`,
    expected: {
      pieces: [
        { key: '', text: '' },
        { key: 'apiVersion', text: 'apiVersion: config.kubernetes.io/v1\n' },
        { key: 'kind', text: 'kind: ResourceList\n' },
        { key: 'items', text: 'items:\n' },
      ],
      slices: [],
      column: 0,
      bareItems: false,
      bareRoot: false,
    },
  },
])('cut by parsing: $reason', ({ text, expected }) => {
  expect(cutUnusual(text, 'strict')).toEqual(expected)
})

test.each([
  { version: 'config.kubernetes.io/v1' },
  { version: 'config.kubernetes.io/v1beta1' },
  { version: 'config.kubernetes.io/v1alpha1' },
])('the version $version is read', ({ version }) => {
  expect(cutUnusual(`apiVersion: ${version}\nkind: ResourceList\nitems: []\n`, 'strict').slices).toEqual([])
})

const KIND = 'expected `kind: ResourceList`, found'
const VERSION = 'expected `apiVersion: config.kubernetes.io/v1` (or v1beta1, v1alpha1), found'
const LONG = 'a'.repeat(41)

test.each([
  { reason: 'no kind', text: 'apiVersion: config.kubernetes.io/v1\n', expected: `${KIND} no \`kind\` (line 1, column 1)` },
  { reason: 'a kind without a value', text: 'kind:\n', expected: `${KIND} nothing (line 1, column 6)` },
  { reason: 'a kind that is a list', text: 'kind: [a]\n', expected: `${KIND} a list (line 1, column 7)` },
  { reason: 'a kind that is an alias', text: 'a: &x b\nkind: *x\n', expected: `${KIND} an alias (line 2, column 7)` },
  { reason: 'a long kind is cut', text: `kind: ${LONG}\n`, expected: `${KIND} '${'a'.repeat(40)}' (line 1, column 7)` },
  { reason: 'no version', text: 'kind: ResourceList\n', expected: `${VERSION} no \`apiVersion\` (line 1, column 1)` },
  {
    reason: 'a version of later days',
    text: 'kind: ResourceList\napiVersion: config.kubernetes.io/v1beta2\n',
    expected: `${VERSION} 'config.kubernetes.io/v1beta2' (line 2, column 13)`,
  },
  { reason: 'a version that is a map', text: 'kind: ResourceList\napiVersion: {}\n', expected: `${VERSION} a map (line 2, column 13)` },
  {
    reason: 'a second document',
    text: `${HEAD}---\na: 1\n`,
    expected: 'expected one YAML document with a ResourceList, found a fault: a second document begins (line 3, column 1)',
  },
  { reason: 'items that are a text', text: `${HEAD}items: a\n`, expected: "expected `items` to be a list, found 'a' (line 3, column 8)" },
])('refused at its place: $reason', ({ text, expected }) => {
  expect(() => cutUnusual(text, 'strict')).toThrow(WireError)
  expect(() => cutUnusual(text, 'strict')).toThrow(expected)
})

test.each<{ readonly reason: string; readonly text: string; readonly accepted: readonly WrapperRule[] }>([
  { reason: 'a field of another program', text: `${HEAD}spec: {}\nitems: []\n`, accepted: ['extended', 'any'] },
  { reason: 'an object of another kind', text: 'apiVersion: v1\nkind: List\nitems: []\n', accepted: ['any'] },
  { reason: 'a key twice', text: `${HEAD}items: []\nitems: []\n`, accepted: [] },
  { reason: 'items that are a map', text: `${HEAD}items: {a: b}\n`, accepted: [] },
  { reason: 'the fields of a list', text: `${HEAD}metadata: {}\nitems: []\nresults: []\n`, accepted: ['strict', 'extended', 'any'] },
])('the wrapper of a list: $reason', ({ text, accepted }) => {
  const rules: readonly WrapperRule[] = ['strict', 'extended', 'any']
  const readable = rules.filter((rule) => {
    try {
      return cutUnusual(text, rule).slices.length === 0
    } catch (error) {
      if (error instanceof WireError) return false
      throw error
    }
  })
  expect(readable).toEqual(accepted)
})
