import { expect, test } from 'vitest'
import type { Texts } from '../../../testdata/package-of-texts.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { folderOf, isKptfile } from '../../resource-list/package-of.ts'
import { type DiskPlaces, placesBelow, readingOwner, repositoryOf } from './disk-places.ts'

const OWNED = '  annotations: {krm-variants.dev/package-variant: default/v}\n'

/** Returns the packages of some files in the folder `out`, with the folders whose Kptfile was looked at; `links` are symbolic links. */
function placesOf(files: Texts, links: readonly string[] = []): DiskPlaces & { readonly visited: readonly string[] } {
  const paths = Object.keys(files)
  const visited: string[] = []
  const places = placesBelow(
    { disk: '/x/out', shown: 'out' },
    {
      scan: (visit) => {
        const passed: string[] = []
        for (const folder of paths.filter(isKptfile).map(folderOf).sort()) {
          if (passed.some((above) => folder.startsWith(`${above}/`))) continue
          visited.push(folder)
          if (!visit(folder, files[`${folder}/Kptfile`] ?? '')) passed.push(folder)
        }
        return []
      },
      files: (folder) => paths.filter((path) => path.startsWith(`${folder}/`)),
      read: (path) => files[path] ?? '',
      holdsAnything: (folder) => paths.some((path) => path.startsWith(`${folder}/`)),
      linkOnWayTo: (folder) => links.find((link) => folder === link || folder.startsWith(`${link}/`)),
      hasLinkedKptfile: (folder) => links.includes(`${folder}/Kptfile`),
    },
  )
  return { ...places, visited }
}

test('a package with an owner is owned and ends the search; one without is neither, and what lies below it is found', () => {
  const places = placesOf({
    'a/app/Kptfile': kptfileText('app', OWNED),
    'a/app/sub/Kptfile': kptfileText('sub', OWNED),
    'b/mine/Kptfile': kptfileText('mine'),
    'b/mine/in/Kptfile': kptfileText('in', OWNED),
  })
  expect(places.owned.map(({ folder, repo, isPackage, owner }) => [folder, repo, isPackage, owner?.variant])).toEqual([
    ['a/app', 'a', true, 'default/v'],
    ['b/mine/in', 'b', true, 'default/v'],
  ])
  expect(places.visited).toEqual(['a/app', 'b/mine', 'b/mine/in'])
  expect(places.faults).toEqual([])
})

test('a Kptfile that names an owner and cannot be read is a fault, ends the search, and is a package without an owner', () => {
  const broken = kptfileText('app', OWNED.replace('}', ''))
  const places = placesOf({ 'a/app/Kptfile': broken, 'a/app/sub/Kptfile': kptfileText('sub', OWNED) })
  expect(places.faults.map(({ severity, file }) => `${severity} ${file?.path}`)).toEqual(['error out/a/app/Kptfile'])
  expect(places.visited).toEqual(['a/app'])
  expect([places.owned.length, places.at('a/app')?.isPackage, places.at('a/app')?.owner]).toEqual([0, true, undefined])
})

test('a place is a package with its Kptfile, a folder with other files, or nothing', () => {
  const places = placesOf({ 'a/app/Kptfile': kptfileText('app'), 'a/empty/Kptfile': '# nothing\n', 'b/files/x.txt': 'x' })
  const at = (folder: string) => places.at(folder) && [places.at(folder)?.isPackage, places.at(folder)?.kptfile()?.name]
  expect(at('a/app')).toEqual([true, 'app'])
  expect(at('a/empty')).toEqual([false, undefined])
  expect(at('b/files')).toEqual([false, undefined])
  expect(at('b/none')).toBeUndefined()
})

test.each([
  ['a whole Kptfile', kptfileText('app'), undefined],
  ['one without a name', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {}\n', 'most likely its end was lost'],
  ['one without a kind', 'apiVersion: kpt.dev/v1\nmetadata: {name: app}\n', 'most likely its end was lost'],
  ['an empty one', '', 'most likely its end was lost'],
  ['one that is no map', '- a\n', 'most likely its end was lost'],
  ['one of another kind', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\n', 'kind'],
  ['one that cannot be parsed', 'a: [\n', ''],
])('the fault of %s', (_, text, message) => {
  const fault = placesOf({ 'a/app/Kptfile': text }).at('a/app')?.kptfileFault()
  if (message === undefined) expect(fault).toBeUndefined()
  else
    expect([fault?.severity, fault?.file?.path, fault?.message]).toEqual(['error', 'out/a/app/Kptfile', expect.stringContaining(message)])
})

test('a Kptfile that is a link is a fault of its folder, and a folder without a Kptfile has none', () => {
  const places = placesOf({ 'a/app/x.yaml': '', 'a/plain/x.yaml': '' }, ['a/app/Kptfile'])
  expect(places.at('a/app')?.kptfileFault()?.message).toContain('is a symbolic link')
  expect(places.at('a/plain')?.kptfileFault()).toBeUndefined()
})

test('a link on the way to a folder is named below the root, and none is on the way to a package that was found', () => {
  const places = placesOf({ 'a/app/Kptfile': kptfileText('app') }, ['a'])
  expect([places.linkOnWayTo('a/other'), places.linkOnWayTo('a/app'), places.linkOnWayTo('b/app')]).toEqual(['out/a', undefined, undefined])
})

test('the objects of some kinds are those of owned packages alone', () => {
  const site = (name: string) => `apiVersion: x.org/v1\nkind: Site\nmetadata: {name: ${name}}\n`
  const places = placesOf({
    'a/app/Kptfile': kptfileText('app', OWNED),
    'a/app/site.yaml': site('one'),
    'a/app/other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n',
    'b/mine/Kptfile': kptfileText('mine'),
    'b/mine/site.yaml': site('two'),
  })
  const found = places.objectsOf?.(new Set(['Site'])) ?? []
  expect(found.map(({ name, file }) => [name, file?.path])).toEqual([['one', 'out/a/app/site.yaml']])
})

test('a text without the annotation is not parsed for an owner', () => {
  expect(readingOwner('a: [\n', 'Kptfile')).toEqual({})
  expect(readingOwner(kptfileText('app', OWNED), 'Kptfile').owner).toEqual({ variant: 'default/v', deletionPolicy: 'delete' })
  expect([repositoryOf('edge/team/app'), repositoryOf('edge')]).toEqual(['edge', 'edge'])
})
