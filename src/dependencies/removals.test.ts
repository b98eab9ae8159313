import { expect, test } from 'vitest'
import { planOn } from '../../testdata/conformance-runner/dependencies/plans.ts'
import { install, needs, packageOfCarvel, packageWith } from './plan/testing/carvel-plans.ts'
import { brokenByRemoval, leftByRemoval, leftFindings, removedInstalls, removedOwners } from './removals.ts'

/** Returns what the removal of some objects breaks and leaves. */
function removal(all: readonly object[], ...gone: readonly object[]) {
  const [before, after] = [planOn(all).readings, planOn(all.filter((each) => !gone.includes(each))).readings]
  const removed = removedInstalls(before.indexes, after.indexes)
  const plain = (message: string) => message.replaceAll('.example.com', '').replaceAll(/ \(object-[^()]*\)/g, '')
  return {
    removed: [...removedOwners(removed)],
    broken: brokenByRemoval(removed, after).map(
      ({ rule, message, tags }) => `${rule}: ${plain(message)}; ${plain(tags.dependency ?? '')} ${tags.installed}`,
    ),
    left: leftFindings(leftByRemoval(removed, after)).map(({ rule, message }) => `${rule}: ${plain(message)}`),
  }
}

const A = [packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), install('a', '1.0.0')] as const
const B = [packageOfCarvel('b', '1.0.0'), packageOfCarvel('b', '2.0.0')] as const
const b = install('b', '1.0.0')

test('nothing is broken or left when nothing is removed', () => {
  expect(removal([...A, ...B, b])).toEqual({ removed: [], broken: [], left: [] })
})

test('the removal of what a package requires breaks the package', () => {
  expect(removal([...A, ...B, b], b)).toEqual({
    removed: ['default/b'],
    broken: ['removal-breaks: a 1.0.0 requires b ">=1.0.0", and PackageInstall default/b, which installed it, is removed; b 1.0.0'],
    left: [],
  })
})

test('it breaks nothing where another install meets the requirement, or the removed one did not', () => {
  const other = install('b', '2.0.0', undefined, 'other')
  expect(removal([...A, ...B, b, other], b).broken).toEqual([])
  const wants = [packageOfCarvel('a', '1.0.0', 'b >=2.0.0'), install('a', '1.0.0')]
  expect(removal([...wants, ...B, b], b).broken).toEqual([])
  const either = [
    packageWith('a', '1.0.0', { dependencies: [{ or: [needs('c'), needs('b')] }] }),
    packageOfCarvel('c', '1.0.0'),
    install('a', '1.0.0'),
    install('c', '1.0.0'),
  ]
  expect(removal([...either, ...B, b], b).broken).toEqual([])
})

test('of alternatives, the one that was installed is named', () => {
  const either = [packageWith('a', '1.0.0', { dependencies: [{ or: [needs('c'), needs('b')] }] }), install('a', '1.0.0')]
  expect(removal([...either, ...B, b], b).broken[0]).toContain('a 1.0.0 requires b ">=1.0.0", and')
})

test('the removal of the provider of a kind breaks what requires the kind', () => {
  const site = { gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }
  const provider = packageWith('b', '1.0.0', { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] })
  const wants = [packageWith('a', '1.0.0', { dependencies: [site] }), install('a', '1.0.0')]
  expect(removal([...wants, provider, b], b).broken[0]).toMatch(
    /^removal-breaks: a 1\.0\.0 requires .*Site.*, and PackageInstall default\/b/,
  )
  const other = packageWith('c', '1.0.0', { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] })
  expect(removal([...wants, provider, b, other, install('c', '1.0.0')], b).broken).toEqual([])
  expect(removal([...wants, provider, packageOfCarvel('b', '2.0.0'), install('b', '2.0.0', undefined, 'b2'), b], b).broken).toHaveLength(1)
})

const MADE = [packageOfCarvel('b', '1.0.0', 'c >=1.0.0'), packageOfCarvel('c', '1.0.0')] as const
const madeFor = (owner: string) => install('b', '1.0.0', owner)
const deeper = install('c', '1.0.0', 'b-made')

test('what was installed for a removed install is left, and what was installed for that', () => {
  const [made, below, ...others] = removal([...A, ...MADE, madeFor('a'), deeper], A[1]).left
  expect(made).toContain(
    'removal-leaves: PackageInstall default/b-made was installed for PackageInstall default/a, which is removed; it stays: ',
  )
  expect(made).toContain('nothing else requires it, but PackageInstall a, for which it was installed, is not here')
  expect([below, others]).toEqual([
    'removal-leaves: PackageInstall default/c-made was installed for PackageInstall default/a, which is removed; it stays: b 1.0.0 requires it',
    [],
  ])
})

test('what a person installed, or what was made for another one, is not left', () => {
  expect(removal([...A, ...MADE, b, install('c', '1.0.0')], A[1]).left).toEqual([])
  expect(removal([...A, ...MADE, madeFor('other')], A[1]).left).toEqual([])
})

/** Returns the objects in another namespace. */
const inOther = (...objects: readonly object[]) =>
  objects.map((each) => ({ ...each, metadata: { ...Reflect.get(each, 'metadata'), namespace: 'other' } }))

test.each([
  { reason: 'what was made in the namespace of the removed install is left', all: [...MADE, madeFor('a')], left: ['default/b-made'] },
  {
    reason: 'what was made in another namespace, for an install of that name there, is not left',
    all: inOther(...A, ...MADE, madeFor('a')),
    left: [],
  },
  {
    reason: 'what was made in another namespace without an install of that name is not left',
    all: inOther(...MADE, madeFor('a')),
    left: [],
  },
  {
    reason: 'what was made for a left install is in the namespace of that install',
    all: [...MADE, madeFor('a'), ...inOther(...MADE, madeFor('z'), deeper)],
    left: ['default/b-made'],
  },
])('$reason', ({ all, left }) => {
  const found = removal([...A, ...all], A[1]).left
  expect(found.map((message) => /PackageInstall (\S+) was/.exec(message)?.[1])).toEqual(left)
})

test('what another package requires stays, and keeps what it needs', () => {
  const z = [packageOfCarvel('z', '1.0.0', 'b >=1.0.0'), install('z', '1.0.0')]
  expect(removal([...A, ...MADE, madeFor('a'), deeper, ...z], A[1]).left).toEqual([
    'removal-leaves: PackageInstall default/b-made was installed for PackageInstall default/a, which is removed; it stays: z 1.0.0 requires it',
    'removal-leaves: PackageInstall default/c-made was installed for PackageInstall default/a, which is removed; it stays: b 1.0.0 requires it',
  ])
})
