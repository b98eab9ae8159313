import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { afterCall, explainCalls, functionOfImage, imageOf, imageWithOtherTag } from './explain-overlay.ts'
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

test.each(['internal.kpt.dev/upstream-identifier', 'config.kubernetes.io/local-config'])(
  'the annotation %s is not set on all objects: each object of a package has its own',
  (key) => {
    const annotations = { [key]: 'false', team: 'shops' }
    expect(calls([map({ name: 'a' })], [map({ name: 'a', annotations })], map({ name: 'new', annotations }))).toEqual([
      'set-annotations team=shops',
    ])
  },
)

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

test.each([
  [
    'a Namespace with another name is no prefix',
    [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }],
    [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'prod-shop' } }],
    [],
  ],
  [
    'the hash of a generated name is no suffix',
    [map({ name: 'web-5f7b6c9d2k' })],
    [map({ name: 'prod-web-c9d2f7b6k5' })],
    ['ensure-name-substring prepend=prod-'],
  ],
  [
    'labels of which all objects have each are one call',
    [map({ name: 'a' }), map({ name: 'b' })],
    [map({ name: 'a', labels: { env: 'prod', x: 'y' } }), map({ name: 'b', labels: { env: 'prod', x: 'y' } })],
    ['set-labels env=prod x=y'],
  ],
  [
    'a label that the base has already is no call',
    [map({ name: 'a', labels: { env: 'prod' } })],
    [map({ name: 'a', labels: { env: 'prod' } })],
    [],
  ],
  [
    'a label with another value in one object is no call',
    [map({ name: 'a' }), map({ name: 'b' })],
    [map({ name: 'a', labels: { env: 'prod' } }), map({ name: 'b', labels: { env: 'dev' } })],
    [],
  ],
  [
    'a port of a registry is no tag',
    [deployment('a', 'r:5000/web')],
    [deployment('a', 'r:5000/web:2')],
    ['set-image name=r:5000/web newTag=2'],
  ],
  [
    'another name and tag are one call',
    [deployment('a', 'web:1')],
    [deployment('a', 'm/web:2')],
    ['set-image name=web newName=m/web newTag=2'],
  ],
  [
    'another digest is a call',
    [deployment('a', 'web@sha256:a')],
    [deployment('a', 'web@sha256:b')],
    ['set-image name=web digest=sha256:b'],
  ],
  [
    'one image of two objects is one call',
    [deployment('a', 'web:1'), deployment('b', 'web:1')],
    [deployment('a', 'web:2'), deployment('b', 'web:2')],
    ['set-image name=web newTag=2'],
  ],
] as const)('%s', (_what, bases, overlays, expected) => {
  expect(calls(bases, overlays)).toEqual(expected)
})

test('an object without a pair keeps no call from being taken', () => {
  expect(calls([service({ name: 'web' }), map({ name: 'gone' })], [service({ name: 'web', namespace: 'shop' })])).toEqual([
    'set-namespace namespace=shop',
  ])
})

test('with a probe the namespace that all objects get is a call, whatever the objects of the base have', () => {
  const own = map({ name: 'a', namespace: 'shop' })
  expect(calls([own], [own], map({ name: 'probe', namespace: 'shop' }))).toEqual(['set-namespace namespace=shop'])
  expect(calls([own], [own], map({ name: 'probe' }))).toEqual([])
})

test('with a probe a prefix is a call only where it changes a name', () => {
  const own = service({ name: 'web' })
  expect(calls([own], [service({ name: 'prod-web' })], map({ name: 'probe' }))).toEqual(['ensure-name-substring prepend=prod-'])
})

test.each([
  ['web', 'web:krm-variants-probe'],
  ['web:1', 'web:krm-variants-probe'],
  ['r:5000/web', 'r:5000/web:krm-variants-probe'],
  ['r:5000/web:1', 'r:5000/web:krm-variants-probe'],
  ['web@sha256:abc', `web@sha256:${'e'.repeat(64)}`],
  ['web:1@sha256:abc', `web@sha256:${'e'.repeat(64)}`],
])('the image %s has another tag or digest in %s', (image, expected) => {
  expect(imageWithOtherTag(image)).toBe(expected)
})

test('the function of an image is known for each that convert calls, and for no other', () => {
  const names = [
    'apply-replacements',
    'apply-setters',
    'ensure-name-substring',
    'search-replace',
    'set-annotations',
    'set-image',
    'set-labels',
    'set-namespace',
  ] as const
  expect(names.map((name) => functionOfImage(imageOf(name)))).toEqual(names)
  expect(['r.io/list-setters:v1', 'r.io/my-set-labels:v1', 'set-labels:v1', 'r.io/set-labels'].map(functionOfImage)).toEqual(
    Array(4).fill(undefined),
  )
})

test('the replacements are those of the version that keeps the type of a value', () => {
  expect(imageOf('apply-replacements')).toBe('ghcr.io/kptdev/krm-functions-catalog/apply-replacements:v0.1.1')
  expect(imageOf('set-namespace')).toBe('ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1')
})
