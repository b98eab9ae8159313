import { expect, test } from 'vitest'
import type { Written } from '../fleet/testing/fleet-of-objects.ts'
import { asRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { gitRepositoryOf, renderedPackage, resourceOf, syncOf, variantOf } from './testing/sync-of-objects.ts'

const local = (name: string): JsonRecord => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, annotations: { 'config.kubernetes.io/local-config': 'true' } },
})
const CONTEXTS = 'package-context.yaml,*/package-context.yaml'
const map = resourceOf('ConfigMap', 'a')

const directoryIn = (value: JsonValue | undefined): JsonValue | undefined => asRecord(asRecord(asRecord(value).spec).source).directory

/** Returns the exclude pattern of the package `net` with some objects, a file each, and the findings. */
function excluded(objects: readonly JsonRecord[], templates: readonly string[] = []) {
  const all = [gitRepositoryOf('one'), variantOf('one', 'net'), ...renderedPackage('one', 'net', objects)]
  const { objects: made, results } = syncOf(all, { system: 'argocd' }, { templates })
  return [asRecord(directoryIn(made[0])).exclude, results]
}

test('Argo CD leaves out what only tools read, and what is no Kubernetes object', () => {
  const config = resourceOf('SetLabels', 's', '', 'fn.kpt.dev/v1alpha1')
  expect(excluded([map, local('setters'), config, { replicas: 1 }], ['packages/one/net/sub/{x}.yaml'])).toEqual([
    `{${CONTEXTS},b.yaml,c.yaml,d.yaml,sub/?x?.yaml}`,
    [],
  ])
  expect(excluded([map])).toEqual([`{${CONTEXTS}}`, []])
})

test('a file with an object for tools and one for the cluster is applied, and named', () => {
  const file = 'packages/one/net/a.yaml'
  const objects: Written[] = [...renderedPackage('one', 'net', [map]), [file, local('setters')]]
  const { objects: made, results } = syncOf([gitRepositoryOf('one'), variantOf('one', 'net'), ...objects], { system: 'argocd' })
  expect(asRecord(directoryIn(made[0])).exclude).toBe(`{${CONTEXTS}}`)
  expect(results.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    "warning: ConfigMap 'setters' is for tools on disk, in a file with objects for the cluster: Argo CD applies the whole file; move the object into a file of its own [sync-local-config]",
  ])
})

const SET = {
  apiVersion: 'config.porch.kpt.dev/v1alpha2',
  kind: 'PackageVariantSet',
  metadata: { name: 'stores' },
  spec: { upstream: { repo: 'catalog', package: 'net', revision: 1 }, targets: [{ repositories: [{ name: 'one' }, { name: 'two' }] }] },
}

/** Returns the spec of the ApplicationSet of two packages, of which some have a chart. */
function applicationSet(built: readonly string[], objects: readonly JsonRecord[] = [map]) {
  const rendered = (repo: string): readonly Written[] =>
    JSON.parse(
      JSON.stringify(renderedPackage(repo, 'net', repo === 'one' ? objects : [map])).replace(
        `default/${repo}-net`,
        `default/stores-${repo}-net`,
      ),
    )
  const list = [gitRepositoryOf('one'), gitRepositoryOf('two'), ['fleet/set.yaml', SET] as const, ...rendered('one'), ...rendered('two')]
  const exists = (path: string) => built.some((repo) => path === `packages/${repo}/net/Chart.yaml`)
  const { objects: made, results } = syncOf(
    list,
    { system: 'argocd', per: 'set', expressions: { destinationExpr: 'repository.name' } },
    { exists },
  )
  const spec = asRecord(made[0]?.spec)
  return { spec, directory: directoryIn(spec.template), rules: results.map((line) => line.replace(/^.*\[/, '[')) }
}

test('an ApplicationSet reads files unless every package of the set has a chart', () => {
  expect(applicationSet([]).directory).toEqual({ recurse: true, exclude: `{${CONTEXTS}}` })
  expect(applicationSet(['one'])).toMatchObject({ directory: { recurse: true }, rules: ['[sync-directory]'] })
  expect(applicationSet(['one', 'two'])).toMatchObject({ directory: undefined, rules: [] })
})

test('the elements of an ApplicationSet have the excluded files if they differ', () => {
  const { spec, directory } = applicationSet([], [map, local('setters')])
  expect(directory).toEqual({ recurse: true, exclude: '{{.exclude}}' })
  const [generator] = spec.generators as readonly JsonRecord[]
  const elements = asRecord(generator?.list).elements as readonly JsonRecord[]
  expect(elements.map(({ exclude }) => exclude)).toEqual([`{${CONTEXTS},b.yaml}`, `{${CONTEXTS}}`])
})
