import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import type { VariantChange } from './change.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { type FleetPlan, planFanOut } from './plan-fan-out.ts'

/** Objects are written as JSON, which is YAML. */
function listOf(objects: readonly JsonRecord[], functionConfig?: JsonRecord): ResourceList {
  const documents = objects.map((object, index) =>
    KrmObject.fromDocument(JSON.stringify(object), { path: 'fleet/all.yaml', index, line: 1 }),
  )
  return ResourceList.of(documents, functionConfig && KrmObject.fromDocument(JSON.stringify(functionConfig)))
}

function set(targets: readonly JsonRecord[], metadata: JsonRecord = {}): JsonRecord {
  const upstream = { repo: 'catalog', package: 'app', revision: 1 }
  return {
    apiVersion: 'config.porch.kpt.dev/v1alpha2',
    kind: 'PackageVariantSet',
    metadata: { name: 'fleet', ...metadata },
    spec: { upstream, targets },
  }
}

function repository(name: string, labels: JsonRecord = {}): JsonRecord {
  return { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', metadata: { name, labels } }
}

function variant(name: string, repo: string, packageName = 'app', owner = 'default/fleet'): JsonRecord {
  return {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'PackageVariant',
    metadata: { name, annotations: { 'krm-variants.dev/package-variant-set': owner } },
    spec: { upstream: { repo: 'catalog', package: 'app', revision: 1 }, downstream: { repo, package: packageName } },
  }
}

function list(...names: string[]): JsonRecord {
  return { repositories: names.map((name) => ({ name })) }
}

function planOf(list: ResourceList): FleetPlan {
  return planFanOut(list, DEFAULT_OPTIONS)
}

function changesOf({ sets }: FleetPlan): string[] {
  return sets.flatMap(({ changes }) => changes.map(describe))
}

function describe({ op, name, existing }: VariantChange): string {
  return op === 'rename' ? `rename ${existing?.name} → ${name}` : `${op} ${name}`
}

const SELECTOR = { repositorySelector: { matchLabels: { tier: 'a' } } }

test.each([
  { reason: 'of the upstream', target: SELECTOR, field: 'spec.upstream.package', rule: 'package-path' },
  { reason: 'of the upstream that no name may hold', name: 'a b', target: SELECTOR, field: 'spec.upstream.package', rule: 'variant-name' },
  {
    reason: 'of the target',
    target: { repositorySelector: { ...SELECTOR.repositorySelector, packageNames: ['../x'] } },
    field: 'spec.targets[0].repositorySelector',
    rule: 'package-path',
  },
  {
    reason: 'of the template, too long for a folder',
    target: { ...SELECTOR, template: { downstream: { package: 'é'.repeat(128) } } },
    name: 'app',
    field: 'spec.targets[0].template.downstream.package',
    rule: 'package-path',
  },
])('a package name that cannot be is reported at its field: $reason', ({ target, name = '../x', field, rule }) => {
  const upstream = { repo: 'catalog', package: name, revision: 1 }
  const { results } = planOf(listOf([repository('edge', { tier: 'a' }), { ...set([]), spec: { upstream, targets: [target] } }]))
  const found = results.filter(({ tags }) => tags.rule === rule).map((result) => formatFieldPath(result.field?.path ?? []))
  expect(found).toEqual([field])
})

test('objects of an upstream package in the list are no targets, sets or variants of the fleet', () => {
  const objects = [repository('edge', { tier: 'a' }), set([{ repositorySelector: { matchLabels: { tier: 'a' } } }])]
  const ofPackage = [{ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'app' } }, repository('template', { tier: 'a' })]
  const inPackage = [...ofPackage, set([list('b')]), variant('other', 'edge')].map((object, index) =>
    KrmObject.fromDocument(JSON.stringify(object), { path: `catalog/app@v1/${index === 0 ? 'Kptfile' : 'all.yaml'}`, index, line: 1 }),
  )
  const plan = planOf(ResourceList.of([...listOf(objects).items, ...inPackage]))
  expect({ changes: changesOf(plan), rules: plan.results.map(({ tags }) => tags.rule) }).toEqual({
    changes: ['create fleet-edge-app'],
    rules: ['fan-out'],
  })
})

test.each([
  { reason: 'only wanted', objects: [set([list('a')])], changes: ['create fleet-a-app'] },
  { reason: 'both, and equal', objects: [set([list('a')]), variant('fleet-a-app', 'a')], changes: ['unchanged fleet-a-app'] },
  { reason: 'both, under another name', objects: [set([list('a')]), variant('mine', 'a')], changes: ['unchanged mine'] },
  {
    reason: 'only there',
    objects: [set([list('a')]), variant('fleet-a-app', 'a'), variant('b', 'b')],
    changes: ['unchanged fleet-a-app', 'remove b'],
  },
  {
    reason: 'another package in the repository',
    objects: [set([list('a')]), variant('fleet-a-old', 'a', 'old')],
    changes: ['rename fleet-a-old → fleet-a-app'],
  },
  {
    reason: 'the name of a new one, with another downstream',
    objects: [set([list('a')]), variant('fleet-a-app', 'z')],
    changes: ['rename fleet-a-app → fleet-a-app'],
  },
  {
    reason: 'two packages for one: not clear which is which',
    objects: [set([list('a')]), variant('x', 'a', 'x'), variant('y', 'a', 'y')],
    changes: ['create fleet-a-app', 'remove x', 'remove y'],
  },
  { reason: 'of another set', objects: [set([list('a')]), variant('b', 'b', 'app', 'default/gone')], changes: ['create fleet-a-app'] },
  {
    reason: 'of a set of that name in another namespace',
    objects: [set([list('a')]), variant('b', 'b', 'app', 'other/fleet')],
    changes: ['create fleet-a-app'],
  },
])('a variant that is $reason', ({ objects, changes }) => {
  expect(changesOf(planOf(listOf(objects)))).toEqual(changes)
})

test('a change says what is there, what will be, and why', () => {
  const target = {
    repositorySelector: { matchLabels: { env: 'prod' } },
    template: { labelExprs: [{ key: 'env', valueExpr: 'target.labels.env' }] },
  }
  const plan = planOf(listOf([set([target]), repository('a', { env: 'prod' }), variant('fleet-a-app', 'a')]))
  const [change] = plan.sets[0]?.changes ?? []
  expect(change).toMatchObject({ op: 'update', name: 'fleet-a-app', namespace: 'default', addsMarks: false })
  expect(change?.before).not.toHaveProperty('labels')
  expect(change?.after).toHaveProperty('labels', { env: 'prod' })
  expect(change?.why?.place.path).toEqual(['spec', 'targets', 0, 'repositorySelector'])
  expect(change?.why?.place.object?.name).toBe('a')
  expect(change?.why?.filled).toMatchObject([
    { within: ['spec', 'labels'], key: 'env', value: 'prod', valueFrom: { text: 'target.labels.env' } },
  ])
})

test('a plan changes nothing', () => {
  const fleet = listOf([set([list('a')]), variant('b', 'b')])
  planOf(fleet)
  expect(fleet.items.some(({ changed }) => changed)).toBe(false)
  expect(fleet.items).toHaveLength(2)
})

function revision(number: number): JsonRecord {
  return {
    apiVersion: 'porch.kpt.dev/v1alpha1',
    kind: 'PackageRevision',
    metadata: { name: `app-${number}`, labels: { number: `n${number}` } },
    spec: { repository: 'catalog', packageName: 'app', revision: number, workspaceName: `w${number}` },
  }
}

test.each([
  { reason: 'older and newer ones stand beside it', revisions: [0, 3, 1, 2], label: 'n1' },
  { reason: 'there are newer ones alone', revisions: [2, 3], label: undefined },
  { reason: 'there are drafts alone', revisions: [0], label: undefined },
])('the upstream is the revision that is asked for, and no other: $reason', ({ revisions, label }) => {
  const target = { ...list('a'), template: { labelExprs: [{ key: 'number', valueExpr: 'upstream.labels.number' }] } }
  const { sets, results } = planOf(listOf([set([target]), ...revisions.map(revision)]))
  expect(sets[0]?.changes[0]?.after?.labels).toEqual(label === undefined ? undefined : { number: label })
  const errors = results.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ tags }) => tags.rule)).toEqual(label === undefined ? ['upstream-not-found'] : [])
})

test.each([
  { reason: 'a name alone', selector: { name: 'b' }, changes: ['create fleet-b-app'] },
  { reason: 'a name and labels', selector: { name: 'b', matchLabels: { env: 'prod' } }, changes: ['create fleet-b-app'] },
  { reason: 'a name without the labels', selector: { name: 'b', matchLabels: { env: 'test' } }, changes: [] },
  { reason: 'a name that no object has', selector: { name: 'z' }, changes: [] },
  { reason: 'no name', selector: {}, changes: ['create fleet-a-app', 'create fleet-b-app'] },
])('objectSelector with $reason', ({ selector, changes }) => {
  const target = { objectSelector: { apiVersion: 'x.io/v1', kind: 'Site', ...selector } }
  const sites = ['a', 'b'].map((name) => ({ apiVersion: 'x.io/v1', kind: 'Site', metadata: { name, labels: { env: 'prod' } } }))
  expect(changesOf(planOf(listOf([set([target]), ...sites])))).toEqual(changes)
})

test('names of labels that JavaScript knows are ordinary', () => {
  const labels = { constructor: 'c', ['__proto__']: 'p', toString: 't' }
  const target = {
    repositorySelector: { matchLabels: { constructor: 'c' } },
    template: { labelExprs: Object.keys(labels).map((key) => ({ keyExpr: `'${key}'`, valueExpr: `target.labels['${key}']` })) },
  }
  const [change] = planOf(listOf([set([target]), repository('a', labels), repository('b')])).sets[0]?.changes ?? []
  expect(Object.entries(change?.after?.labels ?? {})).toEqual([
    ['constructor', 'c'],
    ['__proto__', 'p'],
    ['toString', 't'],
  ])
})

test('the plan of a fleet does not depend on the order of its objects', () => {
  const objects = [
    set([{ repositorySelector: {} }]),
    ...['a', 'b', 'c'].map((name) => repository(name)),
    repository('x'),
    variant('fleet-c-app', 'c'),
    variant('gone', 'g'),
  ]
  const expected = changesOf(planOf(listOf(objects)))
  fc.assert(
    fc.property(fc.shuffledSubarray(objects, { minLength: objects.length }), (shuffled) => {
      expect(changesOf(planOf(listOf(shuffled)))).toEqual(expected)
    }),
  )
})

test('a plan says why a set does not ask for a variant that goes', () => {
  const target = { repositorySelector: { matchLabels: { env: 'prod' } } }
  const objects = [set([target]), repository('a', { env: 'dev' }), variant('a', 'a'), variant('b', 'b'), variant('c', 'b', 'other')]
  const { fleet, sets } = planOf(listOf(objects))
  const existing = fleet.allOf('config.porch.kpt.dev', 'PackageVariant')
  expect(existing.map((each) => sets[0]?.whyNot(each))).toMatchObject([
    { type: 'left-out', path: ['spec', 'targets', 0, 'repositorySelector'], object: { name: 'a' }, clause: 'env=prod' },
    { type: 'gone', path: ['spec', 'targets', 0, 'repositorySelector'], kind: 'Repository', name: 'b' },
    undefined,
  ])
})

test('variants whose upstream package is renamed are paired by their targets, also where one repository has them all', () => {
  const target = {
    repositories: [{ name: 'mono' }],
    template: { downstream: { packageExpr: "packageDefault + '-a'" } },
  }
  const other = { repositories: [{ name: 'mono' }], template: { downstream: { packageExpr: "'b-' + packageDefault" } } }
  const renamed = {
    ...set([target, other]),
    spec: { upstream: { repo: 'catalog', package: 'shop', revision: 1 }, targets: [target, other] },
  }
  const objects = [renamed, variant('one', 'mono', 'b-app'), variant('two', 'mono', 'app-a'), variant('three', 'mono', 'else')]
  expect(changesOf(planOf(listOf(objects)))).toEqual(['rename two → fleet-mono-shop-a', 'rename one → fleet-mono-b-shop', 'remove three'])
})
