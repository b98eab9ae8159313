import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { EVERYTHING } from '../kubernetes/label-selector.ts'
import { formatResult } from '../result.ts'
import { criteriaKind, otherVersions, packageKey, readFleet } from './fleet.ts'
import { repository, resourceListOf, revision } from './testing/fleet-of-objects.ts'

function object(apiVersion: string, kind: string, name: string, metadata: JsonRecord = {}): JsonRecord {
  return { apiVersion, kind, metadata: { name, ...metadata } }
}

const fleetOf = (...objects: readonly JsonRecord[]) => readFleet(resourceListOf(objects).items)
const site = (name: string, metadata: JsonRecord = {}, version = 'v1') => object(`x.org/${version}`, 'Site', name, metadata)
const namesOf = (objects: readonly { readonly name: string; readonly namespace: string }[]) =>
  objects.map(({ name, namespace }) => `${namespace}/${name}`)

/** Returns a CustomResourceDefinition of Sites. */
function definition(versions: readonly (readonly [name: string, served: boolean])[], scope = 'Namespaced'): JsonRecord {
  return {
    ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'sites.x.org'),
    spec: {
      ...{ group: 'x.org', names: { kind: 'Site', plural: 'sites' }, scope },
      versions: versions.map(([name, served]) => ({ name, served, storage: name === 'v1' })),
    },
  }
}

test('the objects of a kind are of all versions and namespaces, sorted by name and then by namespace', () => {
  const fleet = fleetOf(site('c'), site('a', { namespace: 'z' }), site('a', { namespace: 'b' }, 'v2'), object('y.org/v1', 'Site', 'b'))
  expect(namesOf(fleet.allOf('x.org', 'Site'))).toEqual(['b/a', 'z/a', 'default/c'])
  expect(namesOf(fleet.allOf('x.org', 'Area'))).toEqual([])
})

test('without a definition an object has the version in its apiVersion, with one every version that is served', () => {
  const objects = [site('a'), site('b', {}, 'v2')]
  expect(namesOf(fleetOf(...objects).ofVersion('x.org/v1', 'Site'))).toEqual(['default/a'])
  const fleet = fleetOf(
    ...objects,
    definition([
      ['v1', true],
      ['v2', true],
      ['v3', false],
    ]),
  )
  expect(namesOf(fleet.ofVersion('x.org/v1', 'Site'))).toEqual(['default/a', 'default/b'])
  expect(namesOf(fleet.ofVersion('x.org/v3', 'Site'))).toEqual([])
})

test('the objects of a namespace are its own, of two with one name the first in the list', () => {
  const fleet = fleetOf(
    site('b', { labels: { at: 'first' } }),
    site('a'),
    site('b', { labels: { at: 'second' } }),
    site('c', { namespace: 'n' }),
  )
  const found = fleet.objectsOf('x.org/v1', 'Site', 'default')
  expect(namesOf(found.all)).toEqual(['default/a', 'default/b'])
  expect(found.all[1]?.labels.get('at')).toBe('first')
  expect(namesOf(fleet.objectsOf('x.org/v1', 'Site', 'n').all)).toEqual(['n/c'])
  expect(fleet.objectsOf('x.org/v1', 'Site', 'default')).toBe(found)
})

test('an object of a kind without namespaces is in every namespace', () => {
  const fleet = fleetOf(site('a', { namespace: 'n' }), definition([['v1', true]], 'Cluster'))
  expect(namesOf(fleet.objectsOf('x.org/v1', 'Site', 'other').all)).toEqual(['/a'])
})

test('an injection point of a package is a placeholder and no object', () => {
  const point = { annotations: { 'kpt.dev/config-injection': 'required' } }
  const fleet = fleetOf(site('a'), site('b', point), site('c', { ...point, namespace: 'n' }))
  expect(namesOf(fleet.objectsOf('x.org/v1', 'Site', 'default').all)).toEqual(['default/a'])
  expect(namesOf(fleet.placeholdersOf('x.org/v1', 'Site', 'default').all)).toEqual(['default/b'])
  expect(namesOf(fleet.allOf('x.org', 'Site'))).toHaveLength(3)
})

test('the Repositories of a namespace are found by name, sorted by name', () => {
  const elsewhere = { ...repository('z'), metadata: { name: 'z', namespace: 'n' } }
  const fleet = fleetOf(repository('b'), repository('a'), elsewhere, object('other/v1', 'Repository', 'c'))
  expect([...fleet.repositories('default').keys()]).toEqual(['a', 'b'])
  expect([...fleet.repositories('n').keys()]).toEqual(['z'])
})

test('the PackageRevisions are found by namespace, repository and package', () => {
  const { revisions } = fleetOf(revision('r', 'b', 2), revision('r', 'a', 1), revision('r', 'b', 1))
  expect(namesOf(revisions().get(packageKey('default', 'r', 'b')) ?? [])).toEqual(['default/r-b-1', 'default/r-b-2'])
  expect(revisions().get(packageKey('other', 'r', 'b'))).toBeUndefined()
  expect(revisions().size).toBe(2)
  expect(packageKey('n', 7, undefined)).toBe('["n","7",""]')
})

test('a list holds a kind also if none of its objects has a name, and each kind is named once', () => {
  const fleet = fleetOf(site(''), site('a'), object('v1', 'ConfigMap', 'c'))
  expect([fleet.holds('x.org', 'Site'), fleet.holds('y.org', 'Site'), fleet.holds('', 'ConfigMap')]).toEqual([true, false, true])
  expect(fleetOf(site('')).holds('x.org', 'Site')).toBe(true)
  expect(fleet.kindNames()).toEqual(['Site', 'ConfigMap'])
  expect(namesOf(fleet.allOf('x.org', 'Site'))).toEqual(['default/a'])
})

test('the faults are those of the kinds that were looked up, each once: no name, a blank label, a duplicate key', () => {
  const fleet = fleetOf(site('', { labels: { a: null } }), site('fine'), object('v1', 'ConfigMap', ''))
  expect(fleet.faults()).toEqual([])
  fleet.allOf('x.org', 'Site')
  fleet.ofVersion('x.org/v1', 'Site')
  expect(fleet.faults().map((result) => formatResult(result).replace(/^\S+ /, ''))).toEqual([
    'error: `metadata.name` must be set [required]',
    "warning: `metadata.labels.a` must be a text, got nothing, which counts as absent; write '' for an empty text [blank-label]",
  ])
  fleet.allOf('', 'ConfigMap')
  expect(fleet.faults()).toHaveLength(3)
})

test('a name without quotes that is a number is a fault: no API server has the object, so it is no target', () => {
  const fleet = fleetOf({ apiVersion: 'x.org/v1', kind: 'Site', metadata: { name: 7 } }, site('8'))
  fleet.allOf('x.org', 'Site')
  expect(fleet.faults().map((result) => formatResult(result).replace(/^\S+ /, ''))).toEqual([
    'error: `metadata.name` must be a string, got the number 7; write "7" [wrong-type]',
  ])
})

test('a kind that the list has in other versions alone is described by their numbers', () => {
  const objects = [site('a', {}, 'v2'), site('b', {}, 'v2'), site('c', {}, 'v3')]
  const wanted = { apiVersion: 'x.org/v1', kind: 'Site' }
  expect(otherVersions(wanted, fleetOf(...objects))).toBe("it has 2 of 'x.org/v2', 1 of 'x.org/v3'")
  expect(otherVersions(wanted, fleetOf(...objects, site('d')))).toBeUndefined()
  expect(otherVersions(wanted, fleetOf(object('y.org/v2', 'Site', 'a')))).toBeUndefined()
})

test('a selector of objects selects the kind that it names, one of repositories those of Porch', () => {
  const criteria = { packageNames: [], selector: EVERYTHING }
  expect(criteriaKind({ ...criteria, type: 'objectSelector', apiVersion: 'x.org/v1', kind: 'Site' })).toMatchObject({
    ...{ apiVersion: 'x.org/v1', kind: 'Site' },
  })
  expect(criteriaKind({ ...criteria, type: 'repositorySelector' })).toEqual({
    ...{ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository' },
  })
})
