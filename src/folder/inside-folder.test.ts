import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { OutsideError, placeInside, RealFiles } from './inside-folder.ts'

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
