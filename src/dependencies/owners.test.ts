import { expect, test } from 'vitest'
import type { FieldPlace } from './finding.ts'
import { checkOwners, type EcosystemObject, type OwnedObject, resolveClaims } from './owners.ts'

function claims(packages: Readonly<Record<string, readonly string[]>>, controlling: readonly string[] = []) {
  return Object.entries(packages).flatMap(([claimant, objects]) =>
    objects.map((object) => ({ object, claimant, controls: controlling.includes(claimant) })),
  )
}

test.each([
  {
    reason: 'the winner takes all, the loser none (seed 003)',
    packages: { PB: ['CRD1', 'CRD2'], PA: ['CRD1', 'CRD2'] },
    winners: ['PA'],
    lost: [['PB', 'PA', 'CRD1', 'CRD2']],
  },
  {
    reason: 'who controls already comes first',
    packages: { PA: ['CRD1'], PB: ['CRD1'] },
    controlling: ['PB'],
    winners: ['PB'],
    lost: [['PA', 'PB', 'CRD1']],
  },
  {
    reason: 'a loser holds nothing against a third',
    packages: { PA: ['CRD1'], PB: ['CRD1', 'CRD2'], PC: ['CRD2'] },
    winners: ['PA', 'PC'],
    lost: [['PB', 'PA', 'CRD1']],
  },
  { reason: 'nothing in common', packages: { PA: ['CRD1'], PB: ['CRD2'] }, winners: ['PA', 'PB'], lost: [] },
])('$reason', ({ packages, controlling, winners, lost }) => {
  const resolved = resolveClaims(claims(packages, controlling))
  expect(resolved.winners).toEqual(winners)
  expect(resolved.conflicts.map(({ loser, winner, objects }) => [loser, winner, ...objects])).toEqual(lost)
})

test('the objects that a loser shares are sorted, with one conflict for each winner', () => {
  const { conflicts } = resolveClaims(claims({ PA: ['CRD2'], PB: ['CRD1', 'CRD3'], PC: ['CRD3', 'CRD2', 'CRD1', 'CRD1'] }))
  expect(conflicts).toEqual([
    { winner: 'PA', loser: 'PC', objects: ['CRD2'] },
    { winner: 'PB', loser: 'PC', objects: ['CRD1', 'CRD3'] },
  ])
})

const placeOf = (name: string): FieldPlace => ({ ref: { apiVersion: 'v1', kind: 'A', name }, path: ['spec'], isOwnReading: false })
const brings = (by: string, object: string, more: Partial<EcosystemObject> = {}): EcosystemObject => ({
  object,
  by: `${by} v1`,
  package: by,
  ecosystem: 'crossplane',
  place: placeOf(by),
  ...more,
})

/** Returns an object with owners, each as `KIND NAME`; a star behind the name makes the owner a controller. */
function owned(name: string, owners: readonly string[], object?: string): OwnedObject {
  const all = owners.map((text) => ({
    kind: text.split(' ')[0] ?? '',
    name: (text.split(' ')[1] ?? '').replace('*', ''),
    controller: text.endsWith('*'),
  }))
  const controllers = all.filter(({ controller }) => controller)
  return { object, ref: { apiVersion: 'v1', kind: 'A', name }, owners: all, controllers, place: placeOf(name) }
}

const found = (brought: readonly EcosystemObject[], objects: readonly OwnedObject[] = []) =>
  checkOwners(brought, objects).map(({ rule, message, place, tags }) => [rule, message, place.ref.name, tags])

test('two packages that bring one object are reported once, at the one that loses, with all shared objects', () => {
  expect(found([brings('b', 'CRD x'), brings('b', 'CRD y'), brings('a', 'CRD y'), brings('a', 'CRD x'), brings('c', 'CRD z')])).toEqual([
    [
      'owner-conflict',
      'b v1 brings CRD x and CRD y (A b spec), as a v1 does (A a spec): only one of them can be installed',
      'b',
      { ecosystem: 'crossplane', package: 'b', dependency: 'a' },
    ],
  ])
  expect(found([brings('a', 'CRD x'), brings('b', 'CRD y')])).toEqual([])
})

test('a package whose revision controls the object wins', () => {
  const both = [brings('a', 'CRD x', { revisionPrefix: 'a-' }), brings('b', 'CRD x', { revisionPrefix: 'b-' })]
  const loserIf = (holder: string) => found(both, [owned('x', [holder], 'CRD x')]).map(([, , name]) => name)
  expect(loserIf('ProviderRevision b-1*')).toEqual(['a'])
  expect(loserIf('ProviderRevision a-1*')).toEqual(['b'])
  expect(loserIf('ProviderRevision b-1')).toEqual(['b'])
})

test('an object that a revision of none of its packages controls is reported for each of them', () => {
  const held = (holder: string, revisionPrefix?: string) =>
    found([brings('a', 'CRD x', { ...(revisionPrefix !== undefined && { revisionPrefix }) })], [owned('x', [holder], 'CRD x')])
  const finding = [
    'owner-conflict',
    'a v1 brings CRD x (A a spec), which is already controlled by ProviderRevision other-1 (A x spec)',
    'a',
    { ecosystem: 'crossplane', package: 'a' },
  ]
  expect(held('ProviderRevision other-1*', 'a-')).toEqual([finding])
  expect(held('ProviderRevision other-1*')).toEqual([finding])
  expect(held('ProviderRevision a-1*', 'a-')).toEqual([])
  expect(held('ProviderRevision other-1', 'a-')).toEqual([])
  expect(held('Composition other-1*', 'a-')).toEqual([])
  expect(found([brings('a', 'CRD x', { revisionPrefix: 'a-' })], [owned('y', ['ProviderRevision other-1*'], 'CRD y')])).toEqual([])
})

test('an object has one controller at most', () => {
  expect(found([], [owned('x', ['P a*', 'P b', 'P c*']), owned('y', ['P a*', 'P b'])])).toEqual([
    ['owner-conflict', 'A x is controlled by P a and P c; one owner at most must be its controller', 'x', {}],
  ])
})

test('an object must not own itself, also through others', () => {
  expect(found([], [owned('y', ['A x']), owned('x', ['A y']), owned('z', ['A x', 'B gone'])])).toEqual([
    ['owner-cycle', 'A x must not own itself: A x (A x spec) -> A y (A y spec) -> A x', 'x', {}],
  ])
})
