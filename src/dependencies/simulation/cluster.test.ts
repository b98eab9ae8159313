import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { appliedObjects } from '../../resource-list/applied-objects.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { formatPlace } from '../finding.ts'
import { placeIn } from '../reading/field.ts'
import {
  applyChange,
  collectOrphans,
  dropReplaced,
  fetchManifests,
  findMissingObject,
  giveUids,
  keepTexts,
  noteMade,
  ownersOutside,
  unknownSpecFields,
} from './cluster.ts'

const CROSSPLANE = 'pkg.crossplane.io/v1'
const GLASSKUBE = 'packages.glasskube.dev/v1alpha1'

function objectOf(value: object, path = 'all.yaml'): KrmObject {
  return KrmObject.fromDocument(JSON.stringify(value, null, 1), { path, index: 0, line: 1 })
}

function provider(name: string, spec: JsonRecord = { package: `xpkg.example.org/${name}:v1` }, metadata: object = {}, path = 'all.yaml') {
  return objectOf({ apiVersion: CROSSPLANE, kind: 'Provider', metadata: { name, ...metadata }, spec }, path)
}

const listOf = (...objects: readonly KrmObject[]) => ResourceList.of(objects)
const jsonOf = ({ items }: ResourceList) => items.map((item) => item.toJson())

test('packages and revisions of Crossplane get a uid if they have none; other objects get none', () => {
  const named = objectOf({ apiVersion: GLASSKUBE, kind: 'ClusterPackage', metadata: { name: 'c' } })
  const list = listOf(provider('a'), provider('b', {}, { uid: 'own' }), named)
  giveUids(list)
  expect(list.items.map((item) => item.get(['metadata', 'uid']))).toEqual(['Provider a', 'own', undefined])
})

/** The text of a Provider whose `spec.package` is on line 6. */
const WRITTEN = 'apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: a\nspec:\n  package: p:v1\n'

/** Returns the places of fields of the first object of a list. */
function placesIn({ items: [item] }: ResourceList, ...paths: readonly (readonly string[])[]): readonly string[] {
  return item === undefined ? [] : paths.map((path) => formatPlace(placeIn(item, path)))
}

test('the entries of a List are objects of their own, with the places of the entries', () => {
  const text = `kind: List\napiVersion: v1\nitems:\n- ${WRITTEN.trimEnd().replaceAll('\n', '\n  ')}\n`
  const whole = KrmObject.fromDocument(text, { path: 'a.yaml', index: 0, line: 1 })
  for (const objects of [[whole], appliedObjects(whole)]) {
    const list = listOf(...objects, provider('b'))
    keepTexts(list)
    giveUids(list)
    const entry = list.items.find(({ name }) => name === 'a')
    expect(list.items).toHaveLength(2)
    expect(entry?.get(['metadata', 'uid'])).toBe('Provider a')
    expect(entry && formatPlace(placeIn(entry, ['spec', 'package']))).toBe('a.yaml:9')
    expect(whole.toText()).toBe(text)
  }
})

test('places stay those of the file when an object gets lines, and a field of a change has the line of the change', () => {
  const list = listOf(KrmObject.fromDocument(WRITTEN, { path: 'a.yaml', index: 0, line: 11 }))
  const fields = [
    ['metadata', 'name'],
    ['spec', 'package'],
    ['spec', 'runtimeConfigRef', 'name'],
    ['spec', 'revisionHistoryLimit'],
  ]
  keepTexts(list)
  giveUids(list)
  expect(placesIn(list, ...fields)).toEqual(['a.yaml:14', 'a.yaml:16', 'a.yaml:15', 'a.yaml:15'])
  const change = WRITTEN.replace('package: p:v1', 'runtimeConfigRef:\n    name: r')
  const undo = applyChange(list, KrmObject.fromDocument(change, { path: 'change.yaml', index: 0, line: 1 }), 'change.yaml')
  expect(placesIn(list, ...fields)).toEqual(['a.yaml:14', 'a.yaml:16', 'change.yaml:7', 'a.yaml:15'])
  undo()
  expect(placesIn(list, ...fields)).toEqual(['a.yaml:14', 'a.yaml:16', 'a.yaml:15', 'a.yaml:15'])
})

test('an object that a change deleted has the places of its file again when the deletion is refused', () => {
  const list = listOf(KrmObject.fromDocument(WRITTEN, { path: 'a.yaml', index: 0, line: 11 }))
  keepTexts(list)
  applyChange(list, provider('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'change.yaml')()
  expect(placesIn(list, ['spec', 'package'])).toEqual(['a.yaml:16'])
})

test('an object that a change adds has the lines of the change, and one that a controller makes has none', () => {
  const list = listOf()
  applyChange(list, KrmObject.fromDocument(WRITTEN, { path: 'change.yaml', index: 1, line: 21 }), 'change.yaml')
  noteMade(list)
  expect(placesIn(list, ['spec', 'package'])).toEqual(['change.yaml:26'])
  const made = listOf(provider('b', undefined, {}, 'dependencies.yaml'))
  noteMade(made)
  expect(placesIn(made, ['spec', 'package'])).toEqual(['dependencies.yaml spec.package'])
})

test('a change is merged into its object as RFC 7386 says, and what is not named stays', () => {
  const list = listOf(provider('a', { package: 'p:v1', skipDependencyResolution: true, packagePullSecrets: [{ name: 's' }] }))
  const change = { package: 'p:v2', skipDependencyResolution: null, packagePullSecrets: [], runtimeConfigRef: { name: 'r' } }
  applyChange(list, provider('a', change), 'change.yaml')
  expect(list.items.map((item) => item.get(['spec']))).toEqual([
    { package: 'p:v2', packagePullSecrets: [], runtimeConfigRef: { name: 'r' } },
  ])
})

test('a map of a change replaces what is no map', () => {
  const list = listOf(provider('a', { package: 'text' }))
  applyChange(list, provider('a', { package: { image: 'p' } }), 'change.yaml')
  expect(list.items[0]?.get(['spec', 'package'])).toEqual({ image: 'p' })
})

test('a change of spec raises the generation, and a change of other fields does not', () => {
  const generationAfter = (change: KrmObject, metadata: object) => {
    const list = listOf(provider('a', { package: 'p:v1' }, metadata))
    applyChange(list, change, 'change.yaml')
    return list.items[0]?.get(['metadata', 'generation'])
  }
  expect(generationAfter(provider('a', { package: 'p:v2' }), { generation: 4 })).toBe(5)
  expect(generationAfter(provider('a', { package: 'p:v2' }), {})).toBe(2)
  expect(generationAfter(provider('a', { package: 'p:v1' }, { labels: { x: 'y' } }), { generation: 4 })).toBe(4)
})

test('a change of an object that is not there adds the object to the file of the change', () => {
  const list = listOf(provider('a'))
  applyChange(list, provider('b'), 'change.yaml')
  expect(list.items.map(({ name, file }) => [name, file?.path])).toEqual([
    ['a', 'all.yaml'],
    ['b', 'change.yaml'],
  ])
})

test('another apiVersion of the group is the same object', () => {
  const list = listOf(provider('a'))
  const beta = { apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Provider', metadata: { name: 'a' }, spec: { package: 'p:v2' } }
  applyChange(list, objectOf(beta), 'change.yaml')
  expect(list.items.map((item) => item.get(['spec', 'package']))).toEqual(['p:v2'])
})

test.each([
  ['an addition', provider('b')],
  ['a patch', provider('a', { package: 'p:v2' }, { labels: { x: 'y' } })],
  ['a deletion', provider('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
])('%s can be undone', (_, change) => {
  const list = listOf(provider('a'))
  const before = jsonOf(list)
  const undo = applyChange(list, change, 'change.yaml')
  expect(jsonOf(list)).not.toEqual(before)
  undo()
  expect(jsonOf(list)).toEqual(before)
  expect(list.items.map(({ file }) => file?.path)).toEqual(['all.yaml'])
})

test('a change with a deletionTimestamp removes the object', () => {
  const list = listOf(provider('a'), provider('b'))
  applyChange(list, provider('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'change.yaml')
  expect(list.items.map(({ name }) => name)).toEqual(['b'])
})

test('of two package objects with one name the later one stays, with a finding that names both', () => {
  const other = objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
  const list = listOf(provider('a', {}, {}, 'one.yaml'), other, provider('b'), provider('a', { package: 'p:v2' }, {}, 'two.yaml'), other)
  const found = dropReplaced(list)
  expect(list.items.map(({ kind, name, file }) => [kind, name, file?.path])).toEqual([
    ['ConfigMap', 'a', 'all.yaml'],
    ['Provider', 'b', 'all.yaml'],
    ['Provider', 'a', 'two.yaml'],
    ['ConfigMap', 'a', 'all.yaml'],
  ])
  expect(found.map(({ rule, message, place }) => [rule, message, place.file?.path, place.path, place.currentValue])).toEqual([
    [
      'controllers-fight',
      'one.yaml:5 and two.yaml:5 both write Provider a, which is one object in a cluster: the later one is simulated',
      'two.yaml',
      ['metadata', 'name'],
      'a',
    ],
  ])
})

const owned = (name: string, ...owners: readonly string[]) =>
  objectOf({
    apiVersion: CROSSPLANE,
    kind: 'ProviderRevision',
    metadata: { name, ownerReferences: owners.map((owner) => ({ apiVersion: CROSSPLANE, kind: 'Provider', name: owner, uid: owner })) },
  })

test('an object goes when all of its owners are gone, and not when one stays or may be outside of the list', () => {
  const objects = [
    provider('a'),
    owned('a-1', 'a'),
    owned('ab-1', 'a', 'gone'),
    owned('g-1', 'gone'),
    owned('o-1', 'elsewhere'),
    owned('free'),
  ]
  const list = listOf(...objects)
  expect(collectOrphans(list, new Set(['Provider elsewhere'])).map(({ name }) => name)).toEqual(['g-1'])
  expect(list.items.map(({ name }) => name)).toEqual(['a', 'a-1', 'ab-1', 'o-1', 'free'])
})

test('the owners that the list lacks from the start are outside of it', () => {
  expect([...ownersOutside(listOf(provider('a'), owned('x', 'a', 'b'), owned('y', 'c')))]).toEqual(['Provider b', 'Provider c'])
})

test('a PackageInfo becomes ready where its manifest is known, once', () => {
  const infoOf = (name: string, version: string, status: object = {}) =>
    objectOf({ apiVersion: GLASSKUBE, kind: 'PackageInfo', metadata: { name: `${name}-info` }, spec: { name, version }, status })
  const list = listOf(
    infoOf('a', 'v1'),
    infoOf('b', 'v1'),
    infoOf('c', 'v1', { conditions: [] }),
    provider('d', { name: 'a', version: 'v1' }),
  )
  const fetched = fetchManifests(list, (name, version) => name !== 'b' && version === 'v1')
  expect(fetched.map((object) => [object.name, object.get(['status'])])).toEqual([
    ['a-info', { conditions: [{ type: 'Ready', status: 'True' }], version: 'v1' }],
  ])
})

test('a field that spec of a kind does not have is an error with the nearest one; a kind that is not known has none', () => {
  const found = unknownSpecFields(provider('a', { package: 'p:v1', packagePullPolice: 'Always', zone: 'eu' }))
  expect(found.map(({ severity, field, message, tags }) => [severity, field?.path.join('.'), tags.rule, message])).toEqual([
    [
      'error',
      'spec.packagePullPolice',
      'unknown-field',
      expect.stringMatching(/is not a field of spec of a Provider; did you mean 'packagePullPolicy'\?$/),
    ],
    ['error', 'spec.zone', 'unknown-field', expect.stringMatching(/its fields are 'commonAnnotations', .* 'runtimeConfigRef'$/)],
  ])
  expect(unknownSpecFields(objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, spec: { zone: 'eu' } }))).toEqual([])
  expect(unknownSpecFields(objectOf({ apiVersion: CROSSPLANE, kind: 'Provider', metadata: { name: 'a' } }))).toEqual([])
})

test.each([
  ['Configuration', CROSSPLANE, 'ignoreCrossplaneConstraints', 'runtimeConfigRef'],
  ['Function', CROSSPLANE, 'runtimeConfigRef', 'suspend'],
  ['ClusterPackage', GLASSKUBE, 'suspend', 'package'],
  ['Package', GLASSKUBE, 'values', 'package'],
  ['PackageInstall', 'packaging.carvel.dev/v1alpha1', 'dependencies', 'package'],
])('spec of a %s of %s has %s and no %s', (kind, apiVersion, known, unknown) => {
  const object = objectOf({ apiVersion, kind, metadata: { name: 'a' }, spec: { [known]: 1, [unknown]: 1 } })
  expect(unknownSpecFields(object).map(({ field }) => field?.path)).toEqual([['spec', unknown]])
})

/** Returns the message about a change that names an object which is missing. */
const missing = (change: KrmObject, ...objects: readonly KrmObject[]) => findMissingObject(listOf(...objects), change)?.message

test('a deletion of an object that is not there is a fault with the nearest name, or all names', () => {
  const gone = provider('helmm', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })
  expect(missing(gone, provider('helm'), provider('aws'))).toBe(
    "no Provider is named 'helmm', so none can be deleted; did you mean 'helm'?",
  )
  expect(missing(gone, provider('aws'))).toBe("no Provider is named 'helmm', so none can be deleted; there are 'aws'")
  expect(missing(gone)).toBe("no Provider is named 'helmm', so none can be deleted")
  expect(missing(gone, provider('helmm'))).toBeUndefined()
})

test('a part of an object that is not there is a fault; a whole object is added', () => {
  const part = provider('a', { revisionHistoryLimit: 3 }, { namespace: 'team' })
  expect(missing(part, objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } }))).toBe(
    "no Provider is named 'a' in namespace 'team'; a new one must set 'spec.package'",
  )
  expect(missing(provider('a'))).toBeUndefined()
  expect(missing(objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } }))).toBeUndefined()
  const found = findMissingObject(listOf(), part)
  expect([found?.rule, found?.place.path, found?.place.currentValue]).toEqual(['object-not-found', ['metadata', 'name'], 'a'])
})

test('a new package of Glasskube must name its package, not only a version', () => {
  const packageOf = (packageInfo: unknown) =>
    objectOf({ apiVersion: GLASSKUBE, kind: 'ClusterPackage', metadata: { name: 'a' }, spec: { packageInfo } })
  expect([missing(packageOf({ version: 'v1' })), missing(packageOf('a'))]).toEqual(
    Array(2).fill("no ClusterPackage is named 'a'; a new one must set 'spec.packageInfo'"),
  )
  expect(missing(packageOf({ name: 'a' }))).toBeUndefined()
})
