import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { formatResult, type Result } from '../../src/result.ts'
import { randomRuns } from '../../testdata/random-runs.ts'
import { checkDependencies } from './check-dependencies.ts'

const CLUSTERS = ['ams', 'ber', 'fra', 'ham']

/** An object of a cluster: its text and the package that holds it. */
interface Placed {
  readonly folder: string
  readonly text: string
}

const VERSION = fc.constantFrom('v1.0.0', 'v1.1.0', 'v2.0.0')
const NAME = fc.constantFrom('a', 'b', 'c')

const CROSSPLANE = fc
  .record({ kind: fc.constantFrom('Provider', 'Configuration'), name: NAME, source: NAME, version: VERSION })
  .map(
    ({ kind, name, source, version }) =>
      `apiVersion: pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: {package: "reg.example.org/x/${source}:${version}"}\n`,
  )

const GLASSKUBE = fc
  .record({ name: NAME, version: VERSION })
  .map(
    ({ name, version }) =>
      `apiVersion: packages.glasskube.dev/v1alpha1\nkind: ClusterPackage\nmetadata: {name: ${name}}\nspec: {packageInfo: {name: ${name}, version: ${version}+1}}\n`,
  )

const CARVEL = fc
  .record({ name: NAME, ref: NAME, namespace: fc.constantFrom('apps', 'team'), version: fc.constantFrom('1.0.0', '>=1.1.0', '3.0.0') })
  .map(
    ({ name, ref, namespace, version }) =>
      `apiVersion: packaging.carvel.dev/v1alpha1\nkind: PackageInstall\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {serviceAccountName: sa, packageRef: {refName: ${ref}.example.org, versionSelection: {constraints: "${version}"}}}\n`,
  )

const PLACED: fc.Arbitrary<Placed> = fc.record({
  folder: fc.constantFrom('net', 'db', 'deep/app'),
  text: fc.oneof(CROSSPLANE, GLASSKUBE, CARVEL),
})

/** Packages that require each other, some in versions that do not exist. */
const CATALOG = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
metadata: {name: c}
spec:
  packages:
  - {ecosystem: crossplane, id: reg.example.org/x/a, kind: Provider, versions: [{version: v1.0.0, dependencies: [{provider: reg.example.org/x/b, version: ">=v2.0.0"}]}, {version: v1.1.0, dependencies: [], brings: [{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, name: x.g.org}]}]}
  - {ecosystem: crossplane, id: reg.example.org/x/b, kind: Provider, versions: [{version: v1.0.0, dependencies: [], brings: [{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, name: x.g.org}]}, {version: v2.0.0, dependencies: [{provider: reg.example.org/x/c, version: "<v1.0.0"}]}]}
  - {ecosystem: glasskube, id: a, versions: [{version: v1.0.0+1, dependencies: [{name: b, version: ">=2.0.0"}]}]}
  - {ecosystem: glasskube, id: b, versions: [{version: v1.0.0+1, dependencies: []}, {version: v2.0.0+1, dependencies: [{name: c}]}]}
  - {ecosystem: carvel, id: a.example.org, versions: [{version: 1.0.0, dependencies: [{package: {refName: b.example.org, version: ">=1.0.0"}}]}, {version: 1.1.0, installationType: onePerCluster, dependencies: []}]}
`

function objectAt(text: string, path: string, index = 0): KrmObject {
  return KrmObject.fromDocument(text, { path, index, line: 1 })
}

function objectsOf(cluster: string, placed: readonly Placed[]): readonly KrmObject[] {
  return placed.map(({ folder, text }, index) => objectAt(text, `packages/${cluster}/${folder}/f${index}.yaml`))
}

/** A fleet whose Repositories are the clusters. */
function fleetOf(clusters: ReadonlyMap<string, readonly Placed[]>): readonly KrmObject[] {
  const repositories = [...clusters.keys()].map((name, index) =>
    objectAt(
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: ${name}}\nspec: {type: git, deployment: true}\n`,
      'fleet.yaml',
      index,
    ),
  )
  const options = 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: {out: packages}\n'
  return [...repositories, objectAt(options, 'render.yaml'), ...[...clusters].flatMap(([name, placed]) => objectsOf(name, placed))]
}

function findingsOf(items: readonly KrmObject[], config?: KrmObject): readonly string[] {
  const list = ResourceList.of([...items, objectAt(CATALOG, 'catalog.yaml')], config)
  checkDependencies(list)
  return list.results.map(written).sort()
}

function written(result: Result): string {
  const { cluster, ...tags } = result.tags
  const message = result.message.replace(/ \(cluster [a-z]+\)$/, '')
  expect(result.message === message).toBe(cluster === undefined)
  return formatResult({ ...result, message, tags })
}

const FLEET = fc
  .subarray(CLUSTERS, { minLength: 1 })
  .chain((names) => fc.tuple(...names.map((name) => fc.array(PLACED, { maxLength: 6 }).map((placed) => [name, placed] as const))))
  .map((clusters) => new Map(clusters))

test('the findings of a fleet are those of the folder of each cluster alone', () => {
  fc.assert(
    fc.property(FLEET, (clusters) => {
      const apart = [...clusters].flatMap(([name, placed]) => findingsOf(objectsOf(name, placed)))
      expect(findingsOf(fleetOf(clusters))).toEqual(apart.sort())
    }),
    { numRuns: randomRuns(20) },
  )
})

test('patterns find the clusters of a tree without a fleet', () => {
  const config = objectAt(
    'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: CheckDependencies\nmetadata: {name: c}\nspec: {clusters: [packages/NAME/**]}\n',
    'check.yaml',
  )
  fc.assert(
    fc.property(FLEET, (clusters) => {
      const apart = [...clusters].flatMap(([name, placed]) => findingsOf(objectsOf(name, placed)))
      const tree = [...clusters].flatMap(([name, placed]) => objectsOf(name, placed))
      if (tree.length > 0) expect(findingsOf(tree, config)).toEqual(apart.sort())
    }),
    { numRuns: randomRuns(10) },
  )
})
