import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import { changesAfterRun, packageChanges, unwritableFiles } from './package-changes.ts'
import { type RenderedContent, unchanged } from './rendered-package.ts'

const A = 'kind: A\nmetadata: {name: a}\n'
const B = 'kind: B\nmetadata: {name: b}\n'

function renderedFrom(files: PackageFiles): ReadonlyMap<string, RenderedContent> {
  return new Map([...files].map(([path, content]) => [path, unchanged(content, 'ours')]))
}

/** Returns the changes from the files `before` to those `after`, as `OP PATH`. */
function changes(before: Texts | undefined, after: Texts): readonly string[] {
  const read = before && packageOfTexts(before)
  const same = [...(read ?? [])].filter(([path]) => before?.[path] === after[path])
  const found = packageChanges(renderedFrom(new Map([...packageOfTexts(after), ...same])), read)
  return found.map(({ op, path }) => `${op} ${path}`)
}

test.each<[string, Texts | undefined, Texts, readonly string[]]>([
  ['all files of a new package, sorted', undefined, { 'b.yaml': B, 'a.txt': 'a' }, ['create a.txt', 'create b.yaml']],
  ['nothing where every text is the same', { 'a.yaml': A, 'b.txt': 'b' }, { 'a.yaml': A, 'b.txt': 'b' }, []],
  ['new, changed and deleted files by path', { c: '1', b: '1', d: '1' }, { d: '1', c: '2', a: '1' }, ['create a', 'delete b', 'update c']],
  ['an object with another text', { 'a.yaml': A }, { 'a.yaml': `${A}# a\n` }, ['update a.yaml']],
  ['an object more', { 'a.yaml': A }, { 'a.yaml': `${A}---\n${B}` }, ['update a.yaml']],
  ['an object less', { 'a.yaml': `${A}---\n${B}` }, { 'a.yaml': A }, ['update a.yaml']],
  ['another order', { 'a.yaml': `${A}---\n${B}` }, { 'a.yaml': `${B}---\n${A}` }, ['update a.yaml']],
  ['a file that holds no objects any more', { 'a.yaml': A }, { 'a.yaml': 'a text' }, ['update a.yaml']],
  ['a file that holds objects now', { 'a.yaml': 'a text' }, { 'a.yaml': A }, ['update a.yaml']],
])('the changes of a package are %s', (_, before, after, expected) => {
  expect(changes(before, after)).toEqual(expected)
})

test('an object is unchanged if it is the one that was read, or a draft with the same text', () => {
  const files = packageOfTexts({ 'a.yaml': A })
  const rendered = (edit: boolean): ReadonlyMap<string, RenderedContent> =>
    new Map(
      [...renderedFrom(files)].map(([path, content]) => [
        path,
        content instanceof Uint8Array
          ? content
          : content.map((one) => {
              const object = one.source.draft()
              if (edit) object.set(['metadata', 'name'], 'b')
              return { ...one, object }
            }),
      ]),
    )
  expect(packageChanges(renderedFrom(files), files)).toEqual([])
  expect(packageChanges(rendered(false), files)).toEqual([])
  expect(packageChanges(rendered(true), files)).toEqual([{ path: 'a.yaml', op: 'update' }])
  expect(packageChanges(rendered(false), packageOfTexts({ 'a.yaml': A }))).toEqual([{ path: 'a.yaml', op: 'update' }])
})

test('what functions wrote takes the place of the changes before, and is compared with the files on disk', () => {
  const disk = new Map([...'defg'].map((path) => [path, Buffer.from('old')]))
  const changed = new Map<string, Uint8Array | undefined>([
    ['g', undefined],
    ['b', undefined],
    ['f', Buffer.from('old')],
    ['e', Buffer.from('new')],
    ['a', Buffer.from('new')],
  ])
  const before = [
    { path: 'c', op: 'create' },
    { path: 'f', op: 'update' },
    { path: 'b', op: 'create' },
  ] as const
  expect(changesAfterRun(before, changed, (path) => disk.get(path)).map(({ op, path }) => `${op} ${path}`)).toEqual([
    'create a',
    'create c',
    'update e',
    'delete g',
  ])
  expect(changesAfterRun(before, new Map(), (path) => disk.get(path))).toBe(before)
})

/** Returns the findings of unwritable files, for a package in `out/shop`. */
function unwritable(changes: Readonly<Record<string, 'create' | 'update' | 'delete'>>, ...existing: readonly string[]): readonly string[] {
  const list = Object.entries(changes).map(([path, op]) => ({ path, op }))
  return unwritableFiles(list, existing, 'out/shop').map(({ file, tags, severity }) => `${severity} ${tags.rule} ${file?.path}`)
}

test('a new file must have a safe path, and none that is another one on some file systems', () => {
  expect(unwritable({ 'a.yaml': 'create', 'b/c.yaml': 'create' }, 'd.yaml')).toEqual([])
  expect(unwritable({ '../a.yaml': 'create' })).toEqual([expect.stringContaining('error unsafe-path')])
  expect(unwritable({ 'A.yaml': 'create' }, 'a.yaml')).toHaveLength(1)
  expect(unwritable({ 'A.yaml': 'create', 'b.yaml': 'update' }, 'a.yaml', 'b.yaml')).toHaveLength(1)
  expect(unwritable({ 'A.yaml': 'create', 'a.yaml': 'delete' }, 'a.yaml')).toEqual([])
  expect(unwritable({ 'link/a.yaml': 'create' }, 'link')).toHaveLength(1)
})

test('a changed or deleted file is refused for its own path alone', () => {
  expect(unwritable({ 'A.yaml': 'update', 'a.yaml': 'delete' }, 'a.yaml', 'A.yaml')).toEqual([])
  expect(unwritable({ '.git/config': 'update' }, '.git/config')).toEqual(['error unsafe-path out/shop/.git/config'])
  expect(unwritable({ '.git/config': 'delete' }, '.git/config')).toEqual(['error unsafe-path out/shop/.git/config'])
})
