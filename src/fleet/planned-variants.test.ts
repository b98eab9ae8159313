import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { PackageMakers, plannedVariants, upstreamOfPlanned } from './planned-variants.ts'
import { list, planOf, repository, setOf, variant, type Written } from './testing/fleet-of-objects.ts'
import { matrixWithRings } from './testing/fleet-with-rings.ts'

const OWNER = 'krm-variants.dev/package-variant-set'

const variantsOf = (...objects: readonly Written[]) => plannedVariants(planOf(objects))
const alone = (name: string, repo: string, spec: JsonRecord = {}): JsonRecord => ({ ...variant(name, repo, spec), metadata: { name } })

test('the variants are those that sets ask for, without those that go, and then those without a set', () => {
  const objects = [setOf([list('a', 'b')]), variant('mine', 'a'), variant('gone', 'z'), alone('own', 'c')]
  expect(variantsOf(...objects).map(({ name, repo, packageName, set }) => [name, repo, packageName, set])).toEqual([
    ['mine', 'a', 'app', 'fleet'],
    ['fleet-b-app', 'b', 'app', 'fleet'],
    ['own', 'c', 'app', ''],
  ])
})

test('the variants of a set that could not be planned stay as they are', () => {
  const broken = { ...setOf([list('a')]), spec: { targets: [list('a')] } }
  const found = variantsOf(broken, variant('mine', 'a'), variant('bare', 'b', { downstream: {} }))
  expect(found.map(({ name, set, repo, packageName, spec }) => [name, set, repo, packageName, spec])).toEqual([
    ['bare', '', '', '', undefined],
    ['mine', '', 'a', 'app', undefined],
  ])
})

test('a variant without a set that has the name of a planned one counts once, in its own namespace', () => {
  const elsewhere = { ...alone('fleet-a-app', 'a'), metadata: { name: 'fleet-a-app', namespace: 'n' } }
  expect(
    variantsOf(setOf([list('a')]), alone('fleet-a-app', 'z'), elsewhere).map(({ namespace, name, set }) => [namespace, name, set]),
  ).toEqual([
    ['default', 'fleet-a-app', 'fleet'],
    ['n', 'fleet-a-app', ''],
  ])
})

test('a new variant has the marks of its set and the place of its target, an existing one its own', () => {
  const own = variant('mine', 'a')
  const labelled = { ...own, metadata: { name: 'mine', labels: { l: 'x' }, annotations: { [OWNER]: 'default/fleet' } } }
  const [mine, made] = variantsOf(setOf([list('a', 'b')]), labelled)
  expect(mine && { labels: [...mine.labels], annotations: [...mine.annotations], path: mine.path, kind: mine.object.kind }).toEqual({
    labels: [['l', 'x']],
    annotations: [[OWNER, 'default/fleet']],
    path: ['metadata', 'name'],
    kind: 'PackageVariant',
  })
  expect(made && { labels: [...made.labels], annotations: [...made.annotations], path: made.path, kind: made.object.kind }).toEqual({
    labels: [],
    annotations: [[OWNER, 'default/fleet']],
    path: ['spec', 'targets', 0, 'repositories', 1],
    kind: 'PackageVariantSet',
  })
  const withUid = { ...setOf([list('a')]), metadata: { name: 'fleet', uid: 'u' } }
  expect([...(variantsOf(withUid)[0]?.labels ?? [])]).toEqual([['config.porch.kpt.dev/packagevariantset', 'u']])
})

test('a renamed variant has the marks and the place of a new one', () => {
  const [renamed] = variantsOf(setOf([list('a')]), variant('old', 'a', { downstream: { repo: 'a', package: 'x' } }))
  expect([renamed?.name, renamed?.object.kind, renamed?.packageName]).toEqual(['fleet-a-app', 'PackageVariantSet', 'app'])
})

test('a variant has the ring of its target and the number of rings before it, and the object that a selector matched', () => {
  const rings = [{ name: 'one', repos: ['a'] }, { name: 'two', repos: ['b'] }, { name: 'three' }]
  const found = variantsOf(matrixWithRings(rings), ...['a', 'b', 'c'].map((name) => repository(name)), alone('own', 'z'))
  expect(found.map(({ ring, ringsBefore, target }) => [ring, ringsBefore, target?.name])).toEqual([
    ['one', 0, 'a'],
    ['two', 1, 'b'],
    ['three', 2, 'c'],
    ['', 0, undefined],
  ])
  expect(variantsOf(setOf([list('a')])).map(({ ring, ringsBefore, target }) => [ring, ringsBefore, target])).toEqual([['', 0, undefined]])
})

test.each<{ rule: string; upstream: JsonRecord | string | undefined; expected: JsonRecord }>([
  {
    rule: 'a number stays a number',
    upstream: { repo: 'r', package: 'p', revision: 2 },
    expected: { repo: 'r', package: 'p', revision: 2 },
  },
  {
    rule: 'a text stays a text',
    upstream: { repo: 'r', package: 'p', revision: 'v2' },
    expected: { repo: 'r', package: 'p', revision: 'v2' },
  },
  {
    rule: 'blank fields are unset',
    upstream: { repo: 'r', package: 'p', revision: '', workspaceName: '' },
    expected: { repo: 'r', package: 'p' },
  },
  { rule: 'a workspace is kept', upstream: { repo: 'r', workspaceName: 'w' }, expected: { repo: 'r', package: '', workspaceName: 'w' } },
  { rule: 'an upstream that is no map is empty', upstream: 'x', expected: { repo: '', package: '' } },
])('of the upstream of a variant $rule', ({ upstream, expected }) => {
  const [own] = variantsOf(alone('own', 'a', { upstream: upstream ?? null }))
  expect(own && upstreamOfPlanned(own)).toEqual(expected)
})

test('the upstream of a variant of a set is that after the plan', () => {
  const old = variant('mine', 'a', { upstream: { repo: 'catalog', package: 'app', revision: 1 } })
  const [mine] = variantsOf(setOf([list('a')]), old)
  expect(mine && upstreamOfPlanned(mine)).toEqual({ repo: 'catalog', package: 'app', revision: 2 })
})

test('the variant that makes a package is found by namespace, repository and package', () => {
  const makers = new PackageMakers(variantsOf(setOf([list('a')]), alone('own', 'b')))
  const makerOf = (repo: string, name: string, namespace = 'default') => makers.of({ repo, package: name }, namespace)?.name
  expect([makerOf('a', 'app'), makerOf('b', 'app')]).toEqual(['fleet-a-app', 'own'])
  expect([makerOf('a', 'web'), makerOf('c', 'app'), makerOf('a', 'app', 'n')]).toEqual([undefined, undefined, undefined])
})
