import { expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import type { ResolveOptions } from '../resolve-objects.ts'
import { failureFindings, generatedFindings, plannedCycles } from './plan-findings.ts'
import { CHAIN, install, needs, packageOfCarvel, packageWith, REQUIRES } from './testing/carvel-plans.ts'

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
    packageOfCarvel('a', '1.0.0', 'b >=1.0.0'),
    packageOfCarvel('z', '1.0.0', 'b >=1.0.0'),
    packageOfCarvel('y', '1.0.0', 'b >=2.0.0'),
    packageOfCarvel('b', '1.0.0'),
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
  const packages = [packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0', 'a >=1.0.0')]
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

test('a cycle beside a plan is not of the plan', () => {
  const objects = [
    packageOfCarvel('a', '1.0.0', 'b >=1.0.0'),
    packageOfCarvel('b', '1.0.0', 'a >=1.0.0'),
    packageOfCarvel('z', '1.0.0', 'c >=1.0.0'),
    packageOfCarvel('c', '1.0.0'),
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
    packageOfCarvel('z', '1.0.0', 'c >=1.0.0'),
    packageOfCarvel('c', '1.0.0'),
    install('z', '1.0.0'),
    install('c', '1.0.0', 'gone'),
    packageOfCarvel('y', '1.0.0', 'x >=1.0.0'),
    packageOfCarvel('x', '1.0.0'),
    install('y', '1.0.0'),
  ]
  const messages = failures(objects).flatMap(({ rule, message }) => (rule === 'resolution' ? [message.replace(/,? which .*/, '')] : []))
  expect(messages).toEqual(['x.example.com 1.0.0 would be installed as x.example.com.1.0.0', 'c.example.com 1.0.0 would belong to z'])
})

test.each<[string, readonly object[], readonly object[], string]>([
  [
    'the versions that are known',
    [needs('b', '>=4.0.0')],
    [packageOfCarvel('b', '1.0.0'), packageOfCarvel('b', '2.0.0')],
    'of which 2.0.0 and 1.0.0 are known',
  ],
  ['the only version', [needs('b', '>=4.0.0')], [packageOfCarvel('b', '1.0.0')], 'of which 1.0.0 is known'],
  [
    'the nearest name',
    [needs('bananas')],
    [packageOfCarvel('banana', '1.0.0')],
    "of which no version is known (did you mean 'banana.example.com'?)",
  ],
  ['no near name', [needs('bananas')], [], 'of which no version is known'],
  [
    'each alternative',
    [{ or: [needs('no-such-thing', '>=4.0.0'), needs('b', '>=3.0.0'), { gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }] }],
    [packageOfCarvel('b', '1.0.0')],
    '(of no-such-thing.example.com no version is known; of b.example.com 1.0.0 is known; no known package provides x.io/v1 Site)',
  ],
  [
    'a kind that no package provides',
    [{ gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }],
    [packageOfCarvel('b', '1.0.0')],
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
  const objects = [...REQUIRES('>=1.0.0'), packageOfCarvel('z', '1.0.0', 'b >=1.0.0'), install('z', '1.0.0')]
  const messages = failures(objects, { maxSteps: 1 }).flatMap(({ rule, message }) => (rule === 'resolution-exceeded' ? [message] : []))
  expect(messages).toEqual([
    expect.stringMatching(/^no versions were found in 1 steps that meet what \S+ and \S+ require; `maxSteps` limits the search$/),
  ])
})
