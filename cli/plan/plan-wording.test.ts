import { expect, test } from 'vitest'
import type { Result } from '../../src/result.ts'
import { filterPlan } from './fit-plan.ts'
import { type ChangeView, type ClusterView, type Counts, type PlanView, type SetView, viewPlan } from './plan-view.ts'
import {
  clusterLines,
  countFindings,
  listedSets,
  nameLeftOut,
  nameMembers,
  nameOthers,
  subpackageLines,
  summarize,
} from './plan-wording.ts'

const NONE: Counts = { remove: 0, rename: 0, update: 0, create: 0, unchanged: 0 }
const PACKAGES = { remove: 0, orphan: 0, move: 0, update: 0, create: 0, unchanged: 0, left: 0, failed: 0 }

const finding = (severity: Result['severity']): Result => ({ severity, message: 'm', tags: { rule: 'required' } })

function viewOf(counts: Partial<Counts>, more: Partial<PlanView> = {}): PlanView {
  return { counts: { ...NONE, ...counts }, sets: [], results: [], ...more }
}

test.each<[string, PlanView]>([
  ['nothing to do', viewOf({})],
  ['nothing to do, 3 unchanged', viewOf({ unchanged: 3 })],
  ['2 to remove, 1 to rename, 4 to update, 5 to create, 6 unchanged', viewOf({ create: 5, update: 4, rename: 1, remove: 2, unchanged: 6 })],
  ['none, refused for errors', viewOf({ unchanged: 3 }, { results: [finding('error')] })],
  ['none, refused for errors (would be 1 to create)', viewOf({ create: 1 }, { results: [finding('error')] })],
  ['1 to create', viewOf({ create: 1 }, { results: [finding('warning')] })],
])('the summary of a plan: %s', (text, view) => {
  expect(summarize(view)).toBe(text)
})

test.each<[string, Partial<Counts>, PlanView['packages']]>([
  ['nothing to do, 1 unchanged', { unchanged: 1 }, { counts: { ...PACKAGES, unchanged: 4 } }],
  [
    'no variant to change, 1 unchanged; packages: 2 to update (krm-variants diff shows them)',
    { unchanged: 1 },
    { counts: { ...PACKAGES, update: 2 } },
  ],
  [
    '1 variant to remove, 2 to create; packages: 1 to remove, 2 to create (krm-variants diff shows them)',
    { remove: 1, create: 2 },
    { counts: { ...PACKAGES, remove: 1, create: 2 } },
  ],
  [
    '2 variants to create; packages: 2 to create (krm-variants render --dry-run shows them)',
    { create: 2 },
    { counts: { ...PACKAGES, create: 2 } },
  ],
  [
    '2 variants to create; packages: 2 to create (krm-variants diff shows them)',
    { create: 2 },
    { counts: { ...PACKAGES, create: 2, unchanged: 1 } },
  ],
  [
    "no variant to change; packages: 2 to update, only in the name of the fleet, given by git's remote or first commit (krm-variants diff shows them)",
    {},
    { counts: { ...PACKAGES, update: 2 }, fleetNames: 2 },
  ],
  [
    "no variant to change; packages: 3 to update, 2 of them only in the name of the fleet, given by git's remote or first commit, 1 to create (krm-variants diff shows them)",
    {},
    { counts: { ...PACKAGES, update: 3, create: 1 }, fleetNames: 2 },
  ],
  ['no variant to change; 1 variant with another configuration to inject', {}, { injecting: 1 }],
  ['no variant to change; packages not compared: no clone', {}, { unknown: 'no clone' }],
  [
    'no variant to change; 2 variants with another configuration to inject, packages not compared: no clone',
    {},
    { unknown: 'no clone', injecting: 2 },
  ],
])('the summary of a plan with packages: %s', (text, counts, packages) => {
  expect(summarize(viewOf(counts, packages && { packages }))).toBe(text)
})

const cluster = (name: string, counts: Partial<Counts>): ClusterView => ({ name, counts: { ...NONE, ...counts } })

test('clusters have a line for each kind of change where they differ, and none in a plan with errors', () => {
  const clusters = [cluster('ber', { create: 1 }), cluster('ham', { create: 1 }), cluster('muc', { unchanged: 2 })]
  expect(clusterLines(viewOf({}, { clusters }))).toEqual(['ber, ham: 1 to create', 'muc: 2 unchanged'])
  expect(clusterLines(viewOf({}, { clusters: clusters.slice(0, 2) }))).toEqual([])
  expect(clusterLines(viewOf({}, { clusters, results: [finding('error')] }))).toEqual([])
})

test('a subpackage that gets another revision has a line, but not in a plan with errors', () => {
  const packages = { subpackages: [{ folder: 'edge/shop/net', from: 'v1', to: 'v2' }] }
  expect(subpackageLines(viewOf({}, { packages }))).toEqual(['edge/shop/net: v1 → v2'])
  expect(subpackageLines(viewOf({}, { packages, results: [finding('error')] }))).toEqual([])
})

test('what is left out or not asked for is counted, and named only where there is some', () => {
  const leftOut = { ...NONE, update: 2, details: 1, results: 3 }
  expect(nameLeftOut(viewOf({}, { leftOut }))).toBe('left out for want of room: 3 findings, 2 to update, the details of 1 change')
  expect(nameLeftOut(viewOf({}))).toBeUndefined()
  expect([nameOthers(viewOf({}, { others: { ...NONE, remove: 1 } })), nameOthers(viewOf({}, { others: NONE }))]).toEqual([
    'not asked for: 1 to remove',
    undefined,
  ])
  expect(countFindings([finding('error'), finding('warning'), finding('warning'), finding('info')])).toBe('1 error, 2 warnings')
  expect([countFindings([finding('error')]), countFindings([finding('info')])]).toEqual(['1 error', ''])
  const group = { op: 'create', count: 3, upstream: '', cause: '', fields: [] } as const
  expect([['a', 'b'], ['a', 'b', 'c'], []].map((names) => nameMembers({ ...group, names }))).toEqual([
    ' (a, b, and 1 more)',
    ' (a, b, c)',
    '',
  ])
})

const change = (op: ChangeView['op'], name: string): ChangeView => ({
  ...{ op, name, namespace: 'n', upstream: 'u', downstream: 'd', reason: '', cause: '', fields: [] },
})
const SETS: readonly SetView[] = [
  { name: 'web', namespace: 'a', unchanged: 1, changes: [change('remove', 'one'), change('create', 'two')] },
  { name: 'web', namespace: 'b', unchanged: 2, changes: [change('create', 'three')] },
  { name: 'shop', unchanged: 4, changes: [] },
]

test('the part of a plan that is asked for has its own counts, those of the rest, and no clusters', () => {
  const view = { ...viewPlan(SETS, []), clusters: [cluster('ber', {})] }
  const names = (filter: Parameters<typeof filterPlan>[1]) => {
    const { sets, counts, others, clusters } = filterPlan(view, filter)
    return [sets.map(({ namespace, name }) => `${namespace}/${name}`), counts, others, clusters]
  }
  const left = (create: number, remove: number, unchanged: number) => ({ ...NONE, create, remove, unchanged })
  expect(names({ set: ['web'] })).toEqual([['a/web', 'b/web'], left(2, 1, 3), left(0, 0, 4), undefined])
  expect(names({ set: ['b/web'] })).toEqual([['b/web'], left(1, 0, 2), left(1, 1, 5), undefined])
  expect(names({ only: ['remove'] })).toEqual([['a/web', 'b/web', 'undefined/shop'], left(0, 1, 7), left(2, 0, 0), undefined])
  expect(names({ set: ['shop'], only: [] })[1]).toEqual(left(0, 0, 4))
  expect(filterPlan(view, {})).toBe(view)
  expect(() => filterPlan(view, { set: ['web', 'a/shop'] })).toThrow("'a/shop'")
})

test('sets without changes are listed only in a whole plan without errors', () => {
  const names = (view: PlanView) => listedSets(view).length
  const view = viewPlan(SETS, [])
  expect([names(view), names({ ...view, results: [finding('error')] }), names(filterPlan(view, { only: ['create'] }))]).toEqual([3, 2, 2])
})
