import { expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Step } from '../plan/plan.ts'
import { glasskubeInstall, glasskubeReading } from './testing/objects.ts'

const app = glasskubeInstall('app', 'v1.0.0')
const requiring = (fields: object) => ({ id: 'app', versions: [{ version: 'v1.0.0', dependencies: [], ...fields }] })
const DB = { id: 'db', versions: [{ version: 'v1.0.0', dependencies: [] }] }

/** Returns the writer for some objects and a catalog, and a step on the first package that the first install requires. */
function setUp(objects: readonly KrmObject[], ...entries: readonly object[]) {
  const { index, controller } = glasskubeReading(objects, entries)
  const [dependent] = index.dependents
  const [requirement] = dependent?.requirements ?? []
  if (controller === undefined || dependent === undefined || requirement?.type !== 'package') throw new Error('the app requires a package')
  const step = (fields: Partial<Step> = {}): Step => ({
    op: 'create',
    ecosystem: 'glasskube',
    version: 'v1.0.0',
    name: 'db',
    pass: 1,
    package: requirement.package,
    parents: [{ name: dependent.name, requirement, dependent }],
    ...fields,
  })
  return { writer: controller.writer, installs: index.installs, step }
}

/** Returns the object that is written for the database, or the fault. */
function made(entries: readonly object[], fields: Partial<Step> = {}) {
  const { writer, step } = setUp([app], ...entries)
  return writer.create(step(fields), undefined)
}

const ANNOTATIONS = { 'packages.glasskube.dev/installed-as-dependency': 'true', 'krm-variants.dev/resolved': 'v1.0.0' }

test('a dependency is a ClusterPackage, pinned, and marked as made for another package', () => {
  expect(made([requiring({ dependencies: [{ name: 'db' }] }), DB])).toEqual({
    object: {
      apiVersion: 'packages.glasskube.dev/v1alpha1',
      kind: 'ClusterPackage',
      metadata: { name: 'db', annotations: ANNOTATIONS },
      spec: { packageInfo: { name: 'db', version: 'v1.0.0' } },
    },
  })
})

test('a component is a Package in the namespace of its package, with the values that its package gives', () => {
  const components = [{ name: 'db', values: { size: { value: '10' } } }]
  expect(made([requiring({ defaultNamespace: 'apps', components }), DB], { name: 'app-db' })).toEqual({
    object: {
      apiVersion: 'packages.glasskube.dev/v1alpha1',
      kind: 'Package',
      metadata: { name: 'app-db', namespace: 'apps', annotations: ANNOTATIONS },
      spec: { packageInfo: { name: 'db', version: 'v1.0.0' }, values: { size: { value: '10' } } },
    },
  })
})

test('a package without versions gets an empty version, and one without a parent no values', () => {
  const entries = [
    requiring({ dependencies: [{ name: 'db', values: { a: { value: 'b' } } }] }),
    { id: 'db', versions: [{ version: '', dependencies: [] }] },
  ]
  expect(made(entries, { version: '', parents: [] })).toMatchObject({ object: { spec: { packageInfo: { name: 'db', version: '' } } } })
  expect(made(entries, { version: '', parents: [] })).not.toHaveProperty('object.spec.values')
})

test('a package names the only repository that has its version, and is not written where several have the version', () => {
  const inRepository = (repository: string, version = 'v1.0.0') => ({ ...DB, repository, versions: [{ version, dependencies: [] }] })
  const needs = requiring({ dependencies: [{ name: 'db' }] })
  expect(made([needs, inRepository('one'), inRepository('two', 'v2.0.0')])).toMatchObject({
    object: { spec: { packageInfo: { repositoryName: 'one' } } },
  })
  expect(made([needs, inRepository('two'), inRepository('one')])).toEqual({
    fault: 'it is in the repositories one and two: install it with a repositoryName',
  })
})

test('a package of which nothing is known is not written', () => {
  const needs = requiring({ dependencies: [{ name: 'db' }] })
  const foreign = setUp([app], needs, DB).step().package
  expect(made([needs, DB], { package: foreign })).toEqual({ fault: 'nothing is known of it' })
})

test('an update sets the version, and the mark of an install that was made for another package', () => {
  const version = (value: string) => ({ path: ['spec', 'packageInfo', 'version'], value })
  const changes = (annotations: object, to: string) => {
    const { writer, installs, step } = setUp(
      [app, glasskubeInstall('db', 'v1.0.0', { annotations })],
      requiring({ dependencies: [{ name: 'db' }] }),
      DB,
    )
    return writer.update(step({ op: 'update', version: to, install: installs[1] }))
  }
  expect(changes({}, 'v2.0.0')).toEqual([version('v2.0.0')])
  expect(changes(ANNOTATIONS, 'v2.0.0')).toEqual([
    { path: ['metadata', 'annotations', 'krm-variants.dev/resolved'], value: 'v2.0.0' },
    version('v2.0.0'),
  ])
  expect(changes(ANNOTATIONS, 'v1.0.0')).toEqual([])
})
