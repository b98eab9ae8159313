import { expect, test } from 'vitest'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { turnedHere, withTurned } from './file-modes.ts'

const SOURCE: SourcePackage = { place: 'catalog/shop@v2', files: new Map(), layouts: new Map(), modes: new Map(), results: [], faults: [] }

/** Returns the permissions that a file gets whose upstream had some permissions and has others now. */
function turned(here: number, base: number | undefined, theirs: number): string | undefined {
  const file = { mode: here, size: 0, read: () => new Uint8Array(), holds: () => true }
  const update = { read: undefined, made: { files: new Map(), modes: new Map([['run.sh', { base, theirs }]]) }, upstream: SOURCE }
  const found = turnedHere({ files: new Map([['run.sh', file]]), links: [], gitFolders: [], leftovers: [] }, update)
  return found.get('run.sh')?.mode.toString(8)
}

test.each([
  [0o644, '755'],
  [0o640, '750'],
  [0o600, '700'],
  [0o444, '555'],
])('a file with %o becomes executable for those who may read it', (here, mode) => {
  expect(turned(here, 0o644, 0o755)).toBe(mode)
})

test('a file that upstream no longer has executable is executable for no user', () => {
  expect(turned(0o755, 0o755, 0o644)).toBe('644')
  expect(turned(0o700, 0o755, 0o644)).toBe('600')
})

test('a bit that upstream did not turn, that the file has already, or that upstream only now has a file for is left', () => {
  expect(turned(0o644, 0o755, 0o755)).toBeUndefined()
  expect(turned(0o755, 0o644, 0o755)).toBeUndefined()
  expect(turned(0o644, undefined, 0o755)).toBeUndefined()
  expect(turned(0o644, 0o600, 0o640)).toBeUndefined()
})

test('a file that the update removes is not turned', () => {
  const file = { mode: 0o644, size: 0, read: () => new Uint8Array(), holds: () => true }
  const folder = { files: new Map([['run.sh', file]]), links: [], gitFolders: [], leftovers: [] }
  const turnedWith = (files: ReadonlyMap<string, Uint8Array>) =>
    turnedHere(folder, {
      read: { files: new Map([['run.sh', new Uint8Array()]]), base: undefined },
      made: { files, modes: new Map([['run.sh', { base: 0o644, theirs: 0o755 }]]) },
      upstream: SOURCE,
    })
  expect([...turnedWith(new Map([['run.sh', new Uint8Array()]])).keys()]).toEqual(['run.sh'])
  expect([...turnedWith(new Map()).keys()]).toEqual([])
})

test('the changed bits are among the changes in the order of paths, in the place of a change of the text', () => {
  const bits = new Map([['b', { executable: true, mode: 0o755 }]])
  expect(
    withTurned(
      [
        { path: 'c', op: 'update' },
        { path: 'a', op: 'delete' },
        { path: 'b', op: 'update' },
      ],
      bits,
    ),
  ).toEqual([
    { path: 'a', op: 'delete' },
    { path: 'b', op: 'update', executable: true },
    { path: 'c', op: 'update' },
  ])
})
