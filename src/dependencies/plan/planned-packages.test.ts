import { describe, expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import type { Package, PackageRequirement } from '../package-index.ts'
import { hasVersion } from '../resolve/version-set.ts'
import type { PlanPolicy } from './plan.ts'
import { closureOf, meets, type PlannedPackage, PlannedPackageTable } from './planned-packages.ts'
import { install, needs, packageOfCarvel, packageWith, REQUIRES } from './testing/carvel-plans.ts'

const POLICY: PlanPolicy = { upgrades: 'none', downgrades: false, prune: false }

/** Returns the planned packages of some objects of Carvel, made with the closure of all requirements or without one. */
function tableOf(objects: readonly object[], policy: Partial<PlanPolicy> = {}, withClosure = true) {
  const { readings } = planOn(objects)
  const indexes = readings.all.flatMap(({ index }) => index ?? [])
  const closure = closureOf(indexes, readings.kinds)
  const dependents = indexes.flatMap((index) => index.dependents)
  const all = { indexes, policy: { ...POLICY, ...policy } }
  const table = new PlannedPackageTable(all, (own) => dependents.filter((each) => each.install === own), withClosure ? closure : undefined)
  const installs = indexes.flatMap((index) => index.installs)
  return { table, closure, installs, dependents }
}

/** Returns the planned package of b, which must be there. */
function plannedB(objects: readonly object[], policy: Partial<PlanPolicy> = {}): PlannedPackage {
  const planned = tableOf(objects, policy).table.get('b.example.com')
  if (planned === undefined) throw new Error('b is not planned')
  return planned
}

const allowedIn = ({ versions, allowed }: PlannedPackage) => versions.filter((_, number) => hasVersion(allowed, number))
const names = (packages: Iterable<Package>) => [...packages].map(({ name }) => name.replace('.example.com', '')).sort()

describe('the closure of the requirements', () => {
  const chain = [
    packageOfCarvel('a', '1.0.0', 'b >=1.0.0'),
    packageOfCarvel('b', '1.0.0', 'c >=1.0.0'),
    packageOfCarvel('b', '2.0.0', 'd >=1.0.0'),
  ]

  test('has what is required through every known version, and no more', () => {
    const { closure } = tableOf([
      ...chain,
      packageOfCarvel('c', '1.0.0'),
      packageOfCarvel('x', '1.0.0', 'y >=1.0.0'),
      install('a', '1.0.0'),
    ])
    expect(names(closure.packages)).toEqual(['a', 'b', 'c', 'd'])
    expect(names(closure.installable)).toEqual(['b', 'c', 'd'])
  })

  test('ends where packages require each other', () => {
    const { closure } = tableOf([
      packageOfCarvel('a', '1.0.0', 'b >=1.0.0'),
      packageOfCarvel('b', '1.0.0', 'a >=1.0.0'),
      install('a', '1.0.0'),
    ])
    expect(names(closure.packages)).toEqual(['a', 'b'])
  })

  test('what is required with `install: false` alone may not be installed', () => {
    const made = install('a', '1.0.0')
    const checking = { ...made, spec: { ...Reflect.get(made, 'spec'), dependencies: { install: false } } }
    const { closure, table } = tableOf([packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0'), checking])
    expect([names(closure.packages), names(closure.installable)]).toEqual([['a', 'b'], []])
    expect(table.get('b.example.com')).toBeDefined()
  })

  test('has the packages that provide a kind which is required', () => {
    const site = { gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }
    const provider = packageWith('b', '1.0.0', { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] })
    const { closure } = tableOf([packageWith('a', '1.0.0', { dependencies: [site] }), provider, install('a', '1.0.0')])
    expect([names(closure.packages), names(closure.installable)]).toEqual([['a', 'b'], ['b']])
  })

  test('has each package of alternatives', () => {
    const either = packageWith('a', '1.0.0', { dependencies: [{ or: [needs('b'), needs('c')] }] })
    expect(names(tableOf([either, install('a', '1.0.0')]).closure.packages)).toEqual(['a', 'b', 'c'])
  })
})

describe('a package that is not installed', () => {
  test('may be at each known version, the highest first', () => {
    const planned = plannedB(REQUIRES('>=1.0.0'))
    expect([planned.versions, allowedIn(planned), planned.isFixed, planned.isTarget, planned.install, planned.keep]).toEqual([
      ['3.0.0', '2.0.0', '1.0.0'],
      ['3.0.0', '2.0.0', '1.0.0'],
      false,
      false,
      undefined,
      undefined,
    ])
  })
})

test.each<[string, string | undefined, string, Partial<PlanPolicy>, object]>([
  ['of a person stays', undefined, '2.0.0', {}, { allowed: ['2.0.0'], isFixed: true, keep: 1, rises: false }],
  [
    'of a person stays, if only generated ones move',
    undefined,
    '2.0.0',
    { upgrades: 'generated' },
    { allowed: ['2.0.0'], isFixed: true, rises: false },
  ],
  ['of a person may rise', undefined, '2.0.0', { upgrades: 'all' }, { allowed: ['3.0.0', '2.0.0'], isFixed: false, keep: 1, rises: false }],
  [
    'of a person may go anywhere with downgrades',
    undefined,
    '2.0.0',
    { upgrades: 'all', downgrades: true },
    { allowed: ['3.0.0', '2.0.0', '1.0.0'], isFixed: false, rises: false },
  ],
  [
    'that was generated may rise, and stays if it can',
    'a',
    '2.0.0',
    {},
    { allowed: ['3.0.0', '2.0.0'], isFixed: false, keep: 1, rises: false },
  ],
  [
    'that was generated rises with upgrades',
    'a',
    '2.0.0',
    { upgrades: 'generated' },
    { allowed: ['3.0.0', '2.0.0'], isFixed: false, rises: true },
  ],
  ['at the lowest version', 'a', '1.0.0', {}, { allowed: ['3.0.0', '2.0.0', '1.0.0'], keep: 2 }],
  ['at the highest version', 'a', '3.0.0', {}, { allowed: ['3.0.0'], keep: 0 }],
])('an installed package %s', (_, owner, version, policy, expected) => {
  const planned = plannedB([...REQUIRES('>=1.0.0'), install('b', version, owner)], policy)
  expect(planned.versions).toEqual(['3.0.0', '2.0.0', '1.0.0'])
  expect({ ...planned, allowed: allowedIn(planned), isTarget: false }).toMatchObject(expected)
  expect(planned.candidates.map(({ isInstalled, text }) => isInstalled && text).filter(Boolean)).toEqual([version])
})

test('an installed version that is not known stands where its number belongs, and one without a number first', () => {
  const versions = ['v1.0.0', 'v2.0.0'].map((version) => ({ version, dependencies: [] }))
  const packages = [{ ecosystem: 'glasskube', id: 'db', versions }]
  const catalog = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages } }
  const planned = (version: string) => {
    const spec = { packageInfo: { name: 'db', version } }
    const object = { apiVersion: 'packages.glasskube.dev/v1alpha1', kind: 'ClusterPackage', metadata: { name: 'db' }, spec }
    return tableOf([object, catalog]).table.get('db')?.versions
  }
  expect(planned('v1.5.0')).toEqual(['v2.0.0', 'v1.5.0', 'v1.0.0'])
  expect(planned('v4.0.0')).toEqual(['v4.0.0', 'v2.0.0', 'v1.0.0'])
  expect(planned('v0.1.0')).toEqual(['v2.0.0', 'v1.0.0', 'v0.1.0'])
  expect(planned('main')).toEqual(['main', 'v2.0.0', 'v1.0.0'])
})

test('a target moves an install of a person to its versions alone, also downwards', () => {
  const objects = [...REQUIRES('>=1.0.0'), install('b', '2.0.0')]
  const { readings } = planOn(objects)
  const indexes = readings.all.flatMap(({ index }) => index ?? [])
  const own = indexes.flatMap(({ installs }) => installs).find((each) => each.name === 'b')
  if (own === undefined) throw new Error('b is not installed')
  const policy = { ...POLICY, targets: new Map([[own, new Set(['1.0.0', '9.0.0'])]]) }
  const planned = new PlannedPackageTable({ indexes, policy }, () => [], undefined).get('b.example.com')
  expect(planned).toMatchObject({ isFixed: false, isTarget: true, rises: true })
  expect(planned && allowedIn(planned)).toEqual(['1.0.0'])
})

test('several installs of one package have their names behind it, in the order of names', () => {
  const objects = [...REQUIRES('>=1.0.0'), install('b', '1.0.0', undefined, 'two'), install('b', '2.0.0', undefined, 'one')]
  const { table } = tableOf(objects)
  expect([...table.all].map(({ id }) => id)).toEqual(['a.example.com', 'b.example.com (one)', 'b.example.com (two)'])
  expect(table.get('b.example.com (one)')?.install?.text).toBe('2.0.0')
  const b = table.get('b.example.com (one)')?.package
  expect(b && table.of(b).map(({ id }) => id)).toEqual(['b.example.com (one)', 'b.example.com (two)'])
})

test('an installed package has the requirements of its object, another version those that are known', () => {
  const objects = [packageOfCarvel('b', '1.0.0', 'c >=1.0.0'), packageOfCarvel('b', '2.0.0'), install('b', '1.0.0')]
  const planned = plannedB(objects)
  expect(planned.candidates.map(({ text, requirements }) => [text, requirements().length])).toEqual([
    ['2.0.0', 0],
    ['1.0.0', 1],
  ])
})

describe('without a closure', () => {
  const objects = [...REQUIRES('>=1.0.0'), packageOfCarvel('x', '1.0.0')]
  const requirementOf = (validateOnly: boolean, { dependents }: ReturnType<typeof tableOf>): PackageRequirement => {
    const [found] = dependents.flatMap(({ requirements }) => requirements.filter((each) => each.type === 'package'))
    if (found === undefined) throw new Error('nothing is required')
    return { ...found, validateOnly }
  }

  test('a package is planned when it is first asked for', () => {
    const made = tableOf(objects, {}, false)
    expect([...made.table.all].map(({ id }) => id)).toEqual(['a.example.com'])
    expect(made.table.for(requirementOf(false, made)).map(({ id }) => id)).toEqual(['b.example.com'])
    expect([...made.table.all].map(({ id }) => id)).toEqual(['a.example.com', 'b.example.com'])
    expect(made.table.isDoubtful).toBe(false)
  })

  test('the table is doubtful when only a closure knows what may be installed', () => {
    const made = tableOf(objects, {}, false)
    expect([made.table.for(requirementOf(true, made)), made.table.isDoubtful]).toEqual([[], true])
    const whole = tableOf(objects)
    expect([whole.table.for(requirementOf(true, whole)).length, whole.table.isDoubtful]).toEqual([1, false])
    const there = tableOf([...objects, install('b', '1.0.0')], {}, false)
    expect([there.table.for(requirementOf(true, there)).length, there.table.isDoubtful]).toEqual([1, false])
  })

  test('with a closure, a package that nothing requires is not planned', () => {
    const { table } = tableOf(objects)
    expect([...table.all].map(({ id }) => id)).toEqual(['a.example.com', 'b.example.com'])
  })
})

test('a candidate meets a requirement if the package manager would choose it', () => {
  const objects = [...REQUIRES('>=2.0.0'), install('b', '1.0.0')]
  const { dependents, table } = tableOf(objects, { upgrades: 'all' })
  const [requirement] = dependents.flatMap(({ requirements }) => requirements.filter((each) => each.type === 'package'))
  const planned = table.get('b.example.com')
  if (requirement === undefined || planned === undefined) throw new Error('nothing is required')
  const met = planned.candidates.map((candidate) => meets(candidate, requirement, planned.index))
  expect(planned.versions.map((text, at) => [text, met[at]])).toEqual([
    ['3.0.0', true],
    ['2.0.0', true],
    ['1.0.0', false],
  ])
  const digestOf = (digest: string | undefined) => ({ text: '', version: undefined, digest, isInstalled: false, requirements: () => [] })
  expect(meets(digestOf('sha256:a'), { ...requirement, digest: 'sha256:a' }, planned.index)).toBe(true)
  expect(meets(digestOf('sha256:b'), { ...requirement, digest: 'sha256:a' }, planned.index)).toBe(false)
  expect(meets(digestOf('sha256:a'), requirement, planned.index)).toBe(false)
  expect(meets(digestOf('sha256:a'), { ...requirement, range: undefined }, planned.index)).toBe(true)
})
