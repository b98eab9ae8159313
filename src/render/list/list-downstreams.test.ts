import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import { configMapText } from '../../../testdata/written-objects.ts'
import { kptfileOf, resourceListOf, variant, type Written } from '../../fleet/testing/fleet-of-objects.ts'
import { packagePlaces } from '../../lifecycle/testing/places-of.ts'
import { folderOfItems, listDownstreams } from './list-downstreams.ts'
import { ListFolders } from './list-folders.ts'

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
const OBJECTS: readonly Written[] = [
  ['fleet/v.yaml', variant('v', 'edge')],
  ['fleet/edge/app/Kptfile', kptfileOf({})],
  ['fleet/edge/app/a.yaml', configMap('a')],
  ['fleet/edge/app/a.yaml', configMap('b')],
  ['other/app/x.yaml', configMap('x')],
]

const below = { ...packagePlaces({}), folderOf: () => 'fleet/edge/app' }

function downstreamsOf(places: () => typeof below | undefined) {
  const { items } = resourceListOf(OBJECTS)
  return listDownstreams(new ListFolders(items), items, places)
}

test('the package of a variant is found by its downstream, REPOSITORY/PACKAGE, and any other one by its folder', () => {
  const { folder, shown } = downstreamsOf(() => below)
  expect([...folder('edge/app').files.keys()].toSorted()).toEqual(['Kptfile', 'a.yaml'])
  expect(['edge/app', 'other/app'].map(shown)).toEqual(['fleet/edge/app', 'other/app'])
  expect([...folder('other/app').files.keys()]).toEqual(['x.yaml'])
  expect(folder('no/app').files.size).toBe(0)
})

test('the places are asked for once, and before they are known a package is looked for at its own name', () => {
  let calls = 0
  const { shown } = downstreamsOf(() => {
    calls++
    return below
  })
  expect([calls, shown('edge/app'), shown('edge/app'), calls]).toEqual([0, 'fleet/edge/app', 'fleet/edge/app', 1])
  expect(downstreamsOf(() => undefined).shown('edge/app')).toBe('edge/app')
})

test('the id of a package does not depend on the style of its objects, and depends on their values', () => {
  const { id } = downstreamsOf(() => below)
  const idOf = (text: string) => id?.(folderOfItems(packageOfTexts({ 'a.yaml': text })))
  expect(idOf(configMapText('a'))).toBe(idOf('{kind: ConfigMap, apiVersion: v1, metadata: {name: a}}\n'))
  expect(idOf(configMapText('a'))).not.toBe(idOf(configMapText('b')))
})

test('the items of a package are files as an orchestrator writes them, with documents between dashes, and bytes stay', () => {
  const files = packageOfTexts({ 'two.yaml': `${configMapText('a')}---\n${configMapText('b')}`, 'notes.txt': 'x' })
  const folder = folderOfItems(files)
  const file = (path: string) => folder.files.get(path)
  const textOf = (path: string) => Buffer.from(file(path)?.read() ?? []).toString()
  expect([textOf('two.yaml'), textOf('notes.txt')]).toEqual([`${configMapText('a')}---\n${configMapText('b')}`, 'x'])
  expect(file('notes.txt')).toMatchObject({ mode: 0o644, size: 1 })
  expect([file('notes.txt')?.holds(Buffer.from('x')), file('notes.txt')?.holds(Buffer.from('y'))]).toEqual([true, false])
  expect(folder).toMatchObject({ links: [], gitFolders: [], leftovers: [] })
})

test('an item of a list is a file without the annotations of its place', () => {
  const [item] = resourceListOf([
    ['a.yaml', { ...configMap('a'), metadata: { name: 'a', annotations: { 'config.kubernetes.io/path': 'a.yaml' } } }],
  ]).items
  const folder = folderOfItems(new Map([['a.yaml', item === undefined ? [] : [item]]]))
  expect(Buffer.from(folder.files.get('a.yaml')?.read() ?? []).toString()).not.toContain('config.kubernetes.io/path')
})
