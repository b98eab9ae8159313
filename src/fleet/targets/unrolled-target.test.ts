import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { list, planOf, repository, setOf } from '../testing/fleet-of-objects.ts'
import { describePlace, describeTarget, describeTargets, hasPackageName, packageDefaultField } from './unrolled-target.ts'

const BY_LABEL = { repositorySelector: {} }
const UPSTREAM = ['spec', 'upstream', 'package']
const ENTRY = ['spec', 'targets', 0]

/** Returns the set of one target, and its places in a fleet with the Repositories `a` and `b`. */
function placesOfTarget(target: JsonRecord) {
  const [planned] = planOf([setOf([target]), repository('a'), repository('b')]).sets
  return { set: planned?.set, places: (planned?.changes ?? []).flatMap(({ why }) => why?.place ?? []) }
}

test.each([
  { what: 'a listed repository', target: list('a'), targets: ['a'], places: ['a/app'], isNamed: false, field: UPSTREAM },
  {
    what: 'a listed repository with package names',
    target: { repositories: [{ name: 'a', packageNames: ['x', 'y'] }] },
    targets: ['a', 'a'],
    places: ['a/x', 'a/y'],
    isNamed: true,
    field: [...ENTRY, 'repositories', 0, 'packageNames', 0],
  },
  {
    what: 'a selector',
    target: BY_LABEL,
    targets: ['Repository a', 'Repository b'],
    places: ['Repository a', 'Repository b'],
    isNamed: false,
    field: UPSTREAM,
  },
  {
    what: 'a selector with a package name',
    target: { ...BY_LABEL, packageNames: ['x'] },
    targets: ['Repository a', 'Repository b'],
    places: ['Repository a with package x', 'Repository b with package x'],
    isNamed: true,
    field: [...ENTRY, 'repositorySelector'],
  },
])('places of $what are described by what the target names', ({ target, targets, places, isNamed, field }) => {
  const found = placesOfTarget(target)
  expect(found.places.map(describeTarget)).toEqual(targets)
  expect(found.places.map(describePlace)).toEqual(places)
  expect(found.places.map(hasPackageName)).toEqual(places.map(() => isNamed))
  const [first] = found.places
  expect(first && found.set && packageDefaultField(first, found.set)).toEqual(field)
})

test('one target is described by its name, several by their number and the first three', () => {
  const listed = (...names: string[]) => describeTargets(names.map((repoDefault) => ({ repoDefault, object: undefined })))
  expect(listed('a')).toBe('a')
  expect(listed('a', 'b')).toBe('2 targets (a, b)')
  expect(listed('a', 'b', 'c')).toBe('3 targets (a, b, c)')
  expect(listed('a', 'b', 'c', 'd')).toBe('4 targets (a, b, c and 1 more)')
  expect(listed('two\n  lines')).toBe('two lines')
})

test('the field of a package of a PackageRevisionSet is the one of the target, and that of an own upstream is the upstream', () => {
  const own = (name: string) => ({ repo: 'catalog', package: name, revision: 1 })
  const of = (kind: string, name: string, spec: JsonRecord) => ({
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind,
    metadata: { name },
    spec,
  })
  const matrix = of('PackageVariantMatrix', 'm', { upstreams: [own('x'), { packageRevisionSet: 's' }], targets: [list('a')] })
  const [planned] = planOf([matrix, of('PackageRevisionSet', 's', { upstreams: [own('y')] }), repository('a')]).sets
  const set = planned?.set
  const fields = planned?.changes.map(({ why }) => why && set && [why.package, packageDefaultField(why.place, set)])
  expect(fields).toEqual([
    ['x', ['spec', 'upstreams', 0, 'package']],
    ['y', [...ENTRY, 'repositories', 0]],
  ])
})
