import { expect, test } from 'vitest'
import { kptfileOf, list, planOf, resourceListOf, setOf, variant, type Written } from '../../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../../json.ts'
import { staleInjections } from './stale-injection.ts'

const site = (value: string): Written => [
  'sites.yaml',
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'site' }, data: { a: value } },
]

/** Returns the package of a variant with an injection point that holds a value, in the folder `edge/app`. */
function packageOf(owner: string | undefined, value: string): readonly Written[] {
  const annotations = { 'kpt.dev/config-injection': 'optional', 'kpt.dev/injected-resource': 'site' }
  return [
    ['edge/app/Kptfile', kptfileOf({}, owner === undefined ? {} : { 'krm-variants.dev/package-variant': owner })],
    ['edge/app/point.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'point', annotations }, data: { a: value } }],
  ]
}

const INJECTORS = { injectors: [{ kind: 'ConfigMap', name: 'site' }] }

/** Returns the findings, each with its file. */
function staleIn(objects: readonly Written[], sets: readonly JsonRecord[] = []): readonly (string | undefined)[] {
  const { items } = resourceListOf(objects)
  const found = staleInjections({ items, folder: '', plan: planOf(sets), options: { repositories: new Map() } })
  return found.map(({ severity, tags, file }) => `${severity} ${tags.rule} ${file?.path}`)
}

const STALE = ['warning injection-stale edge/app/point.yaml']

test('an injection point whose source has another value is a warning, and one with the value of its source is none', () => {
  const fleet: readonly Written[] = [variant('v', 'edge', INJECTORS), site('new')]
  expect(staleIn([...fleet, ...packageOf('default/v', 'old')])).toEqual(STALE)
  expect(staleIn([...fleet, ...packageOf('default/v', 'new')])).toEqual([])
})

test.each<[string, readonly Written[]]>([
  ['of no variant', [variant('v', 'edge', INJECTORS), ...packageOf(undefined, 'old')]],
  ['of a variant that is gone', [variant('w', 'edge', INJECTORS), ...packageOf('default/v', 'old')]],
  ['of a variant of the same name in another namespace', [variant('v', 'edge', INJECTORS), ...packageOf('other/v', 'old')]],
  ['of a variant without injectors', [variant('v', 'edge'), ...packageOf('default/v', 'old')]],
])('a package %s is not judged', (_, objects) => {
  expect(staleIn([site('new'), ...objects])).toEqual([])
})

test('a variant that its set wants, and that is in no file, is judged by the spec that the set gives', () => {
  const target = { ...list('edge'), template: INJECTORS }
  const before = variant('fleet-edge-app', 'edge')
  const wanted = planOf([setOf([target])]).sets.flatMap(({ changes }) => changes.map(({ name }) => name))
  const [name = ''] = wanted
  expect(wanted).toHaveLength(1)
  expect(staleIn([site('new'), ...packageOf(`default/${name}`, 'old')], [setOf([target])])).toEqual(STALE)
  expect(staleIn([site('new'), before, ...packageOf(`default/${name}`, 'old')], [setOf([list('edge')])])).toEqual([])
})

test('a variant that its set removes is not judged', () => {
  const gone = variant('gone', 'edge', INJECTORS)
  expect(staleIn([site('new'), ...packageOf('default/gone', 'old')], [setOf([list('west')]), gone])).toEqual([])
})

test('the faults of a source are not reported here', () => {
  const objects: readonly Written[] = [
    variant('v', 'edge', INJECTORS),
    site('new'),
    ['twice.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'site' }, data: {} }],
  ]
  expect(staleIn([...objects, ...packageOf('default/v', 'old')])).toEqual([])
})
