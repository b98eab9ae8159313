import { expect, test } from 'vitest'
import { kptfileOf, list, planOf, repository, setOf, type Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord, JsonValue } from '../json.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { upstreamsOfPlan } from './check-upstreams.ts'

const KPTFILE = KrmObject.fromDocument(JSON.stringify(kptfileOf({})))
const REPOSITORIES = [repository('edge'), repository('ber')]

interface Library {
  /** The folders with a package. */
  readonly folders?: Readonly<Record<string, KrmObject>>
  readonly hasOthers?: boolean
  readonly isElsewhere?: boolean
}

/** Returns the findings about the upstreams of a fleet, the upstreams that were looked for, and the pipelines of the packages. */
function checked(objects: readonly Written[], { folders = {}, hasOthers = false, isElsewhere = false }: Library = {}) {
  const asked: string[] = []
  const library = {
    foldersOf: ({ repo, package: name, revision: number }: UpstreamFields, namespace: string) => {
      asked.push(`${namespace} ${repo}/${name} ${number}`)
      return [`${repo}/${name}@v${number}`, `${repo}/${name}`]
    },
    missingInFolders: () =>
      isElsewhere ? undefined : ({ severity: 'error', rule: 'upstream-missing', path: [], message: 'is missing', hasOthers } as const),
  }
  const { results, cloned } = upstreamsOfPlan(planOf([...REPOSITORIES, ...objects]), library, (folder) => folders[folder])
  return { results, asked, cloned: [...cloned] }
}

const variant = (name: string, spec: JsonRecord): JsonRecord => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha1',
  kind: 'PackageVariant',
  metadata: { name },
  spec: { upstream: { repo: 'catalog', package: 'app', revision: 1 }, downstream: { repo: 'edge', package: name }, ...spec },
})

test('an upstream of a set that no folder has is one error at the set, at the revision if there are others, else at the package', () => {
  const set = setOf([list('edge', 'ber')])
  const { results, asked } = checked([set])
  expect(results).toMatchObject([
    {
      severity: 'error',
      message: '`spec.upstream` is missing',
      tags: { rule: 'upstream-missing' },
      resourceRef: { kind: 'PackageVariantSet' },
      field: { path: ['spec', 'upstream'] },
    },
  ])
  expect(asked).toEqual(['default catalog/app 2'])
  expect(checked([set], { isElsewhere: true }).results).toEqual([])
})

test('a variant without a set has its upstream in its own file, one of a set in the set', () => {
  const { results } = checked([variant('own', {})])
  expect(results).toMatchObject([{ resourceRef: { kind: 'PackageVariant', name: 'own' }, field: { path: ['spec', 'upstream'] } }])
})

test('the package of a folder is not missing, and a Kptfile of another kind is a fault of the Kptfile', () => {
  const objects = [setOf([list('edge')])]
  expect(checked(objects, { folders: { 'catalog/app@v2': KPTFILE } }).results).toEqual([])
  expect(checked(objects, { folders: { 'catalog/app': KPTFILE } }).results).toEqual([])
  const other = KrmObject.fromDocument('{"apiVersion": "kpt.dev/v2", "kind": "Kptfile", "metadata": {"name": "a"}}')
  expect(checked(objects, { folders: { 'catalog/app@v2': other } }).results).toMatchObject([{ tags: { rule: 'kptfile' } }])
})

test('an upstream that another variant makes, or whose names are no folders, is not looked for', () => {
  const chained = variant('next', { upstream: { repo: 'edge', package: 'first', revision: 1 } })
  expect(checked([variant('first', {}), chained]).results).toHaveLength(1)
  for (const upstream of [
    { repo: '', package: 'app' },
    { repo: 'catalog', package: '' },
    { repo: '../x', package: 'app' },
    { repo: 'catalog', package: 'app', revision: 'a..b' },
  ])
    expect(checked([variant('own', { upstream })])).toEqual({ results: [], asked: [], cloned: [] })
})

test('an upstream that several variants name is looked up once for each of its revisions and namespaces', () => {
  const other = { ...variant('c', {}), metadata: { name: 'c', namespace: 'other' } }
  const second = variant('d', { upstream: { repo: 'catalog', package: 'app', revision: 2 } })
  expect(checked([variant('a', {}), variant('b', {}), other, second]).asked).toEqual([
    'default catalog/app 1',
    'other catalog/app 1',
    'default catalog/app 2',
  ])
})

test('each package that is cloned has the different pipelines of its variants', () => {
  const pipeline = { mutators: [{ image: 'set-labels', configMap: { a: 'b' } }] }
  const objects = [
    variant('a', {}),
    variant('b', { pipeline }),
    variant('c', { pipeline }),
    variant('d', { upstream: { repo: 'x', package: 'y' } }),
  ]
  const expected: readonly [KrmObject, readonly JsonValue[]][] = [[KPTFILE, [null, pipeline]]]
  expect(checked(objects, { folders: { 'catalog/app@v1': KPTFILE } }).cloned).toEqual(expected)
})

test('the pipeline of a variant that a set makes is that of the set', () => {
  const pipeline = { mutators: [{ image: 'set-labels', configMap: { a: 'b' } }] }
  const targets = [{ ...list('edge'), template: { pipeline } }, list('ber')]
  const { cloned } = checked([setOf(targets)], { folders: { 'catalog/app@v2': KPTFILE } })
  expect(cloned.map(([kptfile, pipelines]) => [kptfile === KPTFILE, pipelines.length])).toEqual([[true, 2]])
})

const MATRIX = {
  apiVersion: 'fleet.krm-variants.dev/v1alpha1',
  kind: 'PackageVariantMatrix',
  metadata: { name: 'web' },
  spec: {
    upstreams: [{ repo: 'catalog', package: 'app', revision: 1 }],
    targets: [{ repositorySelector: { matchLabels: { ring: 'first' } } }],
    rings: [{ name: 'first', where: "target.labels.ring == 'first'", revisions: { app: 2 } }, { name: 'rest' }],
  },
}

test('of the revisions of rings only those of rings with targets are looked for, and a missing one is an error at its ring', () => {
  const objects = [MATRIX, repository('ham', { ring: 'first' })]
  const { asked, results } = checked(objects, { hasOthers: true })
  expect(asked).toEqual(['default catalog/app 2'])
  expect(results.map(({ field }) => field?.path)).toEqual([['spec', 'rings', 0, 'revisions', 'app']])
  expect(checked(objects).results.map(({ field }) => field?.path)).toEqual([['spec', 'upstreams', 0]])
})

test.each([
  ['at its revision, if the folder has others', { repo: 'c', package: 'app', revision: 9 }, true, '9'],
  ['at its workspace, if the folder has others', { repo: 'c', package: 'app', workspaceName: 'w' }, true, '"w"'],
  ['at its package', { repo: 'c', package: 'app', revision: 9 }, false, '"app"'],
])('a missing upstream has the place %s', (_, upstream, hasOthers, at) => {
  const object = { ...variant('own', {}), spec: { upstream, downstream: { repo: 'edge', package: 'own' } } }
  const [result] = checked([object], { hasOthers }).results
  expect(result?.position).toEqual({ line: 1, column: JSON.stringify(object).indexOf(at) + 1 })
})
