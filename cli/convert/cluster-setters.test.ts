import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLUSTER_VALUES } from '../../src/convert/fleet-texts.ts'
import type { FieldPath } from '../../src/field-path.ts'
import { readVendorObjects } from '../../src/intake/vendor-objects.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { clusterValues, detachSetters, setterOf, settersOfCluster, VALUES_FILE } from './cluster-setters.ts'

test.each([
  ['${replicas}', 'replicas'],
  ['${image.tag_1-a}', 'image.tag_1-a'],
  ['nginx:${tag}', undefined],
  ['${tag}-x', undefined],
  ['${a}${b}', undefined],
  ['${}', undefined],
])('the setter that alone writes %s is %s', (pattern, name) => {
  expect(setterOf(pattern)).toBe(name)
})

const values = (name: string, { kind = 'ClusterValues', apiVersion = CLUSTER_VALUES } = {}) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: {web: {replicas: '3', tag: a}, db: {size: '1'}}\n`

test('the values of a cluster are the ClusterValues with its name', () => {
  const texts = [values('prod', { kind: 'Repository' }), values('prod', { apiVersion: 'example.com/v1' }), values('qa'), values('prod')]
  const { objects } = readVendorObjects([{ name: 'v.yaml', bytes: Buffer.from(texts.join('---\n')) }])
  expect(clusterValues(objects, 'prod')).toBe(objects[3]?.object)
  expect(clusterValues(objects, 'dev')).toBeUndefined()
})

test('the setters of a cluster in a package are the keys of the values of the package', () => {
  const work = testFolder()
  expect(settersOfCluster(work, 'prod', 'web').size).toBe(0)
  mkdirSync(join(work, 'fleet'))
  writeFileSync(join(work, VALUES_FILE), values('prod'))
  expect([...settersOfCluster(work, 'prod', 'web')]).toEqual(['replicas', 'tag'])
  expect([...settersOfCluster(work, 'prod', 'api'), ...settersOfCluster(work, 'qa', 'web')]).toEqual([])
})

const OBJECT = 'kind: A\nspec:\n  a: 1 # kpt-set: ${one}\n  b:\n    c: 2 # kpt-set: ${one}\n    d: x-3 # kpt-set: x-${two}\n'
const LEFT = '# not from the setter one, which has other fields'

test.each<[string, readonly FieldPath[], readonly string[], string]>([
  ['a changed field', [['spec', 'a']], ['one'], OBJECT.replace('# kpt-set: ${one}', LEFT)],
  ['a field below a changed one', [['spec', 'b']], ['one'], OBJECT.replace('c: 2 # kpt-set: ${one}', `c: 2 ${LEFT}`)],
  [
    'every changed field',
    [
      ['spec', 'a'],
      ['spec', 'b', 'c'],
    ],
    ['one'],
    OBJECT.replaceAll('# kpt-set: ${one}', LEFT),
  ],
  ['no field that is as it was', [], ['one'], OBJECT],
  ['no field beside a changed one', [['spec', 'e']], ['one'], OBJECT],
  ['no field around a changed one', [['spec', 'a', 'x']], ['one'], OBJECT],
  ['no field of a setter that the cluster lacks', [['spec', 'a']], ['two'], OBJECT],
  ['no field without setters', [['spec', 'a']], [], OBJECT],
  ['no field that a setter writes in part', [['spec', 'b', 'd']], ['two'], OBJECT],
])('%s is taken from its setter', (_, changed, setters, text) => {
  const object = KrmObject.fromDocument(OBJECT)
  detachSetters(object, changed, new Set(setters))
  expect(object.toText()).toBe(text)
})
