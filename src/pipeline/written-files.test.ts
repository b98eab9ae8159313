import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { folderTree } from '../folder/file-tree.ts'
import { type PackageInTree, type PipelineItem, readPackageTree } from './package-tree.ts'
import { writtenFiles } from './written-files.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\n'
const map = (name: string, rest = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${rest}`

function readTexts(files: Readonly<Record<string, string>>): { readonly root: PackageInTree; readonly items: readonly PipelineItem[] } {
  const all = { Kptfile: KPTFILE, ...files }
  const { root } = readPackageTree(
    folderTree(Object.keys(all), (path) => Buffer.from(Object.entries(all).find(([key]) => key === path)?.[1] ?? '')),
    (path) => path,
  )
  return { root, items: [...root.items, ...root.children.flatMap(({ items }) => items)] }
}

const added = (path: string, text: string, index = '', folder = ''): PipelineItem => ({
  object: writtenObject(text, path),
  folder,
  path,
  index,
})

/** Returns the changes, a line for each: `update a.yaml` and the text behind it. */
function changes(root: PackageInTree, items: readonly PipelineItem[], deletes = true): readonly string[] {
  return writtenFiles(root, items, deletes).map(({ op, path, text }) => `${op} ${path}\n${text}`)
}

test('nothing is written when nothing changed, also of files with odd spelling', () => {
  const { root, items } = readTexts({
    'a.yaml': `# head\n---\n${map('a')}---\n${map('b', '# no line break')}`,
    'notes.yaml': '# a comment alone\n',
  })
  expect(changes(root, items)).toEqual([])
})

test('a changed object is written into its file, and the other documents keep every byte', () => {
  const { root, items } = readTexts({ 'a.yaml': `${map('a')}---\n${map('b', 'data:   {k: v} # odd\n')}` })
  items.find(({ object }) => object.name === 'a')?.object.set(['data'], { x: '1' })
  expect(changes(root, items)).toEqual([`update a.yaml\n${map('a', 'data:\n  x: "1"\n')}---\n${map('b', 'data:   {k: v} # odd\n')}`])
})

test('a new file is created, with a line break at its end', () => {
  const { root, items } = readTexts({})
  expect(changes(root, [...items, added('sub/new.yaml', 'kind: A')])).toEqual(['create sub/new.yaml\nkind: A\n'])
})

test('objects of one file are ordered by their index as a number, and one without an index comes last', () => {
  const { root, items } = readTexts({})
  const made = [
    added('n.yaml', 'kind: L\n'),
    added('n.yaml', 'kind: J\n', '10'),
    added('n.yaml', 'kind: B\n', '2'),
    added('n.yaml', 'kind: M\n'),
  ]
  expect(changes(root, [...items, ...made])).toEqual(['create n.yaml\nkind: B\n---\nkind: L\n---\nkind: J\n---\nkind: M\n'])
})

test('objects that changed places are written in the new order', () => {
  const { root, items } = readTexts({ 'a.yaml': `${map('a')}---\n${map('b')}` })
  const moved = items.map((item) => (item.path === 'a.yaml' ? { ...item, index: item.object.name === 'a' ? '5' : '1' } : item))
  expect(changes(root, moved)).toEqual([`update a.yaml\n${map('b')}---\n${map('a')}`])
})

test('a file that lost its objects is deleted, with its text before, unless a failure forbids it', () => {
  const { root, items } = readTexts({ 'a.yaml': map('a'), 'b.yaml': map('b'), 'notes.yaml': '# a comment alone\n' })
  const left = items.filter(({ path }) => path !== 'a.yaml')
  expect(writtenFiles(root, left, true)).toEqual([{ path: 'a.yaml', op: 'delete', text: '', before: map('a') }])
  expect(writtenFiles(root, left, false)).toEqual([])
})

test('a file that lost one of its objects keeps the others', () => {
  const { root, items } = readTexts({ 'a.yaml': `${map('a')}---\n${map('b')}` })
  expect(
    changes(
      root,
      items.filter(({ object }) => object.name !== 'a'),
    ),
  ).toEqual([`update a.yaml\n${map('b')}`])
})

test('files of subpackages have their folder, and changes are in the order of paths', () => {
  const { root, items } = readTexts({ 'z.yaml': map('z'), 'sub/Kptfile': KPTFILE, 'sub/a.yaml': map('a') })
  for (const { object } of items) if (object.kind === 'ConfigMap') object.set(['data'], {})
  expect(writtenFiles(root, items, true).map(({ path, op, before }) => ({ path, op, before }))).toEqual([
    { path: 'sub/a.yaml', op: 'update', before: map('a') },
    { path: 'z.yaml', op: 'update', before: map('z') },
  ])
})
