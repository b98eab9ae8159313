import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { afterCall, explainCalls, imageOf } from './explain-overlay.ts'
import { pairObjects } from './pair-objects.ts'

const objectOf = (value: JsonRecord) => KrmObject.fromDocument(JSON.stringify(value))
const service = (metadata: JsonRecord): JsonRecord => ({ apiVersion: 'v1', kind: 'Service', metadata })
const map = (metadata: JsonRecord): JsonRecord => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
const deployment = (name: string, image: string): JsonRecord => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { template: { spec: { containers: [{ name: 'main', image }] } } },
})

/** Returns the calls that make overlays of bases, each in a line. */
function calls(bases: readonly JsonRecord[], overlays: readonly JsonRecord[], probe?: JsonRecord): readonly string[] {
  const [from, to] = [bases.map(objectOf), overlays.map(objectOf)]
  return explainCalls(from, pairObjects(from, to), probe && { added: objectOf(probe) }).map(({ fn, fixed, values }) =>
    [fn, ...Object.entries({ ...fixed, ...values }).map(([key, value]) => `${key}=${value}`)].join(' '),
  )
}

test.each([
  ['a prefix', [service({ name: 'web' })], [service({ name: 'prod-web' })], ['ensure-name-substring prepend=prod-']],
  ['a suffix', [service({ name: 'web' })], [service({ name: 'web-v2' })], ['ensure-name-substring append=-v2']],
  [
    'a prefix and a suffix',
    [service({ name: 'web' }), map({ name: 'a' })],
    [service({ name: 'prod-web-v2' }), map({ name: 'prod-a-v2' })],
    ['ensure-name-substring prepend=prod-', 'ensure-name-substring append=-v2'],
  ],
  ['a namespace', [service({ name: 'web' })], [service({ name: 'web', namespace: 'shop' })], ['set-namespace namespace=shop']],
  [
    'a label of all objects',
    [map({ name: 'a' }), map({ name: 'b' })],
    [map({ name: 'a', labels: { env: 'prod' } }), map({ name: 'b', labels: { env: 'prod' } })],
    ['set-labels env=prod'],
  ],
  ['an annotation', [service({ name: 'a' })], [service({ name: 'a', annotations: { team: 'till' } })], ['set-annotations team=till']],
  ['a new tag', [deployment('a', 'shop/web:1')], [deployment('a', 'shop/web:2')], ['set-image name=shop/web newTag=2']],
  ['a new image', [deployment('a', 'shop/web:1')], [deployment('a', 'mirror/web:1')], ['set-image name=shop/web newName=mirror/web']],
  ['a digest', [deployment('a', 'shop/web:1')], [deployment('a', 'shop/web@sha256:abc')], ['set-image name=shop/web digest=sha256:abc']],
  ['nothing', [service({ name: 'a' })], [service({ name: 'a' })], []],
] as const)('%s is explained by the function that makes it', (_what, bases, overlays, expected) => {
  expect(calls(bases, overlays)).toEqual(expected)
})

test('a label that only some objects have is not set on all of them', () => {
  expect(calls([map({ name: 'a' }), map({ name: 'b' })], [map({ name: 'a', labels: { env: 'prod' } }), map({ name: 'b' })])).toEqual([])
})

test('labels that are in no template are written into metadata alone', () => {
  const overlay = { ...deployment('a', 'web:1'), metadata: { name: 'a', labels: { env: 'prod', 'example.com/team': 'till' } } }
  expect(calls([deployment('a', 'web:1')], [overlay])).toEqual(['search-replace by-path=metadata.labels.env put-value=prod'])
})

test('with a probe, a label of the overlay is a call even if all objects have the label, and a patch of the only object is none', () => {
  const own = map({ name: 'a', annotations: { sync: 'late' } })
  const overlay = map({ name: 'a', annotations: { sync: 'late' }, labels: { patched: 'yes' } })
  expect(calls([own], [overlay])).toEqual(['set-labels patched=yes'])
  expect(calls([own], [overlay], map({ name: 'probe' }))).toEqual([])
  expect(calls([own], [overlay], map({ name: 'probe', annotations: { sync: 'late' } }))).toEqual(['set-annotations sync=late'])
})

test('with a probe, images are calls if the overlay changes them wherever they are, and else patches of one object', () => {
  const [own, overlay] = [objectOf(deployment('a', 'shop/web:1')), objectOf(deployment('a', 'shop/web:2'))]
  const explained = (images: readonly (readonly [string, string])[]) =>
    explainCalls([own], pairObjects([own], [overlay]), { added: objectOf(map({ name: 'probe' })), images }).map(({ fn }) => fn)
  expect(explained([['shop/web:probe', 'shop/web:2']])).toEqual(['set-image'])
  expect(explained([['shop/web:probe', 'shop/web:probe']])).toEqual([])
})

test('a call that would change a field to another value than that of the overlay is not taken', () => {
  const objects = [deployment('a', 'shop/web:1'), deployment('b', 'shop/web:1')]
  expect(calls(objects, [deployment('a', 'shop/web:2'), deployment('b', 'shop/web:1')])).toEqual([])
  expect(calls([service({ name: 'a' }), service({ name: 'b' })], [service({ name: 'prod-a' }), service({ name: 'b' })])).toEqual([])
})

test('an image with a tag and a digest is left to an edit', () => {
  expect(calls([deployment('a', 'web:1')], [deployment('a', 'web:2@sha256:abc')])).toEqual([])
})

test('a call leaves the given objects alone, and gives nothing if the function refuses its config', () => {
  const object = objectOf(service({ name: 'web' }))
  const [made] = afterCall([object], { fn: 'set-namespace', fixed: {}, values: { namespace: 'shop' } }) ?? []
  expect([object.namespace, made?.namespace]).toEqual([undefined, 'shop'])
  expect(afterCall([object], { fn: 'set-namespace', fixed: {}, values: {} })).toBeUndefined()
})

test('the image of a function has a version of the catalog', () => {
  expect(imageOf('set-labels')).toMatch(/^ghcr\.io\/kptdev\/krm-functions-catalog\/set-labels:v\d+\.\d+/)
})
