import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../../testdata/test-folder.ts'
import { gitIdOf } from '../../git/git-snapshot.ts'
import { packagePlace } from '../../lifecycle/testing/places-of.ts'
import { type CommittedFolder, draftOfLeftover, draftOfStep } from './draft-changes.ts'

const COMMIT = '0'.repeat(40)
const idOf = (text: string) => gitIdOf(Buffer.from(text), COMMIT)

let disk = ''
beforeEach(() => {
  disk = testFolder()
})

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(disk, path)), { recursive: true })
  writeFileSync(join(disk, path), text)
  chmodSync(join(disk, path), mode)
}

/** Returns a commit with files, which the folder on disk has too. */
function committed(files: Readonly<Record<string, string>>, prefix = 'clusters'): CommittedFolder {
  for (const [path, text] of Object.entries(files)) put(path, text)
  const all = Object.entries(files).map(([path, text]) => [path, { mode: '100644', id: idOf(text) }] as const)
  return { disk, prefix, commit: COMMIT, files: new Map(all) }
}

interface Step {
  readonly movedFrom?: string
  readonly written?: Readonly<Record<string, string>>
  readonly deleted?: readonly string[]
  readonly mode?: number
}

/** Returns the draft of the package in `a/shop`: each change as its path and text id, and the files that are not committed. */
function draftOf({ movedFrom, written = {}, deleted = [], mode = 0o644 }: Step, folder: CommittedFolder) {
  const { changes, uncommitted } = draftOfStep(
    {
      step: { folder: 'a/shop', ...(movedFrom !== undefined && { movedFrom }) },
      changes: [
        ...Object.keys(written).map((path) => ({ path, op: 'update' as const })),
        ...deleted.map((path) => ({ path, op: 'delete' as const })),
      ],
      bytesOf: (path) => Buffer.from(written[path] ?? ''),
      modeOf: () => mode,
    },
    folder,
  )
  return { changes: changes.map(({ path, content }) => [path, content?.mode, content?.id]), uncommitted }
}

test('a draft has the changed files at their places in the repository, and no file that is as committed', () => {
  const folder = committed({ 'a/shop/x.yaml': 'one', 'a/shop/y.yaml': 'one', 'a/shop/z.yaml': 'one' })
  const draft = draftOf({ written: { 'x.yaml': 'two', 'y.yaml': 'one' }, deleted: ['z.yaml'] }, folder)
  expect(draft).toEqual({
    changes: [
      ['clusters/a/shop/x.yaml', '100644', idOf('two')],
      ['clusters/a/shop/z.yaml', undefined, undefined],
    ],
    uncommitted: [],
  })
  expect(draftOf({ written: { 'x.yaml': 'two' } }, { ...folder, prefix: '' }).changes).toEqual([['a/shop/x.yaml', '100644', idOf('two')]])
})

test('a file that turns executable alone is a change', () => {
  const folder = committed({ 'a/shop/x.sh': 'one' })
  expect(draftOf({ written: { 'x.sh': 'one' }, mode: 0o755 }, folder).changes).toEqual([['clusters/a/shop/x.sh', '100755', idOf('one')]])
})

test('a package that moves leaves its former folder with all its files, and arrives with its changes', () => {
  const folder = committed({ 'b/shop/x.yaml': 'one', 'b/shop/y.yaml': 'one', 'b/shop-2/x.yaml': 'one' })
  expect(draftOf({ movedFrom: 'b/shop', written: { 'x.yaml': 'two' } }, folder)).toEqual({
    changes: [
      ['clusters/b/shop/x.yaml', undefined, undefined],
      ['clusters/a/shop/x.yaml', '100644', idOf('two')],
      ['clusters/b/shop/y.yaml', undefined, undefined],
      ['clusters/a/shop/y.yaml', '100644', idOf('one')],
    ],
    uncommitted: [],
  })
})

test('files of a package that are not as the commit has them are uncommitted: other, new, deleted and executable ones', () => {
  const folder = committed({ 'a/shop/x.yaml': 'one', 'a/shop/y.yaml': 'one', 'a/shop/z.yaml': 'one', 'a/till/x.yaml': 'one' })
  put('a/shop/x.yaml', 'mine')
  put('a/shop/y.yaml', 'one', 0o755)
  rmSync(join(disk, 'a/shop/z.yaml'))
  put('a/shop/new.yaml', 'mine')
  put('a/till/x.yaml', 'mine')
  const { uncommitted } = draftOf({}, folder)
  expect(uncommitted.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'a/shop/new.yaml' },
    { path: 'a/shop/x.yaml', id: idOf('one') },
    { path: 'a/shop/y.yaml' },
    { path: 'a/shop/z.yaml' },
  ])
})

test('a link of the commit is neither read nor missed', () => {
  const folder = committed({ 'a/shop/x.yaml': 'one' })
  symlinkSync('x.yaml', join(disk, 'a/shop/link'))
  const files = new Map([...folder.files, ['a/shop/link', { mode: '120000', id: idOf('x.yaml') }] as const])
  expect(draftOf({}, { ...folder, files }).uncommitted).toEqual([])
})

test('uncommitted files of the former folder of a package that moves are not passed over', () => {
  const folder = committed({ 'b/shop/x.yaml': 'one' })
  put('b/shop/x.yaml', 'mine')
  expect(draftOf({ movedFrom: 'b/shop' }, folder).uncommitted).toEqual([{ path: 'b/shop/x.yaml', id: idOf('one') }])
})

test('of a variant that is gone all files of the package go, or its Kptfile loses its owner', () => {
  const folder = committed({ 'a/shop/Kptfile': 'one', 'a/shop/x.yaml': 'one' })
  const place = packagePlace('a/shop', { owner: 'gone' })
  expect(draftOfLeftover({ op: 'remove', place }, folder).changes).toEqual([
    { path: 'clusters/a/shop/Kptfile' },
    { path: 'clusters/a/shop/x.yaml' },
  ])
  put('a/shop/x.yaml', 'mine')
  const orphaned = draftOfLeftover({ op: 'orphan', place }, folder)
  expect(orphaned.changes.map(({ path, content }) => [path, content?.mode])).toEqual([['clusters/a/shop/Kptfile', '100644']])
  expect(orphaned.uncommitted).toEqual([{ path: 'a/shop/x.yaml', id: idOf('one') }])
})
