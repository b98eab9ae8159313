import { expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import type { SolverRequirement } from '../resolve/problem.ts'
import { hasVersion } from '../resolve/version-set.ts'
import { PackageProblem } from './package-problem.ts'
import { closureOf } from './planned-packages.ts'
import type { Requirer } from './solver-requirement.ts'
import { install, needs, packageOfCarvel, packageWith } from './testing/carvel-plans.ts'

/** Returns what a requires, as the solver reads it: each alternative as `PACKAGE VERSIONS`, and the words for it. */
function requiredBy(objects: readonly object[], by: Partial<Requirer> = {}, closed = true) {
  const { readings } = planOn(objects)
  const indexes = readings.all.flatMap(({ index }) => (index === undefined ? [] : [{ ...index, closed }]))
  const policy = { upgrades: 'all', downgrades: true, prune: false } as const
  const problem = new PackageProblem({ indexes, kinds: readings.kinds, policy }, closureOf(indexes, readings.kinds))
  const dependent = indexes.flatMap(({ dependents }) => dependents).find(({ install: own }) => own?.name === 'a')
  const [index] = indexes.filter(({ dependents }) => dependent !== undefined && dependents.includes(dependent))
  const [requirement] = dependent?.requirements ?? []
  if (index === undefined || requirement === undefined) throw new Error('a requires nothing')
  const required = problem.requirementFor(requirement, { index, package: dependent?.package, namesPlace: false, ...by })
  return required && described(required, problem)
}

function described({ anyOf, wants, lack, optional }: SolverRequirement, problem: PackageProblem) {
  const ranges = anyOf.map(({ package: id, versions }) => {
    const texts = problem.find(id)?.versions.filter((_, number) => hasVersion(versions, number)) ?? []
    return [id.replace('.example.com', ''), ...texts].join(' ')
  })
  return {
    ranges,
    wants: wants.replaceAll('.example.com', ''),
    ...(lack && { lack: lack().replaceAll('.example.com', '') }),
    ...(optional && { optional }),
  }
}

const a = (...dependencies: readonly object[]) => [packageWith('a', '1.0.0', { dependencies }), install('a', '1.0.0')]
const b = (...versions: readonly string[]) => versions.map((version) => packageOfCarvel('b', version))
const c = (...versions: readonly string[]) => versions.map((version) => packageOfCarvel('c', version))

test('a package is required in the versions that meet the range', () => {
  expect(requiredBy([...a(needs('b', '>=2.0.0')), ...b('1.0.0', '2.0.0', '3.0.0')])).toEqual({
    ranges: ['b 3.0.0 2.0.0'],
    wants: 'b ">=2.0.0"',
  })
})

test('the words name the place of an installed package', () => {
  const { wants } = requiredBy([...a(needs('b')), ...b('1.0.0')], { namesPlace: true }) ?? {}
  expect(wants).toMatch(/^b ">=1\.0\.0" \(object-0\.yaml spec\.dependencies.*\)$/)
})

test.each<[string, readonly object[], string]>([
  ['no version', [], ', of which no version is known'],
  ['one version', b('1.0.0'), ', of which 1.0.0 is known'],
  ['two versions', b('1.0.0', '2.0.0'), ', of which 2.0.0 and 1.0.0 are known'],
])('a package of which %s fits says what is known', (_, known, lack) => {
  expect(requiredBy([...a(needs('b', '>=9.0.0')), ...known])).toEqual({ ranges: [], wants: 'b ">=9.0.0"', lack })
})

test('a package of which nothing is known is required of a closed catalog alone', () => {
  expect(requiredBy(a(needs('b')), {}, false)).toBeUndefined()
  expect(requiredBy([...a(needs('b', '>=9.0.0')), ...b('1.0.0')], {}, false)).toMatchObject({ ranges: [] })
})

const either = { or: [needs('b'), needs('c', '>=2.0.0')] }

test('alternatives are those that have a version, in the order in which they are written', () => {
  expect(requiredBy([...a(either), ...b('1.0.0'), ...c('1.0.0', '2.0.0')])).toEqual({
    ranges: ['b 1.0.0', 'c 2.0.0'],
    wants: 'b ">=1.0.0" or c ">=2.0.0"',
  })
  expect(requiredBy([...a(either), ...b('1.0.0'), ...c('1.0.0')])?.ranges).toEqual(['b 1.0.0'])
})

test('an alternative that is met by what is installed comes first, unless the order is to be as written', () => {
  const objects = [...a(either), ...b('1.0.0'), ...c('2.0.0'), install('c', '2.0.0')]
  expect(requiredBy(objects)?.ranges).toEqual(['c 2.0.0', 'b 1.0.0'])
  expect(requiredBy(objects, { asWritten: true })?.ranges).toEqual(['b 1.0.0', 'c 2.0.0'])
  const tooLow = [...a(either), ...b('1.0.0'), ...c('1.0.0', '2.0.0'), install('c', '1.0.0')]
  expect(requiredBy(tooLow)?.ranges).toEqual(['b 1.0.0', 'c 2.0.0'])
})

test('alternatives of which none fits say what is known of each', () => {
  const { ranges, lack } = requiredBy([...a({ or: [needs('b', '>=9.0.0'), needs('c')] }), ...b('1.0.0')]) ?? {}
  expect([ranges, lack]).toEqual([[], " (of b 1.0.0 is known; of c no version is known (did you mean 'b'?))"])
})

test('an alternative of which nothing is known leaves the requirement unchecked in an open catalog, unless another one fits', () => {
  expect(requiredBy(a(either), {}, false)).toBeUndefined()
  expect(requiredBy([...a(either), ...c('2.0.0')], {}, false)?.ranges).toEqual(['c 2.0.0'])
  expect(requiredBy([...a(either), ...c('1.0.0')], {}, false)).toBeUndefined()
})

const site = { gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }
const provider = (name: string, version: string) => packageWith(name, version, { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] })

test('a kind is required of the one package that provides it, in the versions that do', () => {
  const required = requiredBy([...a(site), provider('b', '1.0.0'), provider('b', '2.0.0'), ...b('3.0.0')])
  expect(required?.ranges).toEqual(['b 2.0.0 1.0.0'])
  expect(required?.wants).toContain('Site')
})

test('of several packages that provide a kind, only installed ones count', () => {
  const both = [...a(site), provider('b', '1.0.0'), provider('c', '1.0.0')]
  const { ranges, wants } = requiredBy(both) ?? {}
  expect(ranges).toEqual([])
  expect(wants).toMatch(/Site.*, which .* and .* provide$/)
  expect(requiredBy([...both, install('c', '1.0.0')])?.ranges).toEqual(['c 1.0.0'])
})

test('a kind that no package provides is a lack of a closed catalog alone', () => {
  expect(requiredBy(a(site))).toMatchObject({ ranges: [], lack: ', which no known package provides' })
  expect(requiredBy(a(site), {}, false)).toBeUndefined()
  expect(requiredBy(a({ or: [site, needs('b', '>=9.0.0')] }))?.lack).toMatch(
    /^ \(no known package provides .*Site.*; of b no version is known.*\)$/,
  )
})

test('what is required without installing it must be there, or come by another requirement', () => {
  const made = install('a', '1.0.0')
  const checking = { ...made, spec: { ...Reflect.get(made, 'spec'), dependencies: { install: false } } }
  const objects = [packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), checking, ...b('1.0.0')]
  expect(requiredBy(objects)).toEqual({
    ranges: [],
    wants: 'b ">=1.0.0"',
    lack: ', of which none exists, and none is installed for it (install: false)',
  })
  expect(requiredBy([...objects, install('b', '1.0.0')])?.ranges).toEqual(['b 1.0.0'])
  const other = [packageOfCarvel('z', '1.0.0', 'b >=1.0.0'), install('z', '1.0.0')]
  expect(requiredBy([...objects, ...other])?.ranges).toEqual(['b 1.0.0'])
})
