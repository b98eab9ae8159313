import { expect, test } from 'vitest'
import type { VariantChange } from '../../src/fleet/change.ts'
import { list, planOf, repository, setOf, variant } from '../../src/fleet/testing/fleet-of-objects.ts'
import {
  type ChangeView,
  countChanges,
  type EntryView,
  isGroup,
  type SetView,
  viewByHand,
  viewClusters,
  viewPlan,
  viewSet,
} from './plan-view.ts'

const viewOf = (...objects: Parameters<typeof planOf>[0]): SetView => {
  const [view] = planOf(objects, { allowEmpty: true }).sets.map((set) => viewSet(set))
  if (view === undefined) throw new Error('the plan must have a set')
  return view
}
const changesOf = (view: SetView): readonly ChangeView[] => view.changes.filter((entry): entry is ChangeView => !isGroup(entry))

const named = (op: ChangeView['op'], name: string): ChangeView => ({
  op,
  name,
  namespace: 'default',
  upstream: 'catalog/app@2',
  downstream: `${name}/app`,
  reason: '',
  cause: '',
  fields: [],
})
const group = (op: ChangeView['op'], count: number): EntryView => ({ op, count, names: [], upstream: '', cause: '', fields: [] })

test('changes are counted by operation, and a group by its variants', () => {
  expect(countChanges([named('remove', 'a'), named('create', 'b'), named('create', 'c'), group('update', 7), group('create', 3)])).toEqual({
    remove: 1,
    rename: 0,
    update: 7,
    create: 5,
    unchanged: 0,
  })
})

test('the counts of a plan are those of all sets, with their unchanged variants', () => {
  const sets = [
    { name: 'a', unchanged: 2, changes: [named('create', 'x')] },
    { name: 'b', unchanged: 3, changes: [named('rename', 'y')] },
  ]
  expect(viewPlan(sets, []).counts).toEqual({ remove: 0, rename: 1, update: 0, create: 1, unchanged: 5 })
})

test('the clusters of a plan are sorted by name, each with the counts of its own variants', () => {
  const change = (op: VariantChange['op'], name: string): VariantChange => ({ op, name, namespace: 'default' })
  const changes = (['remove', 'rename', 'update', 'create', 'unchanged', 'update'] as const).map((op) => change(op, 'b'))
  expect(viewClusters([...changes, change('unchanged', 'a')], ({ name }) => name)).toEqual({
    clusters: [
      { name: 'a', counts: { remove: 0, rename: 0, update: 0, create: 0, unchanged: 1 } },
      { name: 'b', counts: { remove: 1, rename: 1, update: 2, create: 1, unchanged: 1 } },
    ],
  })
  expect(viewClusters([], () => 'a')).toEqual({})
})

const FLEET = [
  setOf([list('kept', 'changed', 'new')]),
  variant('fleet-kept-app', 'kept'),
  variant('fleet-changed-app', 'changed', { adoptionPolicy: 'adoptExisting' }),
  variant('fleet-gone-app', 'gone'),
]

test('the most dangerous changes of a set come first, and unchanged variants are counted', () => {
  const view = viewOf(...FLEET)
  expect(view).toMatchObject({ name: 'fleet', place: 'fleet/all.yaml:1', unchanged: 1 })
  expect(view.changes.map(({ op }) => op)).toEqual(['remove', 'update', 'create'])
})

test('a change has the file of its variant, its spec before and after, and the fields that differ', () => {
  const [removed, updated, created] = changesOf(viewOf(...FLEET))
  expect(removed).toMatchObject({
    name: 'fleet-gone-app',
    file: 'fleet/all.yaml',
    upstream: 'catalog/app@2',
    downstream: 'gone/app',
    fields: [],
  })
  expect(removed?.spec).toEqual(removed?.before)
  expect(removed).not.toHaveProperty('after')
  expect(updated?.fields).toEqual([{ path: 'spec.adoptionPolicy', before: 'adoptExisting' }])
  expect(updated?.spec).toEqual(updated?.after)
  expect(updated?.before).toMatchObject({ adoptionPolicy: 'adoptExisting' })
  expect(updated).not.toHaveProperty('oldName')
  expect(created).toMatchObject({ name: 'fleet-new-app', downstream: 'new/app' })
  expect(created).not.toHaveProperty('file')
  expect(created).not.toHaveProperty('before')
})

test('a new variant shows the fields that an expression gave, with the expression and its place, and no others', () => {
  const template = { downstream: { packageExpr: "'tills-' + repository.name" }, labels: { team: 'shop' } }
  const [created] = changesOf(viewOf(setOf([{ ...list('new'), template }]), repository('new')))
  expect(created?.fields).toEqual([
    {
      path: 'spec.downstream.package',
      after: 'tills-new',
      expression: { text: "'tills-' + repository.name", path: 'spec.targets[0].template.downstream.packageExpr' },
    },
  ])
})

test('a variant whose package moves has its earlier name, and each field with the expression that gives the value', () => {
  const template = { downstream: { packageExpr: "'a' + 'pp'" }, adoptionPolicy: 'adoptExisting' }
  const old = variant('fleet-a-app', 'a', { downstream: { repo: 'a', package: 'old' } })
  const changes = changesOf(viewOf(setOf([{ ...list('a'), template }]), repository('a'), old))
  expect(changes.map(({ op, name, oldName }) => [op, name, oldName])).toEqual([['rename', 'fleet-a-app', 'fleet-a-app']])
  expect(changes[0]?.fields).toEqual([
    {
      path: 'spec.downstream.package',
      before: 'old',
      after: 'app',
      expression: { text: "'a' + 'pp'", path: 'spec.targets[0].template.downstream.packageExpr' },
    },
    { path: 'spec.adoptionPolicy', after: 'adoptExisting' },
  ])
})

test('an upstream without a revision is shown with its workspace', () => {
  const [created] = changesOf(viewOf(setOf([list('a')], { repo: 'catalog', package: 'app', workspaceName: 'main' })))
  expect(created?.upstream).toBe('catalog/app@main')
})

test('variants that no set asks for are a part of their own, which is missing without changes', () => {
  const change: VariantChange = { op: 'create', name: 'own', namespace: 'default' }
  expect(viewByHand([{ ...change, op: 'unchanged' }])).toEqual([])
  expect(viewByHand([change])).toMatchObject([{ name: 'without a set', unchanged: 0, changes: [{ op: 'create', name: 'own' }] }])
})

test('a field that an override gives names the override, and the reason of a change is there as data', () => {
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm', namespace: 'fleet' },
    spec: {
      upstreams: [{ repo: 'catalog', package: 'app', revision: 2 }],
      targets: [list('a')],
      template: { labels: { team: 'shop' } },
      overrides: [{ name: 'big', where: 'true', template: { labels: { size: 'big' } } }],
    },
  }
  const view = viewOf(matrix, { ...repository('a'), metadata: { name: 'a', namespace: 'fleet' } })
  expect(view).toMatchObject({ name: 'm', namespace: 'fleet' })
  const [created] = changesOf(view)
  expect(created?.fields).toEqual([{ path: 'spec.labels.size', after: 'big', override: 'override big' }])
  expect(created?.why?.asked?.path).toBe('spec.targets[0].repositories[0]')
})
