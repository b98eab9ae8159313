import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { ExplainedCall } from './explain-overlay.ts'
import { fleetFiles, recordText, setterCalls } from './fleet-texts.ts'

const call = (fn: ExplainedCall['fn'], values: Readonly<Record<string, string>>, fixed = {}): ExplainedCall => ({ fn, fixed, values })
const overlayOf = (target: string) => ({
  path: `overlays/${target}`,
  id: target,
  target,
  folder: target,
  labels: { env: target },
  bases: ['base'],
})

/** Returns the objects of the files of a fleet of clusters with one package, by file. */
function filesOf(calls: Readonly<Record<string, readonly ExplainedCall[]>>): Readonly<Record<string, readonly JsonRecord[]>> {
  const overlays = Object.keys(calls).map(overlayOf)
  const files = fleetFiles('base', overlays, new Map([['web', new Map(Object.entries(calls))]]), new Map())
  const read = (text: string) => text.split('---\n').map((document) => KrmObject.fromDocument(document).toJson() as JsonRecord)
  return Object.fromEntries([...files].map(([path, text]) => [path, read(text)]))
}

type Spec = JsonRecord & {
  readonly template?: { readonly pipeline: { readonly mutators: readonly JsonRecord[] } }
  readonly overrides?: readonly JsonRecord[]
}

function matrixOf(calls: Readonly<Record<string, readonly ExplainedCall[]>>): Spec {
  return filesOf(calls)['fleet/web.yaml']?.[0]?.spec as Spec
}

test('each cluster is a Repository with its labels, and has its values by package', () => {
  const files = filesOf({ prod: [call('set-namespace', { namespace: 'shop' })], dev: [] })
  expect(files['fleet/clusters.yaml']).toMatchObject([
    { kind: 'Repository', metadata: { name: 'prod', labels: { cluster: 'prod', env: 'prod' } } },
    { kind: 'Repository', metadata: { name: 'dev', labels: { cluster: 'dev', env: 'dev' } } },
  ])
  expect(files['fleet/values.yaml']).toMatchObject([{ spec: { web: { namespace: 'shop' } } }, { spec: { web: {} } }])
})

test('the values of labels, annotations and images have names of their own', () => {
  const files = filesOf({
    prod: [call('set-labels', { env: 'p' }), call('set-annotations', { env: 'a' }), call('set-image', { newTag: '2' }, { name: 'till' })],
  })
  expect(files['fleet/values.yaml']?.[0]?.spec).toEqual({ web: { 'label-env': 'p', 'annotation-env': 'a', 'image-till-newTag': '2' } })
})

test('a function that every cluster has is in the template, with its values in expressions', () => {
  const { template, overrides } = matrixOf({ prod: [call('set-labels', { "it's": 'p' })], dev: [call('set-labels', { "it's": 'd' })] })
  expect(overrides).toBeUndefined()
  expect(template?.pipeline.mutators).toMatchObject([
    { name: 'set-labels', configMapExprs: [{ key: "it's", valueExpr: "inputs.values.spec['web']['label-it\\'s']" }] },
  ])
})

test('a function that some clusters have is an override for those that have its value', () => {
  const { template, overrides } = matrixOf({ prod: [call('set-namespace', { namespace: 'shop' })], dev: [] })
  expect(template).toBeUndefined()
  expect(overrides).toMatchObject([{ name: 'set-namespace', where: "'namespace' in inputs.values.spec['web']", packages: ['web'] }])
})

test('functions after the first one that only some clusters have are overrides too, in the order of the functions', () => {
  const image = call('set-image', { newTag: '2' }, { name: 'till' })
  const setters = call('apply-setters', { replicas: '3' })
  const { template, overrides } = matrixOf({ prod: [image, call('set-namespace', { namespace: 'shop' }), setters], dev: [image, setters] })
  expect(template?.pipeline.mutators.map(({ name }) => name)).toEqual(['apply-setters'])
  expect(overrides?.map(({ name }) => name)).toEqual(['set-namespace', 'set-image'])
})

test('the second call of a function has a number in its name', () => {
  const { template } = matrixOf({
    prod: [call('set-image', { newTag: '2' }, { name: 'a' }), call('set-image', { newTag: '3' }, { name: 'b' })],
  })
  expect(template?.pipeline.mutators.map(({ name, configMap }) => [name, configMap])).toEqual([
    ['set-image', { name: 'a' }],
    ['set-image-2', { name: 'b' }],
  ])
})

test('the package context keeps its name', () => {
  const { template } = matrixOf({ prod: [call('ensure-name-substring', { prepend: 'p-' }), call('set-namespace', { namespace: 'n' })] })
  expect(template?.pipeline.mutators.map(({ exclude }) => exclude)).toEqual([[{ kind: 'ConfigMap', name: 'kptfile.kpt.dev' }], undefined])
})

test('clusters with one setter share its call: one call for each set of clusters', () => {
  const values = new Map([
    ['prod', { replicas: '3', host: 'p' }],
    ['dev', { host: 'd' }],
    ['test', {}],
  ])
  expect(Object.fromEntries([...setterCalls(values)].map(([target, own]) => [target, own.map((each) => each.values)]))).toEqual({
    prod: [{ replicas: '3' }, { host: 'p' }],
    dev: [{ host: 'd' }],
    test: [],
  })
})

test('the record of a conversion has the digest of each cluster, and no line break of a name', () => {
  const text = recordText('kustomize', 'tree\nx', { prod: 'sha256:1' })
  expect(text.split('\n')[0]).toContain("the tree 'tree_x'")
  expect(KrmObject.fromDocument(text).toJson()).toMatchObject({
    metadata: { name: 'converted-from-kustomize' },
    data: { prod: 'sha256:1' },
  })
})

test('a package in a folder of its own is the downstream of the matrix, by an expression if clusters have several', () => {
  const overlays = ['dev', 'prod'].map(overlayOf)
  const templateOf = (paths: Readonly<Record<string, string>>) => {
    const calls = new Map([['web', new Map(overlays.map(({ target }) => [target, []]))]])
    const text = fleetFiles('base', overlays, calls, new Map([['web', new Map(Object.entries(paths))]])).get('fleet/web.yaml') ?? ''
    return KrmObject.fromDocument(text).get(['spec', 'template'])
  }
  expect(templateOf({ dev: 'apps/web', prod: 'apps/web' })).toEqual({ downstream: { package: 'apps/web' } })
  expect(templateOf({ dev: 'apps/dev', prod: 'apps/prod' })).toEqual({
    downstream: { packageExpr: "inputs.values.spec['web']['package-path']" },
  })
})
