import { expect, test } from 'vitest'
import { readVendorObjects } from '../../src/intake/vendor-objects.ts'
import type { JsonRecord } from '../../src/json.ts'
import type { BuiltTree } from './built-tree.ts'
import { withSharedBases } from './shared-objects.ts'

const objectsOf = (values: readonly JsonRecord[]) =>
  readVendorObjects(values.map((value, at) => ({ name: `${at}.yaml`, bytes: Buffer.from(JSON.stringify(value)) }))).objects

/** Returns the tree of overlays over a base `app`, by the objects of each. */
function treeOf(overlays: Readonly<Record<string, readonly JsonRecord[]>>, base: readonly JsonRecord[] = []): BuiltTree {
  return {
    name: 'deploy',
    from: 'kustomize',
    dir: 'deploy',
    command: 'krm-variants convert kustomize deploy',
    leftOut: [],
    packages: new Map([['base', 'app']]),
    bases: new Map([['base', { objects: objectsOf(base), results: [], origin: { source: 'kustomize', name: 'base', sha256: 'x' } }]]),
    targets: new Map(Object.entries(overlays).map(([id, objects]) => [id, objectsOf(objects)])),
    overlays: Object.keys(overlays).map((id) => ({ id, path: id, target: id, folder: id, labels: {}, bases: ['base'] })),
  }
}

/** Returns the objects of each shared base, by the overlays that use the base. */
function shared(...given: Parameters<typeof treeOf>): Readonly<Record<string, unknown>> {
  const { overlays, bases } = withSharedBases(treeOf(...given))
  const added = [...bases].filter(([path]) => path !== 'base')
  const usersOf = (path: string) => overlays.filter((each) => each.bases.includes(path)).map(({ id }) => id)
  return Object.fromEntries(
    added.map(([path, { objects }]) => [usersOf(path).join(), objects.map(({ object }) => object.toJson())] as const),
  )
}

const config = (name: string, metadata: JsonRecord = {}, data: JsonRecord = { a: '1' }): JsonRecord => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})

test('an object that several overlays add is a base of these overlays, and objects of the same overlays are in one', () => {
  const both = [config('x'), config('y')]
  expect(shared({ dev: both, prod: both, test: [config('z')] })).toEqual({ 'dev,prod': both })
  expect(shared({ dev: both, prod: both, test: [config('x')] })).toEqual({ 'dev,prod,test': [config('x')], 'dev,prod': [config('y')] })
})

test('an object of a base, and one with a hash in its name, is not shared', () => {
  expect(shared({ dev: [config('x')], prod: [config('x')] }, [config('x')])).toEqual({})
  expect(shared({ dev: [config('x-5f7b2kd9mc')], prod: [config('x-5f7b2kd9mc')] })).toEqual({})
})

test('the shared object has the labels and annotations that it has in all overlays', () => {
  const of = (env: string) => config('x', { labels: { app: 'x', env }, annotations: { env } })
  const made = config('x', { labels: { app: 'x' } })
  expect(shared({ dev: [of('dev')], prod: [of('prod')] })).toEqual({ 'dev,prod': [made] })
  expect(shared({ dev: [of('dev')], prod: [of('prod')], test: [of('dev')] })).toEqual({ 'dev,prod,test': [made] })
})

test('an object that differs in many fields is no shared one', () => {
  const of = (value: string, fields: number) =>
    config('x', {}, Object.fromEntries(Array.from({ length: fields }, (_, at) => [`k${at}`, value])))
  expect(Object.keys(shared({ dev: [of('1', 3)], prod: [of('2', 3)] }))).toEqual(['dev,prod'])
  expect(shared({ dev: [of('1', 4)], prod: [of('2', 4)] })).toEqual({})
})
