import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { isLeftover, type Move, makeMove, removeEmptyFolders } from './staged-move.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
})

/** Writes files, and an empty folder for a path that ends with a slash. */
function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, path, path.endsWith('/') ? '.' : '..'), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(join(root, path), path)
  }
}

/** Makes a step below the root. */
function move(op: Move['op'], path: string, other: string, isAsRead?: Move['isAsRead']): boolean {
  return makeMove({ op, path, isAsRead }, { place: join(root, path), other: join(root, other), root })
}

/** Returns the paths of all files and folders. */
const paths = () => readdirSync(root, { recursive: true }).map(String).sort()

test('a staged file takes the place of another one', () => {
  put('a.yaml', 'a.yaml.krm-variants-new')
  expect(move('takePlace', 'a.yaml', 'a.yaml.krm-variants-new')).toBe(true)
  expect(paths()).toEqual(['a.yaml'])
  expect(readFileSync(join(root, 'a.yaml'), 'utf8')).toBe('a.yaml.krm-variants-new')
})

test('with a file the folders go that it leaves empty, up to a folder that stays', () => {
  put('out/a/b/c.yaml', 'out/a/d/')
  expect(move('removeFile', 'out/a/b/c.yaml', 'out')).toBe(true)
  expect(paths()).toEqual(['out', 'out/a', 'out/a/d'])
  put('out/e/f/c.yaml')
  expect(move('removeFile', 'out/e/f/c.yaml', 'out/e')).toBe(true)
  expect(paths()).toEqual(['out', 'out/a', 'out/a/d', 'out/e'])
})

test('a file that is gone already is removed without a fault', () => {
  put('out/a/')
  expect(move('removeFile', 'out/a/c.yaml', 'out')).toBe(true)
  expect(paths()).toEqual(['out'])
})

test('of a file whose folder is gone nothing is removed', () => {
  put('out/a/')
  expect(move('removeFile', 'out/a/b/c.yaml', 'out')).toBe(true)
  expect(paths()).toEqual(['out', 'out/a'])
})

test('a folder that nothing is known of is removed', () => {
  put('out/pkg/x.yaml')
  expect(move('removeFolder', 'out/pkg', 'out')).toBe(true)
  expect(paths()).toEqual(['out'])
})

test('a folder is removed with all that it holds, and with the folders that it leaves empty', () => {
  put('out/a/pkg/x.yaml', 'out/a/pkg/sub/y.yaml', 'out/b.yaml')
  const places: (string | undefined)[] = []
  const isAsRead = (place?: string) => {
    places.push(place)
    return place === undefined || existsSync(join(place, 'sub/y.yaml'))
  }
  expect(move('removeFolder', 'out/a/pkg', 'out', isAsRead)).toBe(true)
  expect(paths()).toEqual(['out', 'out/b.yaml'])
  expect(places).toEqual([undefined, join(root, 'out/a/pkg.krm-variants-old')])
})

test('a folder that changed before it was moved aside comes back whole', () => {
  put('out/pkg/x.yaml')
  expect(move('removeFolder', 'out/pkg', 'out', (place) => place === undefined)).toBe(false)
  expect(paths()).toEqual(['out', 'out/pkg', 'out/pkg/x.yaml'])
})

test.each(['takePlace', 'removeFile', 'removeFolder', 'moveFolder', 'removeLeftover'] as const)(
  'the step %s does nothing at a place that is not as it was read',
  (op) => {
    put('out/a/x.yaml', 'out/b/y.yaml')
    const before = paths()
    expect(move(op, 'out/a', 'out/b', () => false)).toBe(false)
    expect(paths()).toEqual(before)
  },
)

test('a folder moves to a place whose folders are made, and the folders go that it leaves empty', () => {
  put('old/deep/pkg/x.yaml')
  expect(move('moveFolder', 'new/deep/pkg', 'old/deep/pkg')).toBe(true)
  expect(paths()).toEqual(['new', 'new/deep', 'new/deep/pkg', 'new/deep/pkg/x.yaml'])
})

test('what an interrupted run left is removed, be it a file, a folder or gone, with the folder that held nothing else', () => {
  put('a.krm-variants-new', 'b.krm-variants-old/x.yaml', 'c.yaml', 'edge/d.krm-variants-old/x.yaml')
  for (const path of ['a.krm-variants-new', 'b.krm-variants-old', 'd.krm-variants-new', 'edge/d.krm-variants-old'])
    expect(move('removeLeftover', path, '')).toBe(true)
  expect(paths()).toEqual(['c.yaml'])
})

test.each([
  ['a.yaml.krm-variants-new', true],
  ['pkg.krm-variants-old', true],
  ['krm-variants-new', false],
  ['a.krm-variants-new.yaml', false],
  ['a.yaml', false],
])('%s is the name of a leftover: %s', (name, isOne) => {
  expect(isLeftover(name)).toBe(isOne)
})

test('a folder with nothing but empty folders goes, and one with a file stays with the folders above the file', () => {
  put('none/a/', 'none/b/c/', 'some/a/', 'some/b/x.yaml', 'file')
  for (const path of ['none', 'some', 'file', 'missing']) removeEmptyFolders(join(root, path))
  expect(paths()).toEqual(['file', 'some', 'some/b', 'some/b/x.yaml'])
})
