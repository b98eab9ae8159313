import { expect, test } from 'vitest'
import { DEFAULT_OPTIONS } from '../fleet/options.ts'
import { planFanOut } from '../fleet/plan-fan-out.ts'
import { list, repository, resourceListOf, setOf, type Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { policyResults } from './judge-policies.ts'

/** Returns what an expression gives for each item, as `NAME: VALUE`. */
function valuesOf(forEach: string, expression: string, objects: readonly Written[]): readonly string[] {
  const policy = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'FleetPolicy',
    metadata: { name: 'p' },
    spec: { forEach, validations: [{ expression: 'false', messageExpression: expression }] },
  }
  const { items } = resourceListOf([...objects, ['policy.yaml', policy]])
  const results = policyResults(items, planFanOut(resourceListOf(objects), { ...DEFAULT_OPTIONS, allowEmpty: true }))
  return results.map(({ message }) => message.replace(/ \(FleetPolicy p in .*$/s, ''))
}

function variant(name: string, repo: string, packageName: string, more: { spec?: JsonRecord; metadata?: JsonRecord } = {}): JsonRecord {
  const spec = { upstream: { repo: 'catalog', package: 'app', revision: 2 }, downstream: { repo, package: packageName }, ...more.spec }
  return { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'PackageVariant', metadata: { name, ...more.metadata }, spec }
}

function kptfile(folder: string, metadata: JsonRecord = {}): Written {
  return [`${folder}/Kptfile`, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'own-name', ...metadata } }]
}

const MARK = 'krm-variants.dev/package-variant'
const object = (kind: string, metadata: JsonRecord = {}, more: JsonRecord = {}) => ({ apiVersion: 'v1', kind, metadata, ...more })

test('a variant of a person is an item with its own texts, its Repository and no ring', () => {
  const metadata = { labels: { team: 'a' }, annotations: { note: 'b' } }
  const objects = [repository('one', { tier: 'x' }), variant('app-one', 'one', 'app', { metadata })]
  const fields = [
    'item.apiVersion',
    'item.kind',
    'item.metadata.name',
    'item.metadata.namespace',
    'item.metadata.labels.team',
    'item.metadata.annotations.note',
    'item.repository.name',
    'item.repository.kind',
    'item.repository.labels.tier',
    'item.target.name',
    'item.spec.upstream.package',
    "'[' + item.ring + ']'",
  ]
  expect(valuesOf('variants', fields.join(" + ' ' + "), objects)).toEqual([
    'PackageVariant default/app-one: config.porch.kpt.dev/v1alpha1 PackageVariant app-one default a b one Repository x one app []',
  ])
})

test('a variant that goes to a Repository which the fleet lacks has the name of the Repository alone', () => {
  const said = "item.repository.name + ' ' + item.repository.namespace + ' ' + item.repository.kind + ' ' + item.target.name"
  const more = ' + string(item.repository.labels.size() + item.repository.annotations.size()) + item.repository.apiVersion'
  expect(valuesOf('variants', said + more, [variant('app-gone', 'gone', 'app')])).toEqual([
    'PackageVariant default/app-gone: gone default Repository gone0config.porch.kpt.dev/v1alpha1',
  ])
})

const CLUSTER = { apiVersion: 'infra.io/v1', kind: 'Cluster', metadata: { name: 'c1', labels: { zone: 'eu' } } }
const SELECTOR = {
  objectSelector: { apiVersion: 'infra.io/v1', kind: 'Cluster' },
  template: { downstream: { repo: 'one', package: 'app' } },
}

test('the variant of a selected object has the object as its target, and both list the variant', () => {
  const objects = [repository('one', { tier: 'x' }), repository('two'), CLUSTER, setOf([SELECTOR])]
  expect(valuesOf('variants', "item.target.kind + ' ' + item.target.labels.zone + ' ' + item.repository.labels.tier", objects)).toEqual([
    expect.stringMatching(/: Cluster eu x$/),
  ])
  expect(valuesOf('targets', "item.kind + ' ' + item.name + ' ' + string(item.variants.size())", objects)).toEqual([
    'Repository one: Repository one 1',
    'Repository two: Repository two 0',
    'Cluster c1: Cluster c1 1',
  ])
})

test('a Repository that a set selects lists its variants once, and a kind that no set names is no target', () => {
  const objects = [repository('one'), repository('two'), CLUSTER, setOf([list('one', 'two')]), variant('own', 'one', 'other')]
  expect(valuesOf('targets', "string(item.variants.size()) + ' of ' + string(variants.size())", objects)).toEqual([
    'Repository one: 2 of 3',
    'Repository two: 1 of 3',
  ])
})

test('the list of Repositories has no other target, a Repository of another group neither, and each with its variants', () => {
  const foreign = { apiVersion: 'charts.io/v1', kind: 'Repository', metadata: { name: 'charts' } }
  const revision = { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Other', metadata: { name: 'other' } }
  const selectorOf = ({ apiVersion, kind }: typeof foreign) => ({ ...SELECTOR, objectSelector: { apiVersion, kind } })
  const objects = [repository('one'), CLUSTER, foreign, revision, setOf([SELECTOR, selectorOf(foreign), selectorOf(revision)])]
  const said = "string(repositories.size()) + ' ' + repositories[0].name + ' ' + string(repositories[0].variants.size())"
  const values = valuesOf('targets', said, objects).map((line) => line.replace(/^.*: /, ''))
  expect(values).toEqual(Array(4).fill('1 one 1'))
})

test('the package with the mark of a variant has the name and the Repository of the variant', () => {
  const objects = [
    repository('one'),
    variant('app-one', 'one', 'app', { spec: { labels: { team: 'given', tier: '1' } } }),
    kptfile('any/where', { labels: { team: 'own', other: 'kept' }, annotations: { [MARK]: 'default/app-one', note: 'n' } }),
  ]
  const said =
    "item.name + ' ' + item.repository.name + ' ' + item.variant.metadata.name + ' ' + item.labels.team + item.labels.tier + item.labels.other + item.annotations.note"
  expect(valuesOf('packages', said, objects)).toEqual(['package one/app: app one app-one given1keptn'])
})

test('a package with the mark of a variant that the fleet lacks has no variant', () => {
  const objects = [repository('one'), kptfile('one/app', { annotations: { [MARK]: 'default/gone' } }), variant('app-one', 'one', 'app')]
  expect(valuesOf('packages', "item.name + ' ' + string(has(item.variant)) + ' [' + item.repository.name + ']'", objects)).toEqual([
    'package one/app: own-name false []',
  ])
})

test.each([
  ['one/app', true],
  ['packages/one/app', true],
  ['one/app/sub', false],
  ['two/app', false],
  ['one/ap', false],
  ['done/app', false],
])('the package in the folder %s is that of the variant of app in one: %s', (folder, isOne) => {
  const objects = [repository('one'), variant('app-one', 'one', 'app'), kptfile(folder)]
  const found = valuesOf('packages', 'item.variant.metadata.name', objects)
  expect(found.filter((line) => line.startsWith('package '))).toEqual(isOne ? ['package one/app: app-one'] : [])
})

const PACKAGE = [repository('one'), variant('app-one', 'one', 'app'), kptfile('one/app')]

test('an object of a package is an item with its package, and always has texts in its metadata', () => {
  const objects: readonly Written[] = [
    ...PACKAGE,
    ['one/app/a.yaml', object('ConfigMap', { name: 'a', namespace: 'shop', labels: { x: 'y' } })],
    ['one/app/b.yaml', object('ConfigMap', { name: 'b', labels: null, annotations: null })],
    ['elsewhere/c.yaml', object('ConfigMap', { name: 'c' })],
  ]
  const said =
    "item.metadata.name + '/' + item.metadata.namespace + ' ' + string(item.metadata.labels.size()) + string(item.metadata.annotations.size()) + ' ' + item.package.name + ' ' + item.package.variant.metadata.name"
  expect(valuesOf('objects', said, objects)).toEqual([
    'ConfigMap shop/a of package one/app: a/shop 10 app app-one',
    'ConfigMap b of package one/app: b/ 00 app app-one',
  ])
})

test('a package lists its objects without their package, and none of tools', () => {
  const annotations = { 'config.kubernetes.io/local-config': 'true' }
  const objects: readonly Written[] = [
    ...PACKAGE,
    ['one/app/a.yaml', object('ConfigMap', { name: 'a' })],
    ['one/app/l.yaml', object('ConfigMap', { name: 'l', annotations })],
  ]
  expect(
    valuesOf('packages', "string(item.objects.size()) + item.objects[0].metadata.name + string('package' in item.objects[0])", objects),
  ).toEqual(['package one/app: 1afalse'])
  expect(valuesOf('variants', 'string(packages.size()) + packages[0].objects[0].metadata.name', objects)).toEqual([
    'PackageVariant default/app-one: 1a',
  ])
})

test('a finding is at the line of its item, and that of a variant of a set at the target of the set', () => {
  const policy = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'FleetPolicy',
    metadata: { name: 'p' },
    spec: { forEach: 'variants', validations: [{ expression: 'false', message: 'no' }] },
  }
  const objects: readonly Written[] = [repository('one'), ['set.yaml', setOf([list('one')])], ['own.yaml', variant('own', 'one', 'other')]]
  const { items } = resourceListOf([...objects, ['policy.yaml', policy]])
  const results = policyResults(items, planFanOut(resourceListOf(objects), { ...DEFAULT_OPTIONS, allowEmpty: true }))
  expect(results.map((result) => formatResult(result).replace(/\(Fleet.*/, ''))).toEqual([
    expect.stringMatching(/^set\.yaml:1:\d+: error: PackageVariant default\/fleet-.*: no $/),
    expect.stringMatching(/^own\.yaml:1:\d+: error: PackageVariant default\/own: no $/),
  ])
})

test('an object that cannot be read is named once with its file, and is left out of its package', () => {
  const { items } = resourceListOf([...PACKAGE, ['one/app/a.yaml', object('ConfigMap', { name: 'a' })]])
  const broken = KrmObject.fromDocument('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: *nope\n', {
    path: 'one/app/b.yaml',
    index: 0,
    line: 1,
  })
  const policies = ['p', 'q'].map((name) =>
    KrmObject.fromDocument(
      JSON.stringify({
        apiVersion: 'fleet.krm-variants.dev/v1alpha1',
        kind: 'FleetPolicy',
        metadata: { name },
        spec: { forEach: 'packages', validations: [{ expression: 'false', messageExpression: 'string(item.objects.size())' }] },
      }),
    ),
  )
  const plan = planFanOut(resourceListOf(PACKAGE), { ...DEFAULT_OPTIONS, allowEmpty: true })
  const results = policyResults([...items, broken, ...policies], plan).map(formatResult)
  expect(results).toEqual([
    expect.stringContaining('package one/app: 1 (FleetPolicy p)'),
    expect.stringContaining('package one/app: 1 (FleetPolicy q)'),
    expect.stringMatching(/^one\/app\/b\.yaml:4:\d+: error: /),
  ])
})

test('an expression about objects of one kind has the types of the definition that the fleet has', () => {
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { zone: { type: 'string' } } } } }
  const names = { kind: 'Region', plural: 'regions' }
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }]
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'regions.a.io' },
    spec: { group: 'a.io', names, scope: 'Namespaced', versions },
  }
  const region = { apiVersion: 'a.io/v1', kind: 'Region', metadata: { name: 'eu' }, spec: { zone: 'z' } }
  const objects: readonly Written[] = [...PACKAGE, definition, ['one/app/r.yaml', region]]
  const judge = (expression: string) => {
    const where = "item.apiVersion == 'a.io/v1' && item.kind == 'Region'"
    const policy = {
      apiVersion: 'fleet.krm-variants.dev/v1alpha1',
      kind: 'FleetPolicy',
      metadata: { name: 'p' },
      spec: { forEach: 'objects', where, validations: [{ expression, message: 'no' }] },
    }
    const plan = planFanOut(resourceListOf(objects), { ...DEFAULT_OPTIONS, allowEmpty: true })
    return policyResults(resourceListOf([...objects, policy]).items, plan).map(({ tags }) => tags.rule)
  }
  expect(judge("item.spec.zone == 'z'")).toEqual([])
  expect(judge("item.spec.zone == 'y'")).toEqual(['policy-violation'])
  expect(judge("item.spec.zoen == 'y'")).toEqual(['policy-expression'])
})
