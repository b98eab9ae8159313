import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isLink, isRealPlace, Links, OutsideError, placeInside, RealFiles, realFolder, realPlace } from './inside-folder.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'inside-'))
  for (const folder of ['fleet/catalog/upf', 'fleets', 'secrets/upf']) mkdirSync(join(root, folder), { recursive: true })
  symlinkSync('../secrets', join(root, 'fleet/linked'))
  symlinkSync('catalog', join(root, 'fleet/own'))
  symlinkSync('nowhere', join(root, 'fleet/broken'))
  symlinkSync('fleet', join(root, 'alias'))
  return () => rmSync(root, { recursive: true })
})

test.each(['', '.', 'catalog', 'catalog/../catalog/upf', 'missing/upf', 'own/upf', 'broken/upf', '..fleet'])('%j is inside', (path) => {
  expect(placeInside(join(root, 'fleet'), path)).toBe(join(root, 'fleet', path))
})

test.each(['..', '../fleets', '../secrets/upf', '/etc', 'linked', 'linked/upf', 'linked/missing', 'catalog/../../secrets'])(
  '%j is outside',
  (path) => {
    expect(() => placeInside(join(root, 'fleet'), path)).toThrow(OutsideError)
  },
)

test('the error says where a link leads', () => {
  expect(() => placeInside(join(root, 'fleet'), 'linked/upf')).toThrow("'linked/upf' leads to '../secrets/upf' through a symbolic link")
  expect(() => placeInside(join(root, 'fleet'), '../fleets')).toThrow("'../fleets' is outside")
})

test('a folder that is itself reached through a link is where the link leads', () => {
  expect(placeInside(join(root, 'alias'), 'catalog')).toBe(join(root, 'alias/catalog'))
  expect(placeInside('/', 'etc')).toBe('/etc')
})

test('a file is found through links, with its permissions', () => {
  const place = join(root, 'fleet/catalog/a.yaml')
  writeFileSync(place, '', { mode: 0o600 })
  symlinkSync('catalog/a.yaml', join(root, 'fleet/b.yaml'))
  const files = new RealFiles()
  for (const named of [place, join(root, 'fleet/own/a.yaml'), join(root, 'alias/b.yaml')])
    expect(files.at(named)).toEqual({ place, mode: 0o600 })
})

test.each(['missing', 'missing/a.yaml', 'broken', 'catalog/a.yaml/b.yaml'])('no file is found at %j', (path) => {
  expect(new RealFiles().at(join(root, 'fleet', path))).toBeUndefined()
})

test('a folder is real where its links lead, and a missing one where the links above it lead', () => {
  expect(realFolder(root, 'fleet', 'linked')).toBe(join(root, 'secrets'))
  expect(realFolder(root, 'fleet/catalog', '../own/upf')).toBe(join(root, 'fleet/catalog/upf'))
  expect(realFolder(root, 'fleet/linked/missing')).toBeUndefined()
  expect(realFolder(root, 'fleet/broken')).toBeUndefined()
  expect(realPlace(join(root, 'fleet/linked/missing/deep'))).toBe(join(root, 'secrets/missing/deep'))
})

test('a place is real if no part of it is a link', () => {
  const isReal = (path: string) => isRealPlace(join(root, path))
  expect(['fleet/catalog', 'alias/catalog', 'fleet/own', 'fleet/linked/upf'].map(isReal)).toEqual([true, false, false, false])
  expect(() => isReal('missing')).toThrow('ENOENT')
})

test('a link is one wherever it leads, and nothing and a folder are none', () => {
  expect(['own', 'broken', 'linked/upf', 'catalog', 'missing'].map((path) => isLink(join(root, 'fleet', path)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test.each([
  ['fleet/catalog/upf', undefined],
  ['fleet/linked', 'fleet/linked'],
  ['fleet/linked/upf/deep', 'fleet/linked'],
  ['alias/own/upf', 'alias'],
  ['fleet/missing/upf', undefined],
])('the outermost link on the way to %s is %s, also when it is asked for again', (folder, link) => {
  const links = new Links(root)
  expect([links.onWayTo(folder), links.onWayTo(folder), links.onWayTo(`${folder}/more`)]).toEqual([link, link, link])
})
