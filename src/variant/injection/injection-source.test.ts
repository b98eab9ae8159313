import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { linesOf } from '../testing/written-package.ts'
import { NO_SOURCES, readSources } from './injection-source.ts'

function site(name: string, { namespace = '', apiVersion = 'example.org/v1', rest = 'spec: {}' } = {}): string {
  return `apiVersion: ${apiVersion}\nkind: Site\nmetadata: {name: ${name}${namespace === '' ? '' : `, namespace: ${namespace}`}}\n${rest}\n`
}

const ITEMS = [
  site('all'),
  site('team', { namespace: 'team' }),
  site('default', { namespace: 'default' }),
  site('later', { apiVersion: 'example.org/v2' }),
  site('group', { apiVersion: 'other.org/v1' }),
].map((text, index) => writtenObject(text, `s${index}.yaml`))

test.each([
  ['team', ['all', 'team']],
  ['default', ['all', 'default']],
  ['', ['all', 'default']],
  ['other', ['all']],
])('the candidates of the namespace "%s" have the group and version, and are in the namespace or in none', (namespace, names) => {
  const { all, named } = readSources(ITEMS).candidates('example.org/v1', 'Site', namespace)
  expect(all.map(({ name }) => name)).toEqual(names)
  for (const name of ['all', 'team', 'default', 'later', 'group'])
    expect(named(name).map((source) => source.name)).toEqual(names.includes(name) ? [name] : [])
})

test('an object that names the empty namespace is visible from every namespace', () => {
  const sources = readSources([writtenObject('apiVersion: v1\nkind: Site\nmetadata: {name: a, namespace: ""}\n')])
  expect(sources.candidates('v1', 'Site', 'team').all).toHaveLength(1)
})

test('a misspelt name has the nearest candidate', () => {
  const { nearest } = readSources(ITEMS).candidates('example.org/v1', 'Site', 'team')
  expect([nearest('teem'), nearest('later')]).toEqual(['team', undefined])
})

test('the sources of a kind are of any group, version and namespace', () => {
  expect(
    readSources(ITEMS)
      .ofKind('Site')
      .map(({ name }) => name),
  ).toEqual(['all', 'team', 'default', 'later', 'group'])
  expect(readSources(ITEMS).ofKind('Area')).toEqual([])
})

test.each([
  ['example.org/v1', 'Site', true],
  ['example.org/v3', 'Site', false],
  ['example.org/v1', 'Area', false],
  ['v1', 'Secret', true],
])('a cluster with the sources knows %s %s: %s', (apiVersion, kind, expected) => {
  expect(readSources(ITEMS).knows(apiVersion, kind)).toBe(expected)
})

test('a kind that a CustomResourceDefinition defines is known', () => {
  const definition = writtenObject(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: areas.example.org}
spec:
  group: example.org
  names: {kind: Area, plural: areas}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true}]
`)
  const sources = readSources([definition])
  expect([sources.knows('example.org/v1', 'Area'), sources.knows('example.org/v2', 'Area')]).toEqual([true, false])
})

const CONFIG = writtenObject(
  `apiVersion: v1
kind: InjectConfig
spec:
  sources:
  - apiVersion: example.org/v1
    kind: Site
    metadata: {name: own, namespace: team}
  - apiVersion: example.org/v1
    kind: Site
    metadata: {name: 7}
  - kind: Area
`,
  'config.yaml',
)

test('resources in a functionConfig follow those of the items, with their paths and places', () => {
  const sources = readSources(ITEMS.slice(0, 1), { object: CONFIG, path: ['spec', 'sources'] })
  const found = sources.ofKind('Site').map(({ name, namespace, apiVersion, path, object, place }) => ({
    ...{ name, namespace, apiVersion, path, place: place() },
    isOfConfig: object === CONFIG,
  }))
  const apiVersion = 'example.org/v1'
  expect(found).toEqual([
    { name: 'all', namespace: undefined, apiVersion, path: [], place: 's0.yaml:1', isOfConfig: false },
    ...[
      {
        name: 'own',
        namespace: 'team',
        apiVersion,
        path: ['spec', 'sources', 0],
        place: "the functionConfig's spec.sources[0]",
        isOfConfig: true,
      },
      {
        name: '',
        namespace: undefined,
        apiVersion,
        path: ['spec', 'sources', 1],
        place: "the functionConfig's spec.sources[1]",
        isOfConfig: true,
      },
    ],
  ])
  expect([sources.knows(apiVersion, 'Site'), sources.knows('', 'Area')]).toEqual([true, true])
  expect(sources.ofKind('Area').map((source) => source.apiVersion)).toEqual([''])
})

test('a functionConfig without the list has no resources', () => {
  const config = writtenObject('apiVersion: v1\nkind: InjectConfig\nspec: {sources: x}\n')
  for (const path of [
    ['spec', 'sources'],
    ['spec', 'none'],
  ])
    expect(readSources([], { object: config, path }).ofKind('Site')).toEqual([])
})

test('a source without a file is named by kind and name', () => {
  const sources = readSources([KrmObject.fromDocument(site('bare'))])
  expect(sources.ofKind('Site').map((source) => source.place())).toEqual(['Site bare'])
})

test('duplicate keys of each resource of the kind are faults of the candidates, also of those in another namespace', () => {
  const twice = [site('a', { rest: 'spec: {x: 1, x: 2}' }), site('b', { namespace: 'n', rest: 'spec: {y: 1, y: 2}' })]
  const { candidates } = readSources(twice.map((text, index) => writtenObject(text, `s${index}.yaml`)))
  expect(linesOf(() => candidates('example.org/v1', 'Site', 'team').faults)).toEqual([
    expect.stringMatching(/^s0\.yaml:4:.*`spec\.x` must occur once/),
    expect.stringMatching(/^s1\.yaml:4:.*`spec\.y` must occur once/),
  ])
})

test('the duplicate keys of a functionConfig with two resources of a kind are reported once', () => {
  const config = writtenObject('apiVersion: v1\nkind: InjectConfig\nspec:\n  sources: [{kind: Site, a: 1, a: 2}, {kind: Site}]\n')
  const { candidates } = readSources([], { object: config, path: ['spec', 'sources'] })
  expect(candidates('', 'Site', 'team').faults).toHaveLength(1)
})

test('the candidates of a kind, a version and a namespace are found once', () => {
  const { candidates } = readSources(ITEMS)
  const first = candidates('example.org/v1', 'Site', 'team')
  expect(candidates('example.org/v1', 'Site', 'team')).toBe(first)
  expect(candidates('example.org/v1', 'Site', 'default')).not.toBe(first)
  expect(candidates('example.org/v2', 'Site', 'team')).not.toBe(first)
})

test('without sources no kind is known and no candidate is found', () => {
  const { all, named, nearest, faults } = NO_SOURCES.candidates('v1', 'ConfigMap', '')
  expect([all, named('a'), nearest('a'), faults, NO_SOURCES.ofKind('ConfigMap')]).toEqual([[], [], undefined, [], []])
  expect(NO_SOURCES.knows('v1', 'ConfigMap')).toBe(false)
})
