import { expect, test } from 'vitest'
import type { FieldPath } from '../field-path.ts'
import { parseList } from './parse-list.ts'
import { brokenAliases } from './shared-anchors.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'
const ANCHORED = '- kind: A\n  metadata: {name: a}\n  spec: {b: &x {c: 1}, d: 2}\n'
const ALIAS = '- kind: B\n  metadata: {name: b}\n  spec: *x\n'

/** Returns the fields that must stay after an edit of the first item. */
function broken(
  items: string,
  path: FieldPath,
  { at = 0, removed = [] }: { readonly at?: number; readonly removed?: readonly number[] } = {},
) {
  const list = parseList(`${HEAD}${items}`, 'strict')
  if (path.length > 0) list.items[at]?.set(path, 'new')
  return brokenAliases(list, new Set(list.items.filter((_, index) => removed.includes(index)))).map(({ message }) => message)
}

const MUST_STAY = '`spec.b` must stay as it is: the alias *x in B b would change with it'

test.each<{ readonly reason: string; readonly items: string; readonly path: FieldPath; readonly expected: readonly string[] }>([
  { reason: 'the anchored value', items: `${ANCHORED}${ALIAS}`, path: ['spec', 'b', 'c'], expected: [MUST_STAY] },
  { reason: 'a value beside the anchored one', items: `${ANCHORED}${ALIAS}`, path: ['spec', 'd'], expected: [] },
  { reason: 'a map with the anchored value', items: `${ANCHORED}${ALIAS}`, path: ['spec'], expected: [MUST_STAY] },
  { reason: 'an anchored value without an alias', items: `${ANCHORED}- kind: B\n`, path: ['spec', 'b'], expected: [] },
  {
    reason: 'an alias of another anchor',
    items: `${ANCHORED}- kind: B\n  spec: &y 1\n- kind: C\n  spec: *y\n`,
    path: ['spec', 'b'],
    expected: [],
  },
  {
    reason: 'a star in a text is no alias',
    items: `${ANCHORED}- kind: B\n  spec: "*x"\n- kind: C\n  spec: *x\n`,
    path: ['spec', 'd'],
    expected: [],
  },
  {
    reason: 'an alias of an item with an anchor of that name stands for its own',
    items: `${ANCHORED}- kind: B\n  metadata: {name: b}\n  a: &x 1\n  spec: *x\n`,
    path: ['spec', 'b'],
    expected: [],
  },
])('a change of $reason', ({ items, path, expected }) => {
  expect(broken(items, path)).toEqual(expected)
})

test('a text with a star behind the anchor is no alias', () => {
  expect(broken(`${ANCHORED}- kind: B\n  metadata: {name: b}\n  spec: "*x"\n`, ['spec', 'b'])).toEqual([])
})

test('the first of several aliases is named', () => {
  expect(broken(`${ANCHORED}${ALIAS}${ALIAS.replaceAll('b}', 'c}')}`, ['spec', 'b'])).toEqual([MUST_STAY])
})

test('a removed item is as a changed one, and a removed alias is none', () => {
  expect(broken(`${ANCHORED}${ALIAS}`, [], { removed: [0] })).toEqual([MUST_STAY])
  expect(broken(`${ANCHORED}${ALIAS}`, ['spec', 'b'], { removed: [1] })).toEqual([])
  expect(broken(`${ANCHORED}${ALIAS}`, [], { removed: [0, 1] })).toEqual([])
})

test('an alias before the item stands for an earlier anchor', () => {
  const items = `- kind: A\n  metadata: {name: a}\n  spec: &x 1\n- kind: B\n  metadata: {name: b}\n  spec: *x\n- kind: C\n  metadata: {name: c}\n  spec: &x 2\n`
  expect(broken(items, ['spec'], { at: 2 })).toEqual([])
  expect(broken(items, ['spec'])).toEqual(['`spec` must stay as it is: the alias *x in B b would change with it'])
})

test('the result names the item, its field and its place', () => {
  const list = parseList(`${HEAD}${ANCHORED}${ALIAS}`, 'strict')
  list.items[0]?.set(['spec', 'b', 'c'], 2)
  expect(brokenAliases(list, new Set())).toEqual([
    {
      severity: 'error',
      message: MUST_STAY,
      resourceRef: { apiVersion: '', kind: 'A', name: 'a' },
      field: { path: ['spec', 'b'] },
      position: { line: 3, column: 8 },
      tags: { rule: 'anchored' },
    },
  ])
})
