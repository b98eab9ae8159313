import { expect, test } from 'vitest'
import { objectOf } from '../crossplane/testing/objects.ts'
import type { Package } from '../package-index.ts'
import { packageTable } from '../package-index.ts'
import type { ProvidedKind } from './ecosystem.ts'
import { definedGroupKinds, definedKinds, definitionName, definitionsAmong, isBuiltInGroup, NO_KINDS, servedKinds } from './served-kinds.ts'

const definition = (spec: object, name = 'sites.x.io') =>
  objectOf({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name }, spec })
const SITES = definition({
  group: 'x.io',
  names: { kind: 'Site' },
  claimNames: { kind: 'Claim' },
  versions: [{ name: 'v1' }, { name: 'v2', served: true }, { name: 'v3', served: false }],
})

test.each([
  ['', true],
  ['apps', true],
  ['batch', true],
  ['policy', true],
  ['autoscaling', true],
  ['extensions', true],
  ['rbac.authorization.k8s.io', true],
  ['networking.k8s.io', true],
  ['storage.k8s.io', true],
  ['apiextensions.k8s.io', true],
  ['admissionregistration.k8s.io', true],
  ['apiregistration.k8s.io', true],
  ['authentication.k8s.io', true],
  ['authorization.k8s.io', true],
  ['certificates.k8s.io', true],
  ['coordination.k8s.io', true],
  ['discovery.k8s.io', true],
  ['events.k8s.io', true],
  ['flowcontrol.apiserver.k8s.io', true],
  ['node.k8s.io', true],
  ['resource.k8s.io', true],
  ['scheduling.k8s.io', true],
  ['gateway.networking.k8s.io', false],
  ['x.io', false],
])('every API server serves the group %j itself: %s', (group, expected) => {
  expect(isBuiltInGroup(group)).toBe(expected)
})

test('a definition defines its kind and its claim, in each version that is served', () => {
  expect(definedKinds(SITES).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
    'x.io/v1 Site',
    'x.io/v1 Claim',
    'x.io/v2 Site',
    'x.io/v2 Claim',
  ])
  expect(definedKinds(definition({ group: 'x.io', names: { kind: 'Site' } }))).toEqual([])
  expect([...definedGroupKinds([SITES])]).toEqual(['x.io Site', 'x.io Claim'])
})

test('definitions are found by their group and kind, and named as packages bring them', () => {
  const other = objectOf({ apiVersion: 'x.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'a' } })
  expect(definitionsAmong([other, SITES], [{ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }])).toEqual([SITES])
  expect([definitionName(SITES), definitionName(objectOf({ apiVersion: 'v1', kind: 'A' }))]).toEqual([
    'CustomResourceDefinition sites.x.io',
    undefined,
  ])
})

const table = packageTable()
const packageOf = (key: string): Package => table.package({ key, id: key, name: key, versions: () => [], requirements: () => undefined })
const provided = (by: string, more: Partial<ProvidedKind> = {}): ProvidedKind => ({
  apiVersion: 'p.io/v1',
  kind: 'Made',
  by,
  version: 'v1',
  installed: false,
  place: () => ({ ref: { apiVersion: '', kind: '', name: '' }, path: [], isOwnReading: false }),
  packageFor: () => packageOf(by),
  ...more,
})
const made = { apiVersion: 'p.io/v1', kind: 'Made' }

test('a kind is served by the API server, the user, a definition, or an installed package', () => {
  const kinds = servedKinds([SITES], [{ apiVersion: 'api.io/v1', kind: 'Mine' }], [provided('a')])
  const served = [
    { apiVersion: 'apps/v9', kind: 'Any' },
    { apiVersion: 'v1', kind: 'Any' },
    { apiVersion: 'api.io/v1', kind: 'Mine' },
    { apiVersion: 'x.io/v2', kind: 'Claim' },
    { definition: 'sites.x.io' },
  ]
  for (const wanted of served) expect([kinds.servesAnyway(wanted), kinds.serves(wanted)]).toEqual([true, true])
  const others = [
    { apiVersion: 'api.io/v2', kind: 'Mine' },
    { apiVersion: 'x.io/v3', kind: 'Site' },
    { apiVersion: 'x.io/v1', kind: 'Other' },
    { definition: 'others.x.io' },
    made,
  ]
  for (const wanted of others) expect([kinds.servesAnyway(wanted), kinds.serves(wanted)]).toEqual([false, false])
  const installed = servedKinds([], [], [provided('a', { installed: true })])
  expect([installed.servesAnyway(made), installed.serves(made)]).toEqual([false, true])
})

test('the providers of a kind are sorted by name, each once, and none provides a definition', () => {
  const kinds = servedKinds([], [], [provided('b'), provided('a'), provided('b'), provided('c', { kind: 'Other' })])
  expect(kinds.providersOf(made).map(({ by }) => by)).toEqual(['a', 'b'])
  expect([kinds.providersOf({ definition: 'a' }), kinds.packagesOf({ definition: 'a' }, undefined).size]).toEqual([[], 0])
  expect(kinds.providersOf(made)).toBe(kinds.providersOf(made))
})

test('the packages that provide a kind have the versions that do, and depend on the scope of the requirer', () => {
  const [one, two] = [packageOf('one'), packageOf('two')]
  const scoped = (scope: string): Package =>
    table.package({ key: `r ${scope}`, id: 'r', name: 'r', scope, versions: () => [], requirements: () => undefined })
  const kinds = servedKinds(
    [],
    [],
    [
      provided('a v1', { packageFor: () => one }),
      provided('a v2', { packageFor: () => one, version: 'v2' }),
      provided('b v1', { packageFor: (requirer) => (requirer?.scope === 'eu' ? two : undefined) }),
    ],
  )
  expect([...kinds.packagesOf(made, undefined)]).toEqual([[one, new Set(['v1', 'v2'])]])
  expect([...kinds.packagesOf(made, scoped('eu')).keys()]).toEqual([one, two])
  expect([...kinds.packagesOf(made, scoped('us')).keys()]).toEqual([one])
})

test('an ecosystem that requires no kinds takes each for served', () => {
  expect([
    NO_KINDS.serves(made),
    NO_KINDS.servesAnyway(made),
    NO_KINDS.providersOf(made),
    NO_KINDS.packagesOf(made, undefined).size,
  ]).toEqual([true, true, [], 0])
})
