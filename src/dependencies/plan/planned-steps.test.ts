import { describe, expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import type { ResolveOptions } from '../resolve-objects.ts'
import { failureFindings, generatedFindings, plannedCycles } from './plan-findings.ts'

/** A Carvel package at a version, with what it requires: `b >=1.0.0`. */
function carvelPackage(name: string, version: string, ...required: readonly string[]): object {
  const dependencies = required.map((text) => {
    const [refName = '', range = ''] = text.split(' ')
    return { package: { refName: `${refName}.example.com`, version: range } }
  })
  return {
    apiVersion: 'data.packaging.carvel.dev/v1alpha1',
    kind: 'Package',
    metadata: { name: `${name}.example.com.${version}`, namespace: 'default' },
    spec: { refName: `${name}.example.com`, version, ...(dependencies.length > 0 && { dependencies }) },
  }
}

/** An install of a Carvel package; a generated one names the install for which it was made. */
function install(name: string, version: string, owner?: string, object = owner === undefined ? name : `${name}-made`): object {
  const annotations = { 'krm-variants.dev/resolved': version, 'kapp-controller.carvel.dev/owner': `PackageInstall/${owner}` }
  return {
    apiVersion: 'packaging.carvel.dev/v1alpha1',
    kind: 'PackageInstall',
    metadata: { name: object, namespace: 'default', ...(owner !== undefined && { annotations }) },
    spec: {
      serviceAccountName: 'default-sa',
      packageRef: { refName: `${name}.example.com`, versionSelection: { constraints: version } },
    },
  }
}

/** The steps of a plan, each in a line: the operation, the package, its pass and its owner, and the packages that require it. */
function steps(objects: readonly object[], options: Partial<ResolveOptions> = {}): readonly string[] {
  const { plan } = planOn(objects, { strategy: 'satisfy', upgrades: 'none', ...options })
  const lines = plan.steps.map(({ op, package: { id }, version, name, owner, pass, parents }) => {
    const why = parents.length === 0 ? '' : ` for ${parents.map((parent) => short(parent.name)).join(', ')}`
    return `${op} ${short(id)} ${version} as ${name}, pass ${pass}${owner === undefined ? '' : `, of ${owner}`}${why}`
  })
  return [...lines, ...plan.failures.map(({ packages, reason }) => `${reason}: ${packages.map(short).join(', ')}`)]
}

function short(name: string): string {
  return name.replace('.example.com', '')
}

const CHAIN = [
  carvelPackage('a', '1.0.0', 'b >=1.0.0', 'c >=1.0.0'),
  carvelPackage('b', '1.0.0', 'd >=1.0.0'),
  carvelPackage('c', '1.0.0', 'd <2.0.0'),
  carvelPackage('d', '1.0.0'),
  carvelPackage('d', '2.0.0'),
  carvelPackage('z', '1.0.0', 'c >=1.0.0'),
]

test('a package is installed in the pass behind that of the packages which require it, and belongs to the first of them', () => {
  expect(steps([...CHAIN, install('z', '1.0.0'), install('a', '1.0.0')])).toEqual([
    'create b 1.0.0 as b.example.com.1.0.0, pass 1, of a for a 1.0.0',
    'create c 1.0.0 as c.example.com.1.0.0, pass 1, of a for a 1.0.0, z 1.0.0',
    'create d 1.0.0 as d.example.com.1.0.0, pass 2, of b.example.com.1.0.0 for b 1.0.0, c 1.0.0',
  ])
})

test('the controller installs the highest version for the first package, and moves what it generated for the next', () => {
  expect(steps([...CHAIN, install('a', '1.0.0')], { strategy: 'native' })).toEqual([
    'create b 1.0.0 as b.example.com.1.0.0, pass 1, of a for a 1.0.0',
    'create c 1.0.0 as c.example.com.1.0.0, pass 1, of a for a 1.0.0',
    'create d 2.0.0 as d.example.com.2.0.0, pass 2, of b.example.com.1.0.0 for b 1.0.0',
    'update d 1.0.0 as d.example.com.2.0.0, pass 2 for c 1.0.0',
  ])
})

const REQUIRES = (range: string) => [
  carvelPackage('a', '1.0.0', `b ${range}`),
  ...['1.0.0', '2.0.0', '3.0.0'].map((version) => carvelPackage('b', version)),
  install('a', '1.0.0'),
]

test.each<[Partial<ResolveOptions>, string | undefined, string, string, string | undefined]>([
  [{ upgrades: 'none' }, undefined, '1.0.0', '>=2.0.0', undefined],
  [{ upgrades: 'none' }, 'a', '1.0.0', '>=2.0.0', undefined],
  [{ upgrades: 'generated' }, undefined, '1.0.0', '>=2.0.0', undefined],
  [{ upgrades: 'generated' }, 'a', '1.0.0', '>=2.0.0', '3.0.0'],
  [{ upgrades: 'all' }, undefined, '1.0.0', '>=2.0.0', '3.0.0'],
  [{ upgrades: 'all' }, undefined, '3.0.0', '<3.0.0', undefined],
  [{ upgrades: 'all', downgrades: true }, undefined, '3.0.0', '<3.0.0', '2.0.0'],
  [{ upgrades: 'all', downgrades: true }, 'a', '3.0.0', '<3.0.0', '2.0.0'],
  [{ upgrades: 'none', downgrades: true }, 'a', '3.0.0', '<3.0.0', undefined],
])("with %j the controller moves b of '%s' from %s for %s to %s", (options, owner, from, range, to) => {
  const moved = steps([...REQUIRES(range), install('b', from, owner)], { strategy: 'native', ...options })
  const name = owner === undefined ? 'b' : 'b-made'
  const expected =
    to === undefined ? 'unresolvable: a' : `update b ${to} as ${name}, pass 1${owner === undefined ? '' : ', of a'} for a 1.0.0`
  expect(moved).toEqual([expected])
})

test('two packages that pull one package up and down are given up at last, and the search ends', () => {
  const objects = [...REQUIRES('>=2.0.0'), carvelPackage('z', '1.0.0', 'b <2.0.0'), install('z', '1.0.0'), install('b', '1.0.0')]
  const moved = steps(objects, { strategy: 'native', upgrades: 'all', downgrades: true })
  expect(moved.filter((line) => line.startsWith('update')).length).toBeLessThanOrEqual(10)
  expect(moved.some((line) => line.startsWith('unresolvable'))).toBe(true)
})

test('a generated package that nobody requires goes with prune alone, and one of a person stays', () => {
  const objects = [carvelPackage('a', '1.0.0'), carvelPackage('b', '1.0.0'), install('a', '1.0.0')]
  expect(steps([...objects, install('b', '1.0.0', 'a')], { prune: true })).toEqual(['remove b 1.0.0 as b-made, pass 1'])
  expect(steps([...objects, install('b', '1.0.0', 'a')])).toEqual([])
  expect(steps([...objects, install('b', '1.0.0', 'elsewhere')], { prune: true })).toEqual([])
  expect(steps([carvelPackage('b', '1.0.0'), install('b', '1.0.0')], { prune: true })).toEqual([])
})

test('a generated package whose owner requires it no more is handed to the next that does', () => {
  const objects = [
    carvelPackage('a', '1.0.0'),
    carvelPackage('z', '1.0.0', 'b >=1.0.0'),
    carvelPackage('b', '1.0.0'),
    install('a', '1.0.0'),
    install('z', '1.0.0'),
    install('b', '1.0.0', 'a'),
  ]
  expect(steps(objects)).toEqual(['update b 1.0.0 as b-made, pass 1, of z for z 1.0.0'])
  expect(steps([...objects, carvelPackage('y', '1.0.0', 'b >=1.0.0'), install('y', '1.0.0')])).toEqual([
    'update b 1.0.0 as b-made, pass 1, of y for y 1.0.0, z 1.0.0',
  ])
})

test("an install with `install: false` makes nothing, and is nobody's owner", () => {
  const checking = (name: string) => {
    const made = install(name, '1.0.0')
    return { ...made, spec: { ...Reflect.get(made, 'spec'), dependencies: { install: false } } }
  }
  const packages = [carvelPackage('a', '1.0.0', 'b >=1.0.0'), carvelPackage('z', '1.0.0', 'b >=1.0.0'), carvelPackage('b', '1.0.0')]
  expect(steps([...packages, checking('a'), install('z', '1.0.0')])).toEqual([
    'create b 1.0.0 as b.example.com.1.0.0, pass 1, of z for z 1.0.0, a 1.0.0',
  ])
  expect(steps([...packages, checking('a')])).toEqual(['unresolvable: a'])
  expect(steps([...packages, checking('a')], { strategy: 'native' })).toEqual(['unresolvable: a'])
})

test('a part that fails keeps its packages, and the others are planned', () => {
  const objects = [...REQUIRES('>=4.0.0'), carvelPackage('y', '1.0.0', 'x >=1.0.0'), carvelPackage('x', '1.0.0'), install('y', '1.0.0')]
  expect(steps(objects)).toEqual(['create x 1.0.0 as x.example.com.1.0.0, pass 1, of y for y 1.0.0', 'unresolvable: a'])
})

function failures(objects: readonly object[], options: Partial<ResolveOptions> = {}) {
  const { plan } = planOn(objects, { strategy: 'satisfy', upgrades: 'none', ...options })
  return failureFindings(plan, options.maxSteps ?? 10_000)
}

test('a failure proposes the least setting that would allow a plan, and the moves', () => {
  const proposal = (range: string, from: string, options: Partial<ResolveOptions> = {}) =>
    failures([...REQUIRES(range), install('b', from)], options).map(({ message }) => /(?:Set|With) .*$/.exec(message)?.[0])
  expect(proposal('>=2.0.0', '1.0.0')).toEqual(['Set upgrades: all in the ResolveDependencies to move b.example.com to 3.0.0'])
  expect(proposal('<3.0.0', '3.0.0')).toEqual([
    'Set upgrades: all and downgrades: true in the ResolveDependencies to move b.example.com to 2.0.0',
  ])
  expect(proposal('<3.0.0', '3.0.0', { upgrades: 'all' })).toEqual([
    'Set downgrades: true in the ResolveDependencies to move b.example.com to 2.0.0',
  ])
  expect(proposal('>=4.0.0', '3.0.0')).toEqual([undefined])
})

test('every generated package says for which package it is there, the first by name', () => {
  const objects = [
    carvelPackage('a', '1.0.0', 'b >=1.0.0'),
    carvelPackage('z', '1.0.0', 'b >=1.0.0'),
    carvelPackage('y', '1.0.0', 'b >=2.0.0'),
    carvelPackage('b', '1.0.0'),
    install('z', '1.0.0'),
    install('a', '1.0.0'),
    install('y', '1.0.0'),
    install('b', '1.0.0', 'a'),
    install('c', '1.0.0', 'a'),
  ]
  const { readings } = planOn(objects)
  const found = generatedFindings(
    readings.all.flatMap(({ index }) => index ?? []),
    readings.kinds,
  )
  expect(found.map(({ message }) => message.replace(/ \([^()]*\)/g, ''))).toEqual([
    'PackageInstall b-made installs b.example.com 1.0.0, which a.example.com 1.0.0 requires, as does 1 more',
  ])
})

test('a cycle that a plan would close is found, one that is there is not', () => {
  const packages = [carvelPackage('a', '1.0.0', 'b >=1.0.0'), carvelPackage('b', '1.0.0', 'a >=1.0.0')]
  const cycles = (objects: readonly object[]) => {
    const { plan, readings } = planOn(objects, { strategy: 'satisfy' })
    return plannedCycles(
      plan,
      readings.all.flatMap(({ index }) => index ?? []),
    ).map(({ rule }) => rule)
  }
  expect(cycles([...packages, install('a', '1.0.0')])).toEqual(['dependency-cycle'])
  expect(cycles([...packages, install('a', '1.0.0'), install('b', '1.0.0')])).toEqual([])
})

test('a search that takes too many steps says so', () => {
  const found = failures([...CHAIN, install('a', '1.0.0')], { maxSteps: 1 })
  expect(found.map(({ rule }) => rule)).toContain('resolution-exceeded')
})

/** A Carvel package whose dependencies are given as they are written, and that may provide a kind. */
function packageWith(name: string, version: string, fields: object): object {
  const made = carvelPackage(name, version)
  return { ...made, spec: { ...Reflect.get(made, 'spec'), ...fields } }
}

const needs = (name: string, version = '>=1.0.0') => ({ package: { refName: `${name}.example.com`, version } })

describe('alternatives', () => {
  const objects = [
    packageWith('a', '1.0.0', { dependencies: [{ or: [needs('b'), needs('c', '>=2.0.0')] }] }),
    carvelPackage('b', '1.0.0'),
    carvelPackage('c', '1.0.0'),
    carvelPackage('c', '2.0.0'),
    install('a', '1.0.0'),
  ]

  test.each(['satisfy', 'native'] as const)('%s: one that is there is kept, wherever it is listed', (strategy) => {
    expect(steps([...objects, install('c', '2.0.0')], { strategy })).toEqual([])
    expect(steps([...objects, install('b', '1.0.0'), install('c', '2.0.0')], { strategy })).toEqual([])
  })

  test.each(['satisfy', 'native'] as const)('%s: the first is installed where none is there', (strategy) => {
    expect(steps(objects, { strategy })).toEqual(['create b 1.0.0 as b.example.com.1.0.0, pass 1, of a for a 1.0.0'])
  })

  test('a generated one is kept with prune too, though the first could be installed in its place', () => {
    expect(steps([...objects, install('c', '2.0.0', 'a')], { prune: true })).toEqual([])
  })

  test('one that is there at another version does not count', () => {
    expect(steps([...objects, install('c', '1.0.0')])).toEqual(['create b 1.0.0 as b.example.com.1.0.0, pass 1, of a for a 1.0.0'])
  })

  test('a generated package belongs to the first that lists what it is', () => {
    const others = [packageWith('z', '1.0.0', { dependencies: [{ or: [needs('x'), needs('b')] }] }), install('z', '1.0.0')]
    expect(steps([...objects, ...others, carvelPackage('x', '1.0.0'), install('b', '1.0.0', 'gone')])).toEqual([
      'update b 1.0.0 as b-made, pass 1, of a for a 1.0.0, z 1.0.0',
    ])
  })
})

describe('kinds', () => {
  const wants = packageWith('a', '1.0.0', { dependencies: [{ gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }] })
  const provider = (name: string, version: string) => packageWith(name, version, { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] })
  const objects = [wants, provider('b', '1.0.0'), provider('b', '2.0.0'), carvelPackage('b', '3.0.0'), install('a', '1.0.0')]

  test.each(['satisfy', 'native'] as const)(
    '%s: the one package that provides a kind is installed, in the highest version that does',
    (strategy) => {
      expect(steps(objects, { strategy })).toEqual(['create b 2.0.0 as b.example.com.2.0.0, pass 1, of a for a 1.0.0'])
    },
  )

  test.each(['satisfy', 'native'] as const)('%s: of two packages that provide a kind none is chosen, unless one is there', (strategy) => {
    const both = [...objects, provider('c', '1.0.0')]
    expect(steps(both, { strategy })).toEqual(['unresolvable: a'])
    expect(steps([...both, install('c', '1.0.0')], { strategy })).toEqual([])
  })

  test('a provider that is there in a version without the kind is moved, if that is allowed', () => {
    expect(steps([...objects, install('b', '3.0.0')])).toEqual(['unresolvable: a, b'])
    expect(steps([...objects, install('b', '3.0.0')], { upgrades: 'all', downgrades: true })).toEqual([
      'update b 2.0.0 as b, pass 1 for a 1.0.0',
    ])
  })

  test('a generated provider says for which package it is there', () => {
    const { readings } = planOn([...objects, install('b', '2.0.0', 'a')])
    const found = generatedFindings(
      readings.all.flatMap(({ index }) => index ?? []),
      readings.kinds,
    )
    expect(found.map(({ message }) => message.replace(/ \([^()]*\)/g, ''))).toEqual([
      'PackageInstall b-made installs b.example.com 2.0.0, which a.example.com 1.0.0 requires',
    ])
  })
})

test('of two installs of one package one is enough, and where neither is, the first by name is moved', () => {
  const pair = (one: string, two: string) => [install('b', two, undefined, 'two'), install('b', one, undefined, 'one')]
  expect(steps([...REQUIRES('>=2.0.0'), ...pair('1.0.0', '2.0.0')])).toEqual([])
  expect(steps([...REQUIRES('>=2.0.0'), ...pair('3.0.0', '1.0.0')])).toEqual([])
  const moved = steps([...REQUIRES('>=2.0.0'), ...pair('1.0.0', '1.0.0')], { upgrades: 'all' })
  expect(moved).toHaveLength(1)
  expect(moved[0]).toMatch(/^update b 3\.0\.0 as (one|two), pass 1 for a 1\.0\.0$/)
})

test('a cycle beside a plan is not of the plan', () => {
  const objects = [
    carvelPackage('a', '1.0.0', 'b >=1.0.0'),
    carvelPackage('b', '1.0.0', 'a >=1.0.0'),
    carvelPackage('z', '1.0.0', 'c >=1.0.0'),
    carvelPackage('c', '1.0.0'),
    ...['a', 'b', 'z'].map((name) => install(name, '1.0.0')),
  ]
  const { plan, readings } = planOn(objects, { strategy: 'satisfy' })
  expect(plan.steps).toHaveLength(1)
  expect(
    plannedCycles(
      plan,
      readings.all.flatMap(({ index }) => index ?? []),
    ),
  ).toEqual([])
})

test('a step that only changes an owner says so, if something else cannot be resolved', () => {
  const objects = [
    ...REQUIRES('>=4.0.0'),
    carvelPackage('z', '1.0.0', 'c >=1.0.0'),
    carvelPackage('c', '1.0.0'),
    install('z', '1.0.0'),
    install('c', '1.0.0', 'gone'),
    carvelPackage('y', '1.0.0', 'x >=1.0.0'),
    carvelPackage('x', '1.0.0'),
    install('y', '1.0.0'),
  ]
  const told = failures(objects).flatMap(({ rule, message }) => (rule === 'resolution' ? [message.replace(/,? which .*/, '')] : []))
  expect(told).toEqual(['x.example.com 1.0.0 would be installed as x.example.com.1.0.0', 'c.example.com 1.0.0 would belong to z'])
})

test.each<[string, readonly object[], readonly object[], string]>([
  [
    'the versions that are known',
    [needs('b', '>=4.0.0')],
    [carvelPackage('b', '1.0.0'), carvelPackage('b', '2.0.0')],
    'of which 2.0.0 and 1.0.0 are known',
  ],
  ['the only version', [needs('b', '>=4.0.0')], [carvelPackage('b', '1.0.0')], 'of which 1.0.0 is known'],
  [
    'the nearest name',
    [needs('bananas')],
    [carvelPackage('banana', '1.0.0')],
    "of which no version is known (did you mean 'banana.example.com'?)",
  ],
  ['no near name', [needs('bananas')], [], 'of which no version is known'],
  [
    'each alternative',
    [{ or: [needs('no-such-thing', '>=4.0.0'), needs('b', '>=3.0.0'), { gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }] }],
    [carvelPackage('b', '1.0.0')],
    '(of no-such-thing.example.com no version is known; of b.example.com 1.0.0 is known; no known package provides x.io/v1 Site)',
  ],
  [
    'a kind that no package provides',
    [{ gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }],
    [carvelPackage('b', '1.0.0')],
    'which no known package provides',
  ],
])('a failure says why nothing meets a requirement: %s', (_, dependencies, known, reason) => {
  const name = 'the-package-that-requires'
  const found = failures([packageWith(name, '1.0.0', { dependencies }), ...known, install(name, '1.0.0')])
  expect(found.map(({ rule, tags }) => [rule, tags.package])).toEqual([['unresolvable', `${name}.example.com`]])
  const [said] = found.map(({ message }) => message.replace(/ \(object-[^()]*\)/g, ''))
  expect(said).toContain(` ${reason}, there is no solution`)
})

test('a search that ends too early names the packages whose requirements it left', () => {
  const objects = [...REQUIRES('>=1.0.0'), carvelPackage('z', '1.0.0', 'b >=1.0.0'), install('z', '1.0.0')]
  const told = failures(objects, { maxSteps: 1 }).flatMap(({ rule, message }) => (rule === 'resolution-exceeded' ? [message] : []))
  expect(told).toEqual([
    expect.stringMatching(/^no versions were found in 1 steps that meet what \S+ and \S+ require; `maxSteps` limits the search$/),
  ])
})
