import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import type { TargetFields } from './package-variant-set-schema.ts'
import { decodeTarget, type Target, targetFaults } from './target.ts'

const EMPTY = { matchLabels: new Map(), matchExpressions: [] }

const DECODED: readonly { readonly reason: string; readonly target: TargetFields; readonly criteria: Target['criteria'] }[] = [
  {
    reason: 'repositories by name, with packages and without',
    target: { repositories: [{ name: 'a', packageNames: ['b', 'c'] }, { name: 'd' }] },
    criteria: {
      type: 'repositories',
      repositories: [
        { name: 'a', packageNames: ['b', 'c'] },
        { name: 'd', packageNames: [] },
      ],
    },
  },
  {
    reason: 'repositories by label',
    target: {
      repositorySelector: {
        matchLabels: { a: 'b' },
        matchExpressions: [
          { key: 'c', operator: 'In', values: ['d'] },
          { key: 'e', operator: 'Exists' },
        ],
      },
    },
    criteria: {
      type: 'repositorySelector',
      selector: {
        matchLabels: new Map([['a', 'b']]),
        matchExpressions: [
          { key: 'c', operator: 'In', values: ['d'] },
          { key: 'e', operator: 'Exists', values: [] },
        ],
      },
      packageNames: [],
    },
  },
  {
    reason: 'packages in a selector of repositories come before those beside the selector',
    target: { repositorySelector: { packageNames: ['a'] }, packageNames: ['b'] },
    criteria: { type: 'repositorySelector', selector: EMPTY, packageNames: ['a', 'b'] },
  },
  {
    reason: 'objects by label, with packages in and beside the selector',
    target: {
      objectSelector: { apiVersion: 'v1', kind: 'A', name: 'b', matchLabels: { c: 'd' }, packageNames: ['e'] },
      packageNames: ['f'],
    },
    criteria: {
      type: 'objectSelector',
      apiVersion: 'v1',
      kind: 'A',
      name: 'b',
      selector: { matchLabels: new Map([['c', 'd']]), matchExpressions: [] },
      packageNames: ['e', 'f'],
    },
  },
  {
    reason: 'an empty name selects objects of every name',
    target: { objectSelector: { apiVersion: 'v1', kind: 'A', name: '' } },
    criteria: { type: 'objectSelector', apiVersion: 'v1', kind: 'A', selector: EMPTY, packageNames: [] },
  },
  { reason: 'no criterion', target: {}, criteria: { type: 'repositories', repositories: [] } },
]

test.each(DECODED)('decoded: $reason', ({ target, criteria }) => {
  expect(decodeTarget(target, ['t'])).toEqual({ path: ['t'], criteria })
})

test('the template of a target is decoded at its path', () => {
  expect(decodeTarget({ repositories: [], template: { labels: { a: 'b' } } }, ['t']).template).toMatchObject({
    path: ['t', 'template'],
    labels: new Map([['a', 'b']]),
  })
})

const OBJECTS = { apiVersion: 'v1', kind: 'A' }

const ROWS: readonly { readonly reason: string; readonly target: TargetFields; readonly expected: readonly string[] }[] = [
  { reason: 'repositories by name', target: { repositories: [{ name: 'a', packageNames: ['b'] }] }, expected: [] },
  { reason: 'repositories by label', target: { repositorySelector: {} }, expected: [] },
  { reason: 'objects', target: { objectSelector: OBJECTS }, expected: [] },
  { reason: 'no criterion', target: {}, expected: ['error target-criteria t'] },
  {
    reason: 'two criteria, at the second',
    target: { objectSelector: OBJECTS, repositorySelector: {} },
    expected: ['error target-criteria t.objectSelector'],
  },
  {
    reason: 'packageNames in and beside selectors, which only seed 000 has',
    target: { repositorySelector: { packageNames: [] }, packageNames: [] },
    expected: ['warning not-in-api t.repositorySelector.packageNames', 'warning not-in-api t.packageNames'],
  },
  {
    reason: 'packageNames in an objectSelector',
    target: { objectSelector: { ...OBJECTS, packageNames: [] } },
    expected: ['warning not-in-api t.objectSelector.packageNames'],
  },
  {
    reason: 'packageNames beside repositories',
    target: { repositories: [], packageNames: ['a'] },
    expected: ['error unknown-field t.packageNames'],
  },
  {
    reason: 'the selector of repositories',
    target: { repositorySelector: { matchLabels: { 'a b': 'c' } } },
    expected: ['error label-selector t.repositorySelector.matchLabels["a b"]'],
  },
  {
    reason: 'the selector of objects',
    target: { objectSelector: { ...OBJECTS, matchLabels: { 'a b': 'c' } } },
    expected: ['error label-selector t.objectSelector.matchLabels["a b"]'],
  },
  {
    reason: 'the name of objects, which the controller ignores, empty or not',
    target: { objectSelector: { ...OBJECTS, name: '' } },
    expected: ['warning ignored-by-porch t.objectSelector.name'],
  },
  {
    reason: 'the template',
    target: { repositories: [], template: { injectors: [{}] } },
    expected: ['error injector-name t.template.injectors[0]'],
  },
]

test.each(ROWS)('faults: $reason', ({ target, expected }) => {
  const found = targetFaults(target, ['t'])
  expect(found.map(({ severity, rule, path, place = path }) => `${severity} ${rule} ${formatFieldPath(place)}`)).toEqual(expected)
})

test('the fault of several criteria names all of them, in the order of the API', () => {
  const [fault] = targetFaults({ objectSelector: OBJECTS, repositorySelector: {}, repositories: [] }, ['t'])
  expect(fault?.message).toBe(
    "must have exactly one of 'repositories', 'repositorySelector', 'objectSelector', got 'repositories' and 'repositorySelector' and 'objectSelector'",
  )
  expect(fault?.place).toEqual(['t', 'repositorySelector'])
})

test('misplaced packageNames are reported at the key', () => {
  expect(targetFaults({ repositories: [], packageNames: [] }, []).map(({ atKey }) => atKey)).toEqual([true])
})
