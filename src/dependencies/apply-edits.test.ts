import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { appliedObjects } from '../resource-list/applied-objects.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { objectOf } from './crossplane/testing/objects.ts'
import type { ObjectEdit } from './reading/ecosystem.ts'
import { applyEdits } from './resolve-objects.ts'

const configMap = (name: string, more: JsonRecord = {}): JsonRecord => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...more,
})
const inFile = (path: string, value: JsonRecord) => objectOf(value, path)
const kptfile = (path: string) => inFile(path, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'p' } })
const filesOf = (list: ResourceList) => list.items.map(({ name, file }) => `${file?.path} ${name}`)
const addition = (name: string, near?: KrmObject): ObjectEdit => ({ type: 'add', object: configMap(name), near })

test('edits set a field, delete one without a value, and remove an object', () => {
  const [one, two] = [inFile('a/one.yaml', configMap('one', { data: { a: '1', b: '2' } })), inFile('a/two.yaml', configMap('two'))]
  const list = ResourceList.of([one, two])
  const fields = [
    { path: ['data', 'a'], value: '9' },
    { path: ['data', 'b'], value: undefined },
  ]
  applyEdits(
    [
      { type: 'set', object: one, fields },
      { type: 'remove', object: two },
    ],
    list,
  )
  expect(list.items.map((item) => item.toJson())).toEqual([configMap('one', { data: { a: '9' } })])
})

test('edits add an object to dependencies.yaml beside its near object; one without is at the top', () => {
  const near = inFile('a/b/one.yaml', configMap('one'))
  const list = ResourceList.of([near, inFile('c.yaml', configMap('c'))])
  applyEdits([addition('new', near), addition('free')], list)
  expect(filesOf(list).toSorted()).toEqual(['a/b/dependencies.yaml new', 'a/b/one.yaml one', 'c.yaml c', 'dependencies.yaml free'])
})

test('edits replace an object of the same name, where the list is one cluster', () => {
  const near = inFile('one.yaml', configMap('one'))
  const list = ResourceList.of([near, inFile('old.yaml', configMap('new', { data: { a: '1' } }))])
  applyEdits([addition('new', near)], list)
  expect(filesOf(list)).toEqual(['one.yaml one', 'old.yaml new'])
  expect(list.items[1]?.toJson()).toEqual(configMap('new'))
})

test('in a list of several clusters, edits replace only an object of the own cluster that is not removed', () => {
  const [own, other] = [
    inFile('eu/old.yaml', configMap('new', { data: { a: '1' } })),
    inFile('us/old.yaml', configMap('new', { data: { a: '2' } })),
  ]
  const kept = ResourceList.of([other, own])
  applyEdits([addition('new', own)], kept, { cluster: [own] })
  expect(kept.items.map((item) => item.get(['data']))).toEqual([{ a: '2' }, undefined])
  const [near, gone] = [inFile('eu/near.yaml', configMap('near')), inFile('eu/old.yaml', configMap('new', { data: { a: '1' } }))]
  const replaced = ResourceList.of([near, gone])
  applyEdits([{ type: 'remove', object: gone }, addition('new', near)], replaced, { cluster: [near, gone] })
  expect(filesOf(replaced)).toEqual(['eu/near.yaml near', 'eu/dependencies.yaml new'])
  const renamed = ResourceList.of([inFile('eu/a.yaml', { ...configMap('new'), kind: 'Secret' })])
  applyEdits([addition('new', renamed.items[0])], renamed, { cluster: renamed.items })
  expect(filesOf(renamed)).toEqual(['eu/a.yaml new', 'eu/dependencies.yaml new'])
})

test('edits remove and change entries of a List, whatever the order of the edits', () => {
  const document = inFile('all.yaml', { apiVersion: 'v1', kind: 'List', items: ['a', 'b', 'c', 'd'].map((name) => configMap(name)) })
  const list = ResourceList.of([document])
  const entries = appliedObjects(document)
  const edit = (at: number): ObjectEdit[] => entries.slice(at, at + 1).map((object) => ({ type: 'remove', object }))
  const [, second] = entries
  if (second === undefined) throw new Error('there are entries')
  applyEdits([...edit(0), ...edit(2), { type: 'set', object: second, fields: [{ path: ['data'], value: { x: 'y' } }] }], list)
  expect(document.get(['items'])).toEqual([configMap('b', { data: { x: 'y' } }), configMap('d')])
})

test('edits add an object beside the List of its near entry', () => {
  const document = inFile('a/all.yaml', { apiVersion: 'v1', kind: 'List', items: [configMap('one')] })
  const list = ResourceList.of([document])
  applyEdits([addition('new', appliedObjects(document)[0])], list)
  expect(filesOf(list)).toEqual(['a/all.yaml undefined', 'a/dependencies.yaml new'])
})

test('edits add an object to the package that is asked for, which gets a Kptfile if it has none', () => {
  const near = inFile('eu/app/one.yaml', configMap('one'))
  const there = ResourceList.of([near, kptfile('eu/shared/Kptfile')])
  applyEdits([addition('new', near)], there, { into: 'eu/shared' })
  expect(filesOf(there).toSorted()).toEqual(['eu/app/one.yaml one', 'eu/shared/Kptfile p', 'eu/shared/dependencies.yaml new'])
  const made = ResourceList.of([near, kptfile('eu/other/Kptfile')])
  applyEdits([addition('new', near), addition('newer', near)], made, { into: 'eu/shared' })
  expect(filesOf(made).toSorted()).toEqual([
    'eu/app/one.yaml one',
    'eu/other/Kptfile p',
    'eu/shared/Kptfile shared',
    'eu/shared/dependencies.yaml new',
    'eu/shared/dependencies.yaml newer',
  ])
  expect(made.items.find(({ name }) => name === 'shared')?.toJson()).toEqual({
    apiVersion: 'kpt.dev/v1',
    kind: 'Kptfile',
    metadata: { name: 'shared', annotations: { 'config.kubernetes.io/local-config': 'true' } },
    info: { description: 'Packages that other packages of the cluster require, as resolve-dependencies adds them.' },
  })
})

/** Returns a list as an orchestrator sends it, whose packages have folders of their own: `[FOLDER, PATH, VALUE]`. */
const sent = (...items: readonly (readonly [packagePath: string, path: string, name: string])[]) => {
  const withPath = items.map(([packagePath, path, name]) => {
    const place = { 'internal.config.kubernetes.io/package-path': packagePath, 'internal.config.kubernetes.io/path': path }
    return { apiVersion: 'v1', kind: path.endsWith('Kptfile') ? 'Kptfile' : 'ConfigMap', metadata: { name, annotations: place } }
  })
  return ResourceList.parse(JSON.stringify({ apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', items: withPath }))
}
const placesOf = (list: ResourceList) => list.items.map(({ name, file, packagePath }) => `${packagePath}: ${file?.path} ${name}`).toSorted()

test('edits find the package that is asked for among packages with folders of their own', () => {
  const there = sent(['eu/app', 'one.yaml', 'one'], ['eu/shared', 'Kptfile', 'p'])
  applyEdits([addition('new', there.items[0])], there, { into: 'eu/shared' })
  expect(placesOf(there)).toEqual(['eu/app: one.yaml one', 'eu/shared: Kptfile p', 'eu/shared: dependencies.yaml new'])
})

test('edits make the package that is asked for in the outermost package above it', () => {
  const made = sent(['eu/app', 'one.yaml', 'one'], ['eu/shared', 'two.yaml', 'two'], ['eu', 'Kptfile', 'root'], ['eu/s', 'x.yaml', 'x'])
  applyEdits([addition('new', made.items[0])], made, { into: 'eu/shared/inner' })
  expect(placesOf(made)).toEqual([
    'eu/app: one.yaml one',
    'eu/s: x.yaml x',
    'eu/shared: two.yaml two',
    'eu: Kptfile root',
    'eu: shared/inner/Kptfile inner',
    'eu: shared/inner/dependencies.yaml new',
  ])
})
