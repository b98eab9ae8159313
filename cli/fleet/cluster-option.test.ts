import { expect, test } from 'vitest'
import { list, planOf, repository, resourceListOf, setOf, variant } from '../../src/fleet/testing/fleet-of-objects.ts'
import { CLUSTER_KEY } from '../../src/well-known.ts'
import { UsageError } from '../usage-error.ts'
import { clusterFinder, clusterTest, downstreamOfChange, onlyInCluster } from './cluster-option.ts'

const { items } = resourceListOf([
  repository('eu-1', { [CLUSTER_KEY]: 'eu' }),
  repository('us'),
  variant('v', 'lone'),
  variant('w', 'eu-1'),
])
const { sets } = planOf([repository('a'), repository('b'), setOf([list('a', 'b')])])

test('without a cluster that the caller chose there is no test, and sets stay as they are', () => {
  expect(clusterTest(items, {})).toBeUndefined()
  expect(onlyInCluster(sets, undefined)).toBe(sets)
})

test.each([
  ['eu', ['eu-1']],
  ['us', ['us']],
  ['lone', ['lone']],
])('the cluster %s has the repositories %j', (cluster, repositories) => {
  const isAsked = clusterTest(items, { cluster })
  expect(['eu-1', 'us', 'lone'].filter((name) => isAsked?.(name))).toEqual(repositories)
})

test.each([
  ['', '`--cluster` must be the name of a cluster, got an empty text'],
  ['mars', "`--cluster` must be the name of a cluster, got 'mars'; the clusters are 'eu', 'us', 'lone'"],
  ['loen', "`--cluster` must be the name of a cluster, got 'loen'; did you mean 'lone'?"],
])('no repository is of the cluster %j', (cluster, message) => {
  expect(() => clusterTest(items, { cluster })).toThrow(new UsageError(message))
})

test('the repository of a cluster with another name is no cluster, and a fleet without repositories has none', () => {
  expect(() => clusterTest(items, { cluster: 'eu-1' })).toThrow(UsageError)
  expect(() => clusterTest([], { cluster: 'eu' })).toThrow(/got 'eu'; the fleet has no cluster$/)
})

test('a repository that only variants of sets name is a cluster', () => {
  const objects = resourceListOf([]).items
  expect(() => clusterTest(objects, { cluster: 'a' })).toThrow(UsageError)
  const isAsked = clusterTest(objects, { cluster: 'a' }, sets)
  expect(onlyInCluster(sets, isAsked).map(({ changes }) => changes.map(downstreamOfChange))).toEqual([['a']])
})

test('a variant is in the repository that fan-out gives it, else in that after the change, else in that before', () => {
  const [before, after] = ['x', 'y'].map((repo) => ({ downstream: { repo } }))
  const why = sets[0]?.changes[0]?.why
  if (before === undefined || after === undefined || why === undefined) throw new Error('must have a change')
  expect(downstreamOfChange({ why, before, after })).toBe('a')
  expect(downstreamOfChange({ before, after })).toBe('y')
  expect(downstreamOfChange({ before })).toBe('x')
  expect(downstreamOfChange({})).toBe('')
  expect(clusterFinder(items)({ before: { downstream: { repo: 'eu-1' } } })).toBe('eu')
  expect(clusterFinder(items)({ before })).toBe('x')
})
