import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { list, planOf, setOf, variant, type Written } from '../testing/fleet-of-objects.ts'
import { Followers } from './followers.ts'

/** Returns a variant without a set that makes a package of another one. */
function link(
  name: string,
  from: readonly [repo: string, package_: string],
  to: readonly [repo: string, package_: string],
  namespace?: string,
): JsonRecord {
  const spec = {
    upstream: { repo: from[0], package: from[1], revision: 1 },
    downstream: { repo: to[0], package: to[1] },
  }
  return { ...variant(name, to[0], spec), metadata: { name, ...(namespace !== undefined && { namespace }) } }
}

const CHAIN = [
  link('first', ['catalog', 'app'], ['a', 'app']),
  link('second', ['a', 'app'], ['b', 'app']),
  link('third', ['b', 'app'], ['c', 'app']),
  link('beside', ['a', 'app'], ['d', 'app']),
]

/** Returns the followers of variants; packages of the given repositories are published. */
function below(objects: readonly Written[], names: readonly string[], published: readonly string[] = []): readonly string[] {
  const followers = new Followers(planOf(objects), ({ repo }) => published.includes(repo))
  return followers.below(names.map((name) => ({ namespace: 'default', name }))).map(({ name }) => name)
}

test('the packages of variants follow a package directly or through others', () => {
  expect([...below(CHAIN, ['first'])].sort()).toEqual(['beside', 'second', 'third'])
  expect(below(CHAIN, ['second'])).toEqual(['third'])
  expect(below(CHAIN, ['third'])).toEqual([])
})

test('a follower of two of the variants counts once, and none of the variants counts itself', () => {
  expect([...below(CHAIN, ['first', 'second'])].sort()).toEqual(['beside', 'third'])
})

test('the package of a published revision follows none', () => {
  expect(below(CHAIN, ['first'], ['b'])).toHaveLength(2)
  expect(below(CHAIN, ['first'], ['a'])).toEqual([])
})

test('a package of another namespace is another package', () => {
  expect(below([...CHAIN.slice(0, 1), link('second', ['a', 'app'], ['b', 'app'], 'n')], ['first'])).toEqual([])
})

test('a circle of packages ends, and a package that is its own upstream follows none', () => {
  const circle = [link('x', ['b', 'app'], ['a', 'app']), link('y', ['a', 'app'], ['b', 'app'])]
  expect(below(circle, ['x'])).toEqual(['y'])
  expect(below([link('own', ['a', 'app'], ['a', 'app'])], ['own'])).toEqual([])
})

test('variants of a set are makers too, and the maker of an upstream is found unless a revision is published', () => {
  const objects = [setOf([list('a')]), link('second', ['a', 'app'], ['b', 'app'])]
  expect(below(objects, ['fleet-a-app'])).toEqual(['second'])
  const makerOf = (isPublished: boolean, repo = 'a', namespace = 'default') =>
    new Followers(planOf(objects), () => isPublished).makerOf({ repo, package: 'app' }, namespace)?.name
  expect([makerOf(false), makerOf(true), makerOf(false, 'z'), makerOf(false, 'a', 'n')]).toEqual([
    'fleet-a-app',
    undefined,
    undefined,
    undefined,
  ])
})
