import { describe, expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import type { ResolveOptions } from '../resolve-objects.ts'
import { generatedFindings } from './plan-findings.ts'
import { CHAIN, install, needs, packageOfCarvel, packageWith, REQUIRES, steps } from './testing/carvel-plans.ts'

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
  const objects = [...REQUIRES('>=2.0.0'), packageOfCarvel('z', '1.0.0', 'b <2.0.0'), install('z', '1.0.0'), install('b', '1.0.0')]
  const moved = steps(objects, { strategy: 'native', upgrades: 'all', downgrades: true })
  expect(moved.filter((line) => line.startsWith('update')).length).toBeLessThanOrEqual(10)
  expect(moved.some((line) => line.startsWith('unresolvable'))).toBe(true)
})

test('a generated package that no package requires goes with prune alone, and one of a person stays', () => {
  const objects = [packageOfCarvel('a', '1.0.0'), packageOfCarvel('b', '1.0.0'), install('a', '1.0.0')]
  expect(steps([...objects, install('b', '1.0.0', 'a')], { prune: true })).toEqual(['remove b 1.0.0 as b-made, pass 1'])
  expect(steps([...objects, install('b', '1.0.0', 'a')])).toEqual([])
  expect(steps([...objects, install('b', '1.0.0', 'elsewhere')], { prune: true })).toEqual([])
  expect(steps([packageOfCarvel('b', '1.0.0'), install('b', '1.0.0')], { prune: true })).toEqual([])
})

test('a generated package whose owner requires it no more is handed to the next that does', () => {
  const objects = [
    packageOfCarvel('a', '1.0.0'),
    packageOfCarvel('z', '1.0.0', 'b >=1.0.0'),
    packageOfCarvel('b', '1.0.0'),
    install('a', '1.0.0'),
    install('z', '1.0.0'),
    install('b', '1.0.0', 'a'),
  ]
  expect(steps(objects)).toEqual(['update b 1.0.0 as b-made, pass 1, of z for z 1.0.0'])
  expect(steps([...objects, packageOfCarvel('y', '1.0.0', 'b >=1.0.0'), install('y', '1.0.0')])).toEqual([
    'update b 1.0.0 as b-made, pass 1, of y for y 1.0.0, z 1.0.0',
  ])
})

test('an install with `install: false` makes nothing, and owns nothing', () => {
  const checking = (name: string) => {
    const made = install(name, '1.0.0')
    return { ...made, spec: { ...Reflect.get(made, 'spec'), dependencies: { install: false } } }
  }
  const packages = [packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), packageOfCarvel('z', '1.0.0', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0')]
  expect(steps([...packages, checking('a'), install('z', '1.0.0')])).toEqual([
    'create b 1.0.0 as b.example.com.1.0.0, pass 1, of z for z 1.0.0, a 1.0.0',
  ])
  expect(steps([...packages, checking('a')])).toEqual(['unresolvable: a'])
  expect(steps([...packages, checking('a')], { strategy: 'native' })).toEqual(['unresolvable: a'])
})

test('a part that fails keeps its packages, and the others are planned', () => {
  const objects = [...REQUIRES('>=4.0.0'), packageOfCarvel('y', '1.0.0', 'x >=1.0.0'), packageOfCarvel('x', '1.0.0'), install('y', '1.0.0')]
  expect(steps(objects)).toEqual(['create x 1.0.0 as x.example.com.1.0.0, pass 1, of y for y 1.0.0', 'unresolvable: a'])
})

describe('alternatives', () => {
  const objects = [
    packageWith('a', '1.0.0', { dependencies: [{ or: [needs('b'), needs('c', '>=2.0.0')] }] }),
    packageOfCarvel('b', '1.0.0'),
    packageOfCarvel('c', '1.0.0'),
    packageOfCarvel('c', '2.0.0'),
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
    expect(steps([...objects, ...others, packageOfCarvel('x', '1.0.0'), install('b', '1.0.0', 'gone')])).toEqual([
      'update b 1.0.0 as b-made, pass 1, of a for a 1.0.0, z 1.0.0',
    ])
  })
})

describe('kinds', () => {
  const wants = packageWith('a', '1.0.0', { dependencies: [{ gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }] })
  const provider = (name: string, version: string) => packageWith(name, version, { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] })
  const objects = [wants, provider('b', '1.0.0'), provider('b', '2.0.0'), packageOfCarvel('b', '3.0.0'), install('a', '1.0.0')]

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
