import { expect, test } from 'vitest'
import { folderAbove, folderAt, noPlaces, ownerLine, slashed } from './state-packages.ts'

const OWNERS = new Map([
  ['edge/web', 'default/web'],
  ['edge/web/inner', 'default/inner'],
])

test.each([
  ['edge/web/Kptfile', ''],
  ['out/edge/web/Kptfile', 'out'],
  ['a/out/edge/web/Kptfile', 'a/out'],
  ['out/edge/web/inner/Kptfile', 'out'],
  ['out/edge/web/sub/Kptfile', undefined],
  ['out/edge/other/Kptfile', undefined],
  ['web/Kptfile', undefined],
  ['Kptfile', undefined],
])('the folder above the package of %s is %s', (path, above) => {
  expect(folderAbove(path, OWNERS, () => true)).toBe(above)
})

test('a package is not where a variant has its package if its Kptfile names another owner', () => {
  expect(folderAbove('out/edge/web/Kptfile', OWNERS, (owner) => owner === 'default/web')).toBe('out')
  expect(folderAbove('out/edge/web/Kptfile', OWNERS, (owner) => owner !== 'default/web')).toBeUndefined()
})

test('an owner, a folder and a path are written as Kptfiles, people and git do', () => {
  expect(ownerLine('default/web')).toBe('krm-variants.dev/package-variant: default/web')
  expect(folderAt('/top', 'out')).toEqual({ disk: '/top/out', shown: 'out' })
  expect(folderAt('/top', '')).toMatchObject({ shown: '.' })
  expect([slashed('a\\b\\c'), slashed('a/b')]).toEqual(['a/b/c', 'a/b'])
})

test('packages in memory find all places free', () => {
  const places = noPlaces()
  expect([places.owned, places.faults, places.isShared]).toEqual([[], [], false])
})
