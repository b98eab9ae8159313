import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Result } from '../../src/result.ts'
import { stylesFor } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import { filterPlan, fitPlan, groupChanges, SMALLEST_LIMIT } from './fit-plan.ts'
import { planJson, planMarkdown, planText } from './plan-report.ts'
import { type ChangeView, isGroup, OPERATIONS, type PlanView, viewPlan } from './plan-view.ts'

const plain = stylesFor({ environment: {}, isTerminal: false }, { color: false })
const PRINTERS = { text: (view: PlanView) => planText(view, plain), markdown: planMarkdown, json: planJson }

const change: fc.Arbitrary<ChangeView> = fc.record({
  op: fc.constantFrom(...OPERATIONS),
  name: fc.stringMatching(/^[a-z]{1,60}$/),
  namespace: fc.constant('fleet'),
  upstream: fc.constant('catalog/app@1'),
  downstream: fc.constant('edge/app'),
  reason: fc.string({ maxLength: 200 }),
  cause: fc.constantFrom('one', 'another'),
  fields: fc.array(fc.record({ path: fc.constantFrom('a', 'b'), after: fc.string({ maxLength: 50 }) }), { maxLength: 3 }),
})
const plan = fc.array(fc.array(change, { maxLength: 20 }), { maxLength: 5 }).map((sets) =>
  viewPlan(
    sets.map((changes, i) => ({ name: `set-${i}`, unchanged: 0, changes })),
    [],
  ),
)

test.each(['text', 'markdown', 'json'] as const)('%s never exceeds the limit, and prints everything that fits', (format) => {
  fc.assert(
    fc.property(plan, fc.integer({ min: SMALLEST_LIMIT, max: 10_000 }), (view, limit) => {
      const whole = PRINTERS[format](view)
      const text = fitPlan(view, limit, PRINTERS[format])
      expect(text.length).toBeLessThanOrEqual(limit)
      expect(text === whole).toBe(whole.length <= limit)
    }),
  )
})

test('what is shown is never less dangerous than what is left out', () => {
  fc.assert(
    fc.property(plan, fc.integer({ min: SMALLEST_LIMIT, max: 5_000 }), (view, limit) => {
      const { sets, leftOut }: PlanView = JSON.parse(fitPlan(view, limit, planJson))
      const ranks = sets.flatMap(({ changes }) => changes.map(({ op }) => OPERATIONS.indexOf(op)))
      const left = OPERATIONS.flatMap((op, rank) => ((leftOut?.[op] ?? 0) > 0 ? [rank] : []))
      expect(Math.max(-1, ...ranks)).toBeLessThanOrEqual(Math.min(OPERATIONS.length, ...left))
    }),
  )
})

const changeOf = (name: string, more: Partial<ChangeView> = {}): ChangeView => ({
  op: 'update',
  name,
  namespace: 'fleet',
  upstream: 'catalog/app@1',
  downstream: `${name}/app`,
  reason: '',
  cause: 'one',
  fields: [],
  ...more,
})
const FIELD = [{ path: 'a', after: 1 }]
const WEB = { upstream: 'catalog/web@1' }

test.each<readonly [what: string, changes: readonly Partial<ChangeView>[], grouped: readonly unknown[]]>([
  ['equal changes with one cause are one, with that cause', [{}, {}, {}], [[3, 'one']]],
  [
    'updates with equal fields are one, and no cause of some is said of all',
    [{ fields: FIELD }, { fields: FIELD, cause: 'two' }, { fields: FIELD }],
    [[3, '']],
  ],
  ['updates with equal fields and one cause have that cause', [{ fields: FIELD }, { fields: FIELD }, { fields: FIELD }], [[3, 'one']]],
  ['updates without fields are equal only by their cause', [{}, {}, {}, { cause: 'two' }], [[3, 'one'], 'd']],
  ['updates of several upstreams are equal', [{}, WEB, {}], [[3, 'one']]],
  ['new variants of several upstreams are not', [{ op: 'create', ...WEB }, { op: 'create' }, { op: 'create' }], ['a', 'b', 'c']],
  ['two equal changes are two', [{}, {}], ['a', 'b']],
])('of the changes of a set, %s', (_what, changes, expected) => {
  const set = { name: 's', unchanged: 0, changes: changes.map((more, i) => changeOf('abcd'[i] ?? '', more)) }
  const [grouped] = groupChanges(viewPlan([set], [])).sets
  expect(grouped?.changes.map((entry) => (isGroup(entry) ? [entry.count, entry.cause] : entry.name))).toEqual(expected)
})

test('a group names its first three variants, a renamed one with its earlier name, and has the spec of the first', () => {
  const changes = ['a', 'b', 'c', 'd'].map((name) => changeOf(name, { op: 'rename', oldName: `old-${name}`, spec: { of: name } }))
  const [grouped] = groupChanges(viewPlan([{ name: 's', unchanged: 0, changes }], [])).sets
  expect(grouped?.changes).toEqual([
    {
      op: 'rename',
      count: 4,
      names: ['old-a → a', 'old-b → b', 'old-c → c'],
      upstream: 'catalog/app@1',
      spec: { of: 'a' },
      cause: 'one',
      fields: [],
    },
  ])
  const plain = groupChanges(viewPlan([{ name: 's', unchanged: 0, changes: ['a', 'b', 'c'].map((name) => changeOf(name)) }], [])).sets
  expect(plain[0]?.changes).toEqual([
    { op: 'update', count: 3, names: ['a', 'b', 'c'], upstream: 'catalog/app@1', cause: 'one', fields: [] },
  ])
})

const RESULT: Result = { severity: 'warning', message: 'm', tags: { rule: 'no-match' } }

/** A print as short as its view: a character for each finding, change, and change with details. */
const sized = ({ results, sets }: PlanView): string => {
  const changes = sets.flatMap((set) => set.changes)
  return 'x'.repeat(results.length + changes.length + changes.filter((entry) => !isGroup(entry) && entry.fields.length > 0).length)
}

/** Returns what is left of a plan of two findings, and of a change of each kind with a field, in so many characters. */
const cut = (maxChars: number) => {
  const changes = (['create', 'remove', 'update'] as const).map((op) =>
    changeOf(op, { op, fields: FIELD, before: { b: 1 }, after: { a: 1 } }),
  )
  const whole = viewPlan(
    [
      { name: 'empty', unchanged: 3, changes: [] },
      { name: 's', unchanged: 0, changes },
    ],
    [RESULT, RESULT],
  )
  let shown = whole
  fitPlan({ ...whole, clusters: [] }, maxChars, (view) => {
    const text = sized(view)
    if (text.length <= maxChars) shown = view
    return text
  })
  const entries = shown.sets.flatMap((set) => set.changes).filter((entry): entry is ChangeView => !isGroup(entry))
  return {
    sets: shown.sets.map(({ name }) => name),
    results: shown.results.length,
    changes: entries.map(({ op, fields }) => (fields.length > 0 ? `${op} with fields` : op)),
    hasClusters: shown.clusters !== undefined,
    leftOut: shown.leftOut,
  }
}

const NONE_LEFT = { remove: 0, rename: 0, update: 0, create: 0, unchanged: 0, details: 0, results: 0 }

test('a plan that fits exactly is whole', () => {
  expect(cut(8)).toEqual({
    sets: ['empty', 's'],
    results: 2,
    changes: ['create with fields', 'remove with fields', 'update with fields'],
    hasClusters: true,
    leftOut: undefined,
  })
})

test.each([
  [7, 2, ['create', 'remove with fields', 'update with fields'], { details: 1 }],
  [6, 2, ['create', 'remove with fields', 'update'], { details: 2 }],
  [5, 2, ['create', 'remove', 'update'], { details: 3 }],
  [4, 2, ['remove', 'update'], { create: 1, details: 2 }],
  [3, 2, ['remove'], { create: 1, update: 1, details: 1 }],
  [2, 2, [], { create: 1, update: 1, remove: 1 }],
  [1, 1, [], { create: 1, update: 1, remove: 1, results: 1 }],
])(
  'in %i characters of eight, findings come first, then the most dangerous changes, then their details',
  (room, results, changes, left) => {
    expect(cut(room)).toEqual({
      sets: changes.length > 0 ? ['s'] : [],
      results,
      changes,
      hasClusters: false,
      leftOut: { ...NONE_LEFT, ...left },
    })
  },
)

const FLEET = viewPlan(
  [
    { name: 'a', namespace: 'fleet', unchanged: 2, changes: [changeOf('x', { op: 'create' }), changeOf('y', { op: 'remove' })] },
    { name: 'a', namespace: 'other', unchanged: 3, changes: [changeOf('z')] },
    { name: 'b', unchanged: 5, changes: [] },
  ],
  [RESULT],
)
const filtered = (filter: Parameters<typeof filterPlan>[1]) => {
  const { sets, counts, others } = filterPlan({ ...FLEET, clusters: [] }, filter)
  return { sets: sets.map(({ changes }) => changes.map(({ op }) => op)), counts, others }
}
const counts = (more: object) => ({ remove: 0, rename: 0, update: 0, create: 0, unchanged: 0, ...more })

test('without a filter the view is as it is', () => {
  expect(filterPlan(FLEET, {})).toBe(FLEET)
})

test('a set is shown by its name in all namespaces, or by namespace and name in one, and the rest is counted', () => {
  expect(filtered({ set: ['a'] })).toEqual({
    sets: [['create', 'remove'], ['update']],
    counts: counts({ create: 1, remove: 1, update: 1, unchanged: 5 }),
    others: counts({ unchanged: 5 }),
  })
  expect(filtered({ set: ['other/a', 'b'] })).toEqual({
    sets: [['update'], []],
    counts: counts({ update: 1, unchanged: 8 }),
    others: counts({ create: 1, remove: 1, unchanged: 2 }),
  })
})

test('operations are shown alone, of all sets, and the others are counted', () => {
  expect(filtered({ only: ['remove', 'update'] })).toEqual({
    sets: [['remove'], ['update'], []],
    counts: counts({ remove: 1, update: 1, unchanged: 10 }),
    others: counts({ create: 1 }),
  })
})

test('a part of a plan has no counts of clusters', () => {
  expect(filterPlan({ ...FLEET, clusters: [] }, { only: ['remove'] })).not.toHaveProperty('clusters')
})

test('an unknown set is refused with the known names in the form that was asked', () => {
  expect(() => filtered({ set: ['a', 'c'] })).toThrow(UsageError)
  expect(() => filtered({ set: ['fleet/b'] })).toThrow(/fleet\/a/)
})
