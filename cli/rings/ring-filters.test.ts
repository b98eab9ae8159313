import { expect, test } from 'vitest'
import { list, planOf, repository, setOf } from '../../src/fleet/testing/fleet-of-objects.ts'
import { matrixWithRings } from '../../src/fleet/testing/fleet-with-rings.ts'
import { UsageError } from '../usage-error.ts'
import { askedRings, type RingFilters } from './ring-filters.ts'

const PLAN = planOf([
  repository('a'),
  repository('b'),
  matrixWithRings([{ name: 'canary', repos: ['a'] }, { name: 'rest' }]),
  { ...matrixWithRings([{ name: 'all' }]), metadata: { name: 'second' } },
  { ...matrixWithRings([]), metadata: { name: 'ringless' } },
  setOf([list('a')]),
])
const asked = (filters: RingFilters) =>
  askedRings(PLAN, filters).map(({ plan, asked: rings }) => [plan.owner.name, ...rings.map(({ ring }) => ring.name)])

test.each<[RingFilters, readonly (readonly string[])[]]>([
  [
    {},
    [
      ['m', 'canary', 'rest'],
      ['second', 'all'],
    ],
  ],
  [{ matrix: ['second'] }, [['second', 'all']]],
  [{ matrix: ['default/m'] }, [['m', 'canary', 'rest']]],
  [{ matrix: ['m', 'default/m', 'm'] }, [['m', 'canary', 'rest']]],
  [{ package: ['app'], matrix: ['m'] }, [['m', 'canary', 'rest']]],
  [{ package: ['catalog/app', 'app'], matrix: ['m'] }, [['m', 'canary', 'rest']]],
  [{ ring: ['rest'], matrix: ['m'] }, [['m', 'rest']]],
  [{ ring: ['rest', 'canary'], matrix: ['m'] }, [['m', 'canary', 'rest']]],
  [
    { ring: ['all', 'rest'] },
    [
      ['m', 'rest'],
      ['second', 'all'],
    ],
  ],
])('the names %j ask for the rings %j', (filters, rings) => {
  expect(asked(filters)).toEqual(rings)
})

test.each<[RingFilters, RegExp]>([
  [{ matrix: ['secnd'] }, /^no matrix 'secnd'; the matrices with rings are m, second; did you mean 'second'\?$/],
  [{ matrix: ['other/m'] }, /^no matrix 'other\/m'; the matrices with rings are m, second/],
  [{ matrix: ['ringless'] }, /^'ringless' has no `spec\.rings` \(fleet\/all\.yaml:1\)$/],
  [{ matrix: ['default/fleet'] }, /^'default\/fleet' is a PackageVariantSet; only a PackageVariantMatrix has rings/],
  [{ package: ['ap'] }, /^no package 'ap'; the packages are app \(fleet\/all\.yaml:1\); did you mean 'app'\?$/],
  [{ package: ['other/app'] }, /^no package 'other\/app'; the packages are catalog\/app/],
  [{ ring: ['canry'] }, /^no ring 'canry'; the rings are canary, rest, all \(fleet\/all\.yaml:1\); did you mean 'canary'\?$/],
  [{ ring: ['canary'], matrix: ['second'] }, /^no ring 'canary'; the rings are all/],
])('the names %j are refused', (filters, message) => {
  expect(() => asked(filters)).toThrow(UsageError)
  expect(() => asked(filters)).toThrow(message)
})
