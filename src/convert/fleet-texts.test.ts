import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { type ExplainedCall, imageOf } from './explain-overlay.ts'
import {
  callOverride,
  fieldSetCall,
  fleetFiles,
  lookupExpr,
  mutator,
  recordText,
  setterCalls,
  syncText,
  valueName,
  whereOf,
} from './fleet-texts.ts'

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

const LOCAL = { 'config.kubernetes.io/local-config': 'true' }

test('the files of a fleet are the clusters, their values, the options of render and a matrix for each package', () => {
  const calls = new Map([['prod', []]])
  const files = fleetFiles(
    'base',
    [overlayOf('prod')],
    new Map([
      ['web', calls],
      ['api', calls],
    ]),
    new Map(),
  )
  expect([...files].map(([path, text]) => [path, text.split('\n')[0]])).toEqual([
    ['fleet/clusters.yaml', '# Each Repository is a cluster: render writes its packages into clusters/NAME.'],
    ['fleet/values.yaml', '# The values of each cluster, by package. The matrices read them.'],
    ['fleet/render.yaml', 'apiVersion: fn.krm-variants.dev/v1alpha1'],
    ['fleet/web.yaml', '# Which clusters have the package, and the functions that make the differences between them.'],
    ['fleet/api.yaml', '# Which clusters have the package, and the functions that make the differences between them.'],
  ])
  for (const text of files.values()) expect(text).toMatch(/[^\n]\n$/)
  expect(KrmObject.fromDocument(files.get('fleet/render.yaml') ?? '').toJson()).toEqual({
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'RenderVariants',
    metadata: { name: 'render', annotations: LOCAL },
    spec: { out: 'clusters', fleet: 'base' },
  })
})

test('the matrix of a package has its upstream, its clusters and their values', () => {
  expect(filesOf({ prod: [], dev: [] })['fleet/web.yaml']).toEqual([
    {
      apiVersion: 'fleet.krm-variants.dev/v1alpha1',
      kind: 'PackageVariantMatrix',
      metadata: { name: 'web', annotations: LOCAL },
      spec: {
        upstreams: [{ repo: 'catalog', package: 'web', revision: 1 }],
        targets: [{ repositorySelector: { matchExpressions: [{ key: 'cluster', operator: 'In', values: ['prod', 'dev'] }] } }],
        inputs: [{ name: 'values', object: { apiVersion: 'values.example.com/v1', kind: 'ClusterValues', nameExpr: 'target.name' } }],
      },
    },
  ])
})

test('overlays of one cluster are one Repository, whose place in git is written if a controller reads it', () => {
  const git = { repo: 'https://git.example.com/fleet.git', branch: 'main', directory: 'clusters/prod' }
  const overlays = [overlayOf('prod'), { ...overlayOf('prod'), git }, overlayOf('dev')]
  const [prod, dev, ...others] = (fleetFiles('base', overlays, new Map(), new Map()).get('fleet/clusters.yaml') ?? '')
    .split('---\n')
    .map((text) => KrmObject.fromDocument(text).toJson())
  expect(prod).toMatchObject({ apiVersion: 'config.porch.kpt.dev/v1alpha1', spec: { type: 'git', deployment: true, git } })
  expect(dev).not.toHaveProperty('spec')
  expect(others).toEqual([])
})

test('the values of a cluster are objects for tools on disk, with the labels of the cluster', () => {
  expect(filesOf({ prod: [] })['fleet/values.yaml']).toEqual([
    {
      apiVersion: 'values.example.com/v1',
      kind: 'ClusterValues',
      metadata: { name: 'prod', labels: { cluster: 'prod', env: 'prod' }, annotations: LOCAL },
      spec: { web: {} },
    },
  ])
})

test('a cluster without a package has no values of the package', () => {
  const overlays = ['dev', 'prod'].map(overlayOf)
  const calls = new Map([['web', new Map([['prod', [call('set-namespace', { namespace: 'n' })]]])]])
  const text = fleetFiles('base', overlays, calls, new Map()).get('fleet/values.yaml') ?? ''
  expect(text.split('---\n').map((each) => KrmObject.fromDocument(each).get(['spec']))).toEqual([{}, { web: { namespace: 'n' } }])
})

test('the path of a package is a value of each cluster only where clusters have several paths', () => {
  const overlays = ['dev', 'prod'].map(overlayOf)
  const of = (paths: Readonly<Record<string, string>>) => {
    const calls = new Map([['web', new Map(overlays.map(({ target }) => [target, [call('set-namespace', { namespace: 'n' })]]))]])
    const files = fleetFiles('base', overlays, calls, new Map([['web', new Map(Object.entries(paths))]]))
    const values = (files.get('fleet/values.yaml') ?? '').split('---\n').map((each) => KrmObject.fromDocument(each).get(['spec', 'web']))
    return [KrmObject.fromDocument(files.get('fleet/web.yaml') ?? '').get(['spec', 'template', 'downstream']), ...values]
  }
  expect(of({ dev: 'a', prod: 'b' })).toEqual([
    { packageExpr: "inputs.values.spec['web']['package-path']" },
    { 'package-path': 'a', namespace: 'n' },
    { 'package-path': 'b', namespace: 'n' },
  ])
  expect(of({ dev: 'a', prod: 'a' })).toEqual([{ package: 'a' }, { namespace: 'n' }, { namespace: 'n' }])
  expect(of({ dev: 'web', prod: 'web' })).toEqual([undefined, { namespace: 'n' }, { namespace: 'n' }])
})

const VALUES = "inputs.values.spec['web']"

test.each<readonly [string, ExplainedCall, JsonRecord, string]>([
  [
    'setters, of which a cluster has all or none',
    call('apply-setters', { a: '1', b: '2' }),
    {
      configMapExprs: [
        { key: 'a', valueExpr: `${VALUES}['a']` },
        { key: 'b', valueExpr: `${VALUES}['b']` },
      ],
    },
    `'a' in ${VALUES}`,
  ],
  [
    'labels, of which a cluster may have one by another call',
    call('set-labels', { a: '1', b: '2' }),
    {
      configMapExprs: [
        { key: 'a', valueExpr: `${VALUES}['label-a']` },
        { key: 'b', valueExpr: `${VALUES}['label-b']` },
      ],
    },
    `'label-a' in ${VALUES} && 'label-b' in ${VALUES}`,
  ],
  [
    'a label in metadata alone, which no Kptfile and no local object gets',
    call('search-replace', { 'put-value': 'p' }, { 'by-path': 'metadata.labels.env' }),
    {
      configMap: { 'by-path': 'metadata.labels.env' },
      configMapExprs: [{ key: 'put-value', valueExpr: `${VALUES}['label-env']` }],
      exclude: [{ kind: 'Kptfile' }, { annotations: LOCAL }],
    },
    `'label-env' in ${VALUES}`,
  ],
  [
    'a suffix, which the package context does not get',
    call('ensure-name-substring', { append: '-s' }),
    { configMapExprs: [{ key: 'append', valueExpr: `${VALUES}['append']` }], exclude: [{ kind: 'ConfigMap', name: 'kptfile.kpt.dev' }] },
    `'append' in ${VALUES}`,
  ],
  [
    'an image, with its name in both',
    call('set-image', { newTag: '2' }, { name: 'till' }),
    { configMap: { name: 'till' }, configMapExprs: [{ key: 'newTag', valueExpr: `${VALUES}['image-till-newTag']` }] },
    `'image-till-newTag' in ${VALUES}`,
  ],
  [
    'a set of fields, by the file of its first cluster',
    fieldSetCall('prod'),
    { configPath: 'overlay/prod-replacements.yaml' },
    `'overlay-fields' in ${VALUES} && ${VALUES}['overlay-fields'] == 'prod'`,
  ],
])('the function of a call has its config, and holds for clusters with its values: %s', (_what, own, config, where) => {
  expect(mutator('web', own, 'fn')).toEqual({ name: 'fn', image: imageOf(own.fn), ...config })
  expect(whereOf('web', own)).toBe(where)
})

test('an override without a call holds for all clusters', () => {
  expect(callOverride('web', { name: 'fn' }, undefined)).toEqual({
    name: 'fn',
    packages: ['web'],
    template: { pipeline: { mutators: [{ name: 'fn' }] } },
  })
  expect(callOverride('web', {}, call('set-namespace', { namespace: 'n' }))).toMatchObject({ name: '', where: `'namespace' in ${VALUES}` })
})

test('quotes and backslashes of a name are escaped in an expression', () => {
  expect(lookupExpr("it's", 'a\\b')).toBe("inputs.values.spec['it\\'s']['a\\\\b']")
})

test('functions have one order, however clusters call them: setters first, fields last', () => {
  const fns = ['apply-replacements', 'set-image', 'set-annotations', 'search-replace', 'set-labels', 'set-namespace'] as const
  const { template } = matrixOf({
    prod: [...fns, 'ensure-name-substring' as const, 'apply-setters' as const].map((fn) => call(fn, { a: '1' })),
  })
  expect(template?.pipeline.mutators.map(({ name }) => name)).toEqual([
    'apply-setters',
    'ensure-name-substring',
    'set-namespace',
    'set-labels',
    'search-replace',
    'set-annotations',
    'set-image',
    'apply-replacements',
  ])
})

test('calls with other keys or other fixed values are calls of their own, and sets of fields if the sets differ', () => {
  const names = (prod: ExplainedCall, dev: ExplainedCall) => {
    const { template, overrides = [] } = matrixOf({ prod: [prod], dev: [dev] })
    return [template?.pipeline.mutators.length ?? 0, overrides.length]
  }
  expect(names(call('set-labels', { a: '1' }), call('set-labels', { a: '2' }))).toEqual([1, 0])
  expect(names(call('set-labels', { a: '1' }), call('set-labels', { b: '1' }))).toEqual([0, 2])
  expect(names(call('set-image', { newTag: '1' }, { name: 'a' }), call('set-image', { newTag: '1' }, { name: 'b' }))).toEqual([0, 2])
  expect(names(fieldSetCall('a'), fieldSetCall('a'))).toEqual([1, 0])
  expect(names(fieldSetCall('a'), fieldSetCall('b'))).toEqual([0, 2])
})

test('the record of Applications, and the options of sync, are objects for tools on disk', () => {
  const text = recordText('applicationset', 'apps', { a: 'sha256:1' })
  expect(text.split('\n')[0]).toBe("# Written by krm-variants convert applicationset: digests of the fields of each Application of 'apps'.")
  expect(KrmObject.fromDocument(text).toJson()).toMatchObject({ metadata: { name: 'converted-from-applicationset', annotations: LOCAL } })
  const sync = syncText({ for: 'argocd' })
  expect(sync).toMatch(/^# Which Applications krm-variants sync writes\.\n/)
  expect(KrmObject.fromDocument(sync).toJson()).toEqual({
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'GenerateSync',
    metadata: { name: 'argocd', annotations: LOCAL },
    spec: { for: 'argocd' },
  })
})

test.each<[ExplainedCall, string]>([
  [call('set-labels', {}), 'label-env'],
  [call('set-annotations', {}), 'annotation-env'],
  [call('search-replace', {}, { 'by-path': 'metadata.labels.team' }), 'label-team'],
  [call('set-image', {}, { name: 'nginx' }), 'image-nginx-env'],
  [call('apply-setters', {}), 'env'],
  [call('set-namespace', {}), 'env'],
])('the value of %j has a name of its own among the values of a cluster', (own, name) => {
  expect(valueName(own, 'env')).toBe(name)
})
