import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { fileChanges } from './file-changes.ts'
import type { PackageFile } from './package.ts'
import { objectsOf, readResources } from './read-whole-package.ts'

const object = (name: string) => `apiVersion: v1\nkind: A\nmetadata: {name: ${name}}\n`

/** Returns the changes after an edit of the list of a folder with the file `a.yaml`. */
function changesOf(text: string, edit: (list: ResourceList, objects: readonly KrmObject[]) => void, path = 'a.yaml') {
  const { layout } = readResources(path, Buffer.from(text))
  const files: readonly PackageFile[] = layout === undefined ? [] : [layout]
  const objects = files.flatMap(objectsOf)
  const list = ResourceList.of([...objects])
  edit(list, objects)
  return fileChanges({ files, list, results: [] })
}

/** Adds an object to a list, for a place in a file. */
function add(list: ResourceList, name: string, path: string, index = 0): void {
  list.insert(KrmObject.fromDocument(object(name)), { path, index })
}

const TEXT = `# licence\n\n${object('a')}--- # of b\n${object('b')}`

test('a list that did not change changes no file', () => {
  expect(changesOf(TEXT, () => {})).toEqual([])
})

test('an edited object is written with every other byte kept, beside the text before', () => {
  const changes = changesOf(TEXT, (_, [a]) => a?.set(['metadata', 'name'], 'x'))
  expect(changes).toEqual([{ path: 'a.yaml', op: 'update', text: TEXT.replace('name: a', 'name: x'), before: TEXT }])
})

test('a removed object leaves its file, and a file without objects is deleted', () => {
  const remove = (from: number) => (list: ResourceList, objects: readonly KrmObject[]) => {
    for (const each of objects.slice(from)) list.remove(each)
  }
  expect(changesOf(TEXT, remove(1))).toEqual([{ path: 'a.yaml', op: 'update', text: `# licence\n\n${object('a')}`, before: TEXT }])
  expect(changesOf(TEXT, remove(0))).toEqual([{ path: 'a.yaml', op: 'delete', text: '', before: TEXT }])
})

test('new objects are appended to their file in the order of their indexes', () => {
  const changes = changesOf(object('a'), (list) => {
    add(list, 'c', 'a.yaml', 2)
    add(list, 'b', 'a.yaml', 1)
  })
  expect(changes).toEqual([
    { path: 'a.yaml', op: 'update', text: `${object('a')}---\n${object('b')}---\n${object('c')}`, before: object('a') },
  ])
})

test('a new object takes the place of all others of its file', () => {
  const changes = changesOf(object('a'), (list, [a]) => {
    if (a !== undefined) list.remove(a)
    add(list, 'b', 'a.yaml')
  })
  expect(changes.map(({ op, text }) => [op, text.includes('name: a'), text.includes('name: b')])).toEqual([['update', false, true]])
})

test('new files are made, and all changes are sorted by their paths', () => {
  const changes = changesOf(
    object('m'),
    (list, [m]) => {
      m?.set(['metadata', 'name'], 'x')
      add(list, 'z', 'z.yaml')
      add(list, 'two', 'b.yaml', 1)
      add(list, 'one', 'b.yaml', 0)
    },
    'm.yaml',
  )
  expect(changes.map(({ path, op }) => `${op} ${path}`)).toEqual(['create b.yaml', 'update m.yaml', 'create z.yaml'])
  expect(changes[0]).toEqual({ path: 'b.yaml', op: 'create', text: `${object('one')}---\n${object('two')}` })
})
