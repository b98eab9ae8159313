import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { VARIANT_ANNOTATION } from '../../well-known.ts'
import { PACKAGE_ANNOTATION } from '../crossplane/objects.ts'
import { type ClusterPlaces, clusterOfRepository, knownEverywhere, likelyPattern, partsOf } from './clusters.ts'

function at(path: string, kind = 'ConfigMap', more = ''): KrmObject {
  const group = kind === 'Repository' || kind === 'PackageVariantSet' ? 'config.porch.kpt.dev/v1alpha1' : 'v1'
  const name = path.replace(/\W+/g, '-').toLowerCase()
  const text = `apiVersion: ${kind === 'Kptfile' ? 'kpt.dev/v1' : group}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}

function repository(name: string, path = 'fleet/repositories.yaml', spec = 'deployment: true'): KrmObject {
  const text = `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: ${name}}\nspec: {${spec}}\n`
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}

const MARKED = `  annotations: {${VARIANT_ANNOTATION}: default/v}\n`

/** Returns the files of each part: `ber: a.yaml b.yaml`, '-' for what is beside the clusters, 'not installed' for an upstream package. */
function filesOf(items: readonly KrmObject[], places: Partial<ClusterPlaces>): readonly string[] {
  return partsOf(items, { patterns: [], ...places }).map(
    (part) => `${part.cluster ?? (part.isInstalled ? '-' : 'not installed')}: ${part.items.map(({ file }) => file?.path).join(' ')}`,
  )
}

test('a list without a fleet is one part', () => {
  expect(filesOf([at('clusters/ber/a.yaml'), at('clusters/ham/a.yaml')], {})).toEqual(['-: clusters/ber/a.yaml clusters/ham/a.yaml'])
})

test('the folder of the caller may have the word of the pattern in its name', () => {
  const items = [at('NAME/x/clusters/ber/a.yaml'), at('NAME/x/clusters/ham/b/c.yaml'), at('NAME/x/base/a.yaml')]
  expect(filesOf(items, { folder: 'NAME/x', patterns: ['clusters/NAME/**'] })).toEqual([
    'ber: NAME/x/clusters/ber/a.yaml',
    'ham: NAME/x/clusters/ham/b/c.yaml',
    'not installed: NAME/x/base/a.yaml',
  ])
})

test('a function does not know the folder that a pattern begins in', () => {
  const items = [at('dir/apps/overlays/prod-ber/a.yaml'), at('dir/apps/overlays/prod-ham/a.yaml')]
  expect(filesOf(items, { patterns: ['apps/**/prod-NAME'] })).toEqual([
    'ber: dir/apps/overlays/prod-ber/a.yaml',
    'ham: dir/apps/overlays/prod-ham/a.yaml',
    'not installed: ',
  ])
})

test('without `out` the folders of Repositories are found by the rendered packages', () => {
  const items = [repository('ber'), repository('ham'), at('fleet/set.yaml', 'PackageVariantSet')]
  const packages = [at('fleet/out/ber/db/Kptfile', 'Kptfile', MARKED), at('fleet/out/ham/db/Kptfile', 'Kptfile', MARKED)]
  expect(filesOf([...items, ...packages], {}).slice(0, 2)).toEqual(['ber: fleet/out/ber/db/Kptfile', 'ham: fleet/out/ham/db/Kptfile'])
})

test('a Repository that is an upstream and no deployment is no cluster', () => {
  const set = at('fleet/set.yaml', 'PackageVariantSet', 'spec:\n  upstream: {repo: region, package: db, revision: 1}\n')
  const items = [repository('ber'), repository('region', 'fleet/repositories.yaml', 'deployment: false'), set]
  const packages = [at('fleet/out/ber/db/Kptfile', 'Kptfile'), at('fleet/out/region/db/Kptfile', 'Kptfile')]
  expect(filesOf([...items, ...packages], { folder: 'fleet', out: 'fleet/out' })[0]).toBe('ber: fleet/out/ber/db/Kptfile')
})

test.each([
  ['clusters/ber/q.yaml', 'clusters/ham/q.yaml', 'clusters/NAME/**'],
  ['ber/net/q.yaml', 'ham/net/q.yaml', 'NAME/**'],
  ['a/q.yaml', 'a/r.yaml', undefined],
  ['a/b/q.yaml', 'c/d/q.yaml', undefined],
])('%s and %s are two clusters under the pattern %s', (one, other, pattern) => {
  expect(likelyPattern(one, other)).toBe(pattern)
})

const ownObject = (kind: string, path: string, spec: object = {}) =>
  KrmObject.fromDocument(JSON.stringify({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind, metadata: { name: 'own' }, spec }), {
    path,
    index: 0,
    line: 1,
  })

test('clusters are in the order of their names, then what is beside them; a Catalog is known to each', () => {
  const items = [at('clusters/ham/a.yaml'), ownObject('Catalog', 'catalog.yaml'), at('clusters/ber/a.yaml'), at('notes.yaml')]
  expect(filesOf(items, { patterns: ['clusters/NAME/**'] })).toEqual([
    'ber: clusters/ber/a.yaml catalog.yaml',
    'ham: clusters/ham/a.yaml catalog.yaml',
    'not installed: catalog.yaml notes.yaml',
  ])
})

test('without patterns, what is beside the clusters of a fleet is installed', () => {
  const items = [repository('ber'), at('fleet/out/ber/db/Kptfile', 'Kptfile', MARKED), at('fleet/notes.yaml')]
  expect(filesOf(items, { folder: 'fleet', out: 'fleet/out' })).toEqual([
    'ber: fleet/out/ber/db/Kptfile',
    '-: fleet/repositories.yaml fleet/notes.yaml',
  ])
})

test('the first pattern that matches decides, and a cluster may have several folders, of which the first is named', () => {
  const items = [at('zone/ber/a.yaml'), at('clusters/ber/db.yaml'), at('clusters/ham/db.yaml')]
  const parts = partsOf(items, { patterns: ['clusters/ham/NAME.yaml', 'clusters/NAME', 'zone/NAME/**'] })
  expect(parts.map(({ cluster, folder, items: own }) => `${cluster} ${folder} ${own.length}`)).toEqual([
    'ber clusters/ber 2',
    'db clusters/ham/db.yaml 1',
    'undefined  0',
  ])
})

test.each<[string, readonly string[]]>([
  ['a/*/NAME/**', ['a/x/NAME/q.yaml', 'a/y/NAME/z/q.yaml']],
  ['a/*-x/NAME', ['a/1-x/NAME/q.yaml']],
  ['a/**/NAME/end/**', ['a/NAME/end/q.yaml', 'a/b/c/NAME/end/q.yaml']],
  ['a/**/**/NAME/end', ['a/NAME/end/q.yaml', 'a/b/NAME/end/q.yaml']],
  ['a/k+NAME.d/**', ['a/k+NAME.d/q.yaml']],
  ['a/NAME.yaml', ['a/NAME.yaml']],
  ['./a/NAME/**/**', ['a/NAME/q.yaml']],
])('the pattern %s matches %j', (pattern, paths) => {
  const others = ['b/ber/q.yaml', 'aa/ber/x/q.yaml', 'a/kkber.d/q.yaml', 'a/k+berxd/q.yaml', 'a/berxyaml', 'a/x/y/ber/q.yaml']
  const inCluster = (path: string) => partsOf([at(path)], { patterns: [pattern], folder: '' })[0]?.cluster
  expect(paths.map((path) => inCluster(path.replace('NAME', 'ber')))).toEqual(paths.map(() => 'ber'))
  expect(others.filter((path) => inCluster(path) === 'ber')).toEqual([])
})

test('a pattern begins at the folder that the caller names, and nowhere deeper', () => {
  expect(filesOf([at('top/a/ber/q.yaml'), at('top/x/a/ham/q.yaml')], { folder: 'top', patterns: ['a/NAME'] })).toEqual([
    'ber: top/a/ber/q.yaml',
    'not installed: top/x/a/ham/q.yaml',
  ])
})

test('a Repository names its cluster by an annotation, else by a label, else by its name', () => {
  const named = (name: string, metadata: string) =>
    KrmObject.fromDocument(
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: ${name}, ${metadata}}\nspec: {deployment: true}\n`,
      { path: 'fleet/repositories.yaml', index: 0, line: 1 },
    )
  const items = [
    named('one', 'annotations: {krm-variants.dev/cluster: ann}, labels: {krm-variants.dev/cluster: lab}'),
    named('two', 'labels: {krm-variants.dev/cluster: lab}'),
    named('three', 'labels: {}'),
  ]
  const expected = ['one ann', 'two lab', 'three three']
  expect([...clusterOfRepository(items)].map(([name, cluster]) => `${name} ${cluster}`)).toEqual(expected)
  const packages = ['one', 'two', 'three'].map((name) => at(`fleet/out/${name}/a.yaml`))
  expect(filesOf([...items, ...packages], { folder: 'fleet', out: 'fleet/out' }).map((line) => line.split(':')[0])).toEqual([
    'ann',
    'lab',
    'three',
    '-',
  ])
})

test('a Repository that only holds upstream packages is no cluster, and one that is a deployment, too, is', () => {
  const set = at('fleet/set.yaml', 'PackageVariantSet', 'spec:\n  upstreams: [{repo: up, package: a}, {repo: both, package: b}]\n')
  const items = [
    set,
    repository('up', 'fleet/r.yaml', 'deployment: false'),
    repository('both'),
    repository('plain', 'fleet/r.yaml', 'type: git'),
  ]
  expect([...clusterOfRepository(items).keys()]).toEqual(['both', 'plain'])
})

test('`spec.out` of the options names the folder of the packages; what is rendered below it without a Repository is a cluster', () => {
  const items = [
    ownObject('RenderVariants', 'fleet/options.yaml', { out: 'made' }),
    at('fleet/made/ber/db/Kptfile', 'Kptfile', MARKED),
    at('fleet/made/ham/db/a.yaml'),
    at('fleet/other/kiel/db/Kptfile', 'Kptfile', MARKED),
  ]
  expect(filesOf(items, { folder: 'fleet' })[0]).toBe('ber: fleet/made/ber/db/Kptfile')
  expect(filesOf(items, { folder: 'fleet', out: 'fleet/other' })[0]).toBe('kiel: fleet/other/kiel/db/Kptfile')
  expect(filesOf(items, { folder: 'fleet' })).toHaveLength(2)
})

test('packages of upstreams are installed nowhere, each a part of its own, at the path that the options name', () => {
  const set = at('fleet/set.yaml', 'PackageVariantSet', 'spec:\n  upstream: {repo: up, package: a}\n')
  const packages = ['fleet/catalog/a', 'fleet/catalog/b'].flatMap((folder) => [at(`${folder}/Kptfile`, 'Kptfile'), at(`${folder}/a.yaml`)])
  const options = ownObject('RenderVariants', 'fleet/options.yaml', { out: 'out', repositories: { up: { path: 'catalog' } } })
  expect(filesOf([set, options, ...packages], { folder: 'fleet' })).toEqual([
    '-: fleet/set.yaml fleet/options.yaml',
    'not installed: fleet/catalog/a/Kptfile fleet/catalog/a/a.yaml',
    'not installed: fleet/catalog/b/Kptfile fleet/catalog/b/a.yaml',
  ])
})

test('versions of Crossplane packages in files are known to every cluster, with what they bring', () => {
  const marked = (path: string, kind: string, annotations: object = {}) =>
    KrmObject.fromDocument(JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind, metadata: { name: 'x', annotations } }), {
      path,
      index: 0,
      line: 1,
    })
  const version = { [PACKAGE_ANNOTATION]: 'r.io/a:v1' }
  const known = [marked('pkg/a.yaml', 'A', version), marked('pkg/deep/crd.yaml', 'CustomResourceDefinition')]
  const others = [marked('crd.yaml', 'CustomResourceDefinition'), marked('pkg/b.yaml', 'B')]
  expect(knownEverywhere([...known, ...others])).toEqual(known)
  expect(knownEverywhere(others)).toEqual([])
})

test('a likely pattern is below the folder of the fleet', () => {
  expect(likelyPattern('fleet/clusters/ber/q.yaml', 'fleet/clusters/ham/q.yaml', 'fleet')).toBe('clusters/NAME/**')
  expect(likelyPattern('a/q.yaml', 'a/q.yaml')).toBeUndefined()
  expect(likelyPattern('a/b/q.yaml', 'a/c/d/q.yaml')).toBeUndefined()
})
