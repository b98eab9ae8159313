import { expect, test } from 'vitest'
import { list, planOf, repository, resourceListOf, setOf, type Written } from '../testing/fleet-of-objects.ts'
import { clusters, matrixWithRings, type WrittenRing } from '../testing/fleet-with-rings.ts'
import { packageLocks } from './behind.ts'
import { Followers } from './followers.ts'
import { newerRevisions, type RevisionSearch } from './newer-revisions.ts'

/** Returns the newer revisions of a fleet whose upstreams have a newest revision. */
function newer(objects: readonly Written[], newest: string | undefined, more: Partial<RevisionSearch> = {}) {
  const plan = planOf(objects)
  return newerRevisions(plan, {
    sets: plan.sets,
    alone: [],
    newestOf: ({ revision, workspaceName }) => ({ asked: [workspaceName ?? `v${revision}`], ...(newest !== undefined && { newest }) }),
    followers: new Followers(plan, () => true),
    locks: packageLocks(plan, resourceListOf(objects).items),
    ...more,
  })
}

/** Returns each newer revision as RING FROM → TO, with the rules that hold it. */
function told(rings: readonly WrittenRing[], refs: Readonly<Record<string, string>>, newest: string, more: Partial<RevisionSearch> = {}) {
  return newer([matrixWithRings(rings, 1), ...clusters(refs)], newest, more).newer.map(({ ring, from, to, written, held }) =>
    [`${ring?.name} ${from} → ${to}`, written?.revision ?? 'none', ...held.map(({ severity, tags }) => `${severity} ${tags.rule}`)].join(
      ' ',
    ),
  )
}

const RINGS = [
  { name: 'canary', repos: ['a'], revision: 4 },
  { name: 'world', revision: 3 },
]

test('the first ring is compared with the newest revision, every other ring with the ring before it', () => {
  const left = 'warning revision-of-ring'
  expect(told(RINGS, { a: 'v4', b: 'v3' }, 'v5')).toEqual([`canary v4 → v5 5 ${left}`, `world v3 → v4 4 ${left}`])
  expect(told(RINGS, { a: 'v4', b: 'v3' }, 'v4')).toEqual([`world v3 → v4 4 ${left}`])
  const level = [
    { name: 'canary', repos: ['a'], revision: 4 },
    { name: 'world', revision: 4 },
  ]
  expect(told(level, { a: 'v4' }, 'v4')).toEqual([])
})

test('a ring waits for packages of the ring before it', () => {
  expect(told(RINGS, { a: 'v3', b: 'v3' }, 'v4')).toEqual(['world v3 → v4 4 warning ring-overtaken'])
})

test('one ring alone is compared if it is asked for', () => {
  expect(told(RINGS, { a: 'v4', b: 'v3' }, 'v5', { ring: 'world' })).toEqual(['world v3 → v4 4'])
  expect(told(RINGS, { a: 'v4', b: 'v3' }, 'v5', { ring: 'moon' })).toEqual([])
})

test('with a floating tag no ring gets a later revision than the tag names', () => {
  const search = { isCeiling: true, ring: 'world' }
  expect(told(RINGS, { a: 'v4', b: 'v3' }, 'v3', search)).toEqual([])
  expect(told(RINGS, { a: 'v4', b: 'v3' }, 'v3', { ring: 'world' })).toEqual(['world v3 → v4 4'])
  const behind = [
    { name: 'canary', repos: ['a'], revision: 4 },
    { name: 'world', revision: 2 },
  ]
  expect(told(behind, { a: 'v4', b: 'v2' }, 'v3', search)).toEqual(['world v2 → v3 3'])
})

const SET = setOf([list('a', 'b')])

test('a set is at its newest revision, or behind it with all its variants', () => {
  expect(newer([SET], 'v2')).toMatchObject({ newer: [], current: 1, following: 0 })
  const { newer: rows, current } = newer([SET], 'v3')
  expect(rows).toMatchObject([{ from: 'v2', to: 'v3', written: { revision: 3 }, held: [] }])
  expect([rows[0]?.variants.length, current]).toEqual([2, 0])
  expect(newer([SET], 'v1')).toMatchObject({ newer: [], current: 1 })
  expect(newer([SET], undefined)).toMatchObject({ newer: [], current: 1 })
})

test.each([
  ['a number', 2, 3],
  ['a text', '2', '3'],
  ['a name', 'v2', 'v3'],
])('%s is written as it was', (_what, revision, written) => {
  const set = setOf([list('a')], { repo: 'catalog', package: 'app', revision })
  const found = newer([set], 'v3', { newestOf: () => ({ asked: ['v2'], newest: 'v3' }) })
  expect(found.newer.map((row) => row.written?.revision)).toEqual([written])
})

test('a workspace has no order', () => {
  const set = setOf([list('a')], { repo: 'catalog', package: 'app', workspaceName: 'main' })
  expect(newer([set], 'v3')).toMatchObject({
    newer: [],
    current: 0,
    unknown: [{ severity: 'warning', tags: { rule: 'revision-unordered' } }],
  })
})

test('a revision that is not known is reported at its field', () => {
  const found = newer([SET], undefined, {
    newestOf: () => ({
      asked: [],
      fault: { severity: 'error', rule: 'upstream-not-found', path: ['spec', 'upstream', 'repo'], message: 'm' },
    }),
  })
  expect(found.unknown).toMatchObject([{ tags: { rule: 'upstream-not-found' }, field: { path: ['spec', 'upstream', 'repo'] } }])
})

test('a variant without a set is compared by itself, unless a ring is asked for', () => {
  const objects = [SET, repository('a')]
  const [set] = planOf(objects).sets
  const [variant] = set?.changes ?? []
  const [upstream] = set?.set?.upstreams ?? []
  if (variant === undefined || upstream === undefined) throw new Error('must have a variant')
  const search = { sets: [], alone: [{ variant, upstream }] }
  expect(newer(objects, 'v3', search).newer).toMatchObject([{ from: 'v2', to: 'v3', variants: [variant], held: [] }])
  expect(newer(objects, 'v2', search)).toMatchObject({ newer: [], current: 1 })
  expect(newer(objects, 'v3', { ...search, ring: 'canary' }).newer).toEqual([])
})

test('a newest revision that is no number may be written to a set, and to no single ring', () => {
  expect(newer([SET, repository('a')], 'v3.1.0').newer).toMatchObject([{ from: 'v2', to: 'v3.1.0', held: [] }])
  const [row] = newer([matrixWithRings(RINGS, 1), ...clusters({ a: 'app/v4' })], 'v5.1.0').newer
  expect(row?.held.map(({ message }) => message)).toEqual([
    expect.stringContaining("of ring 'canary' of default/m must be a number, and 'v5.1.0' is none: the matrix can have it without rings"),
  ])
})
