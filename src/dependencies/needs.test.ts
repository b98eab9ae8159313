import { expect, test } from 'vitest'
import { planOn } from '../../testdata/conformance-runner/dependencies/plans.ts'
import type { FieldPlace } from './finding.ts'
import { needsMetBy, needsOf } from './needs.ts'
import type { KindOfApi } from './package-index.ts'
import { install, needs, packageOfCarvel, packageWith } from './plan/testing/carvel-plans.ts'

const SITE = { group: 'x.io', version: 'v1', kind: 'Site' }
const providerOfSite = (name: string, version: string) =>
  packageWith(name, version, { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] })

/** Returns the names of the dependents that need each package, and of those whose need each install meets, by the name of its object. */
function needed(objects: readonly object[], apis: readonly KindOfApi[] = []) {
  const { readings } = planOn(objects, {}, apis)
  const [index] = readings.indexes
  if (index === undefined) throw new Error('there is an index')
  const all = needsOf(index, readings.kinds)
  const short = (name: string) => name.replace('.example.com', '')
  return {
    all: Object.fromEntries([...all].map(([{ id }, each]) => [short(id), each.map(({ dependent }) => short(dependent.name))])),
    met: Object.fromEntries(
      index.installs.map((own) => [own.name, needsMetBy(own, all).map(({ dependent }) => short(dependent.name))] as const),
    ),
  }
}

const requires = (name: string, ...required: readonly string[]) => [packageOfCarvel(name, '1.0.0', ...required), install(name, '1.0.0')]

test('an install meets the needs of a version that its own version is in, by the name of their dependents', () => {
  const objects = [
    ...requires('z', 'b >=1.0.0'),
    ...requires('y', 'b >=2.0.0'),
    ...requires('a', 'b >=1.0.0'),
    ...requires('x', 'c >=1.0.0'),
    ...requires('b'),
  ]
  const { all, met } = needed(objects)
  expect([all.b?.toSorted(), all.c]).toEqual([['a 1.0.0', 'y 1.0.0', 'z 1.0.0'], ['x 1.0.0']])
  expect(met).toEqual({ a: [], b: ['a 1.0.0', 'z 1.0.0'], x: [], y: [], z: [] })
})

test('each package of alternatives is needed', () => {
  const either = packageWith('a', '1.0.0', { dependencies: [{ or: [needs('b', '>=2.0.0'), needs('c')] }] })
  const { all, met } = needed([either, install('a', '1.0.0'), ...requires('b'), ...requires('c')])
  expect(all).toEqual({ b: ['a 1.0.0'], c: ['a 1.0.0'] })
  expect(met).toEqual({ a: [], b: [], c: ['a 1.0.0'] })
})

test('a required kind needs each package that provides it, in the version that does', () => {
  const wants = [packageWith('a', '1.0.0', { dependencies: [{ gvk: SITE }] }), install('a', '1.0.0')]
  const objects = [...wants, providerOfSite('b', '1.0.0'), packageOfCarvel('b', '2.0.0'), providerOfSite('c', '1.0.0')]
  const both = [install('b', '1.0.0'), install('b', '2.0.0', undefined, 'b2')]
  expect(needed([...objects, ...both])).toEqual({
    all: { b: ['a 1.0.0'], c: ['a 1.0.0'] },
    met: { a: [], b: ['a 1.0.0'], b2: [] },
  })
})

test('a kind that the cluster serves anyway needs no package', () => {
  const wants = [packageWith('a', '1.0.0', { dependencies: [{ gvk: SITE }] }), install('a', '1.0.0'), providerOfSite('b', '1.0.0')]
  expect(needed(wants, [{ apiVersion: 'x.io/v1', kind: 'Site' }]).all).toEqual({})
})

test('a provider in a namespace that the requirer does not see is not needed', () => {
  const wants = [packageWith('a', '1.0.0', { dependencies: [{ gvk: SITE }] }), install('a', '1.0.0')]
  const made = providerOfSite('b', '1.0.0')
  const elsewhere = { ...made, metadata: { ...Reflect.get(made, 'metadata'), namespace: 'other' } }
  expect(needed([...wants, elsewhere]).all).toEqual({})
})

test('a platform is no package that could be needed', () => {
  const { readings } = planOn([packageOfCarvel('a', '1.0.0'), install('a', '1.0.0')])
  const dependents = readings.indexes.flatMap((index) => index.dependents)
  const platform = (place: FieldPlace) => ({ type: 'platform', wants: 'Kubernetes ">=9"', met: false, optional: false, place }) as const
  const given = dependents.map((each) => ({ ...each, requirements: [platform(each.place)] }))
  expect(needsOf({ dependents: given }, readings.kinds).size).toBe(0)
})
