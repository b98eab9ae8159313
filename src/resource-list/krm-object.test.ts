import { expect, test } from 'vitest'
import type { KeySelection } from '../yaml/read/key-selection.ts'
import { KrmObject, textKeeper } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'
const TEXT = 'apiVersion: v1\nkind: A\nmetadata:\n  name: a\nspec:\n  list: [x, y]\n  text: z # note\n'

function document(text = TEXT): KrmObject {
  return KrmObject.fromDocument(text, { path: 'a.yaml', index: 0, line: 1 })
}

/** The only item of a list, with annotations of the wire. */
function item(): KrmObject {
  const text = '- kind: A\n  metadata:\n    annotations:\n      config.kubernetes.io/path: a.yaml\n      x: y\n'
  const [first] = ResourceList.parse(`${HEAD}${text}`).items
  if (first === undefined) throw new Error('there is one')
  return first
}

test('an edit of the head is read at once, also kind and apiVersion of an item in the layout of kpt', () => {
  const [first] = ResourceList.parse(`${HEAD}- apiVersion: v1\n  kind: A\n  metadata: {name: a}\n`).items
  expect([first?.apiVersion, first?.kind, first?.name]).toEqual(['v1', 'A', 'a'])
  first?.set(['kind'], 'B')
  first?.set(['apiVersion'], 'v2')
  first?.set(['metadata', 'name'], 'b')
  expect([first?.apiVersion, first?.kind, first?.name]).toEqual(['v2', 'B', 'b'])
})

test('an object of another text has the identity of that text', () => {
  const object = document()
  expect(object.name).toBe('a')
  object.takeText('apiVersion: v2\nkind: B\nmetadata: {name: b}\n')
  expect([object.apiVersion, object.kind, object.name]).toEqual(['v2', 'B', 'b'])
})

test('an object is changed by an edit of a byte, and a new one is changed from the start', () => {
  const object = document()
  expect(object.changed).toBe(false)
  object.set(['spec', 'text'], 'z')
  expect(object.changed).toBe(false)
  object.set(['spec', 'text'], 'w')
  expect(object.changed).toBe(true)
  expect(KrmObject.made(TEXT, 'document').changed).toBe(true)
})

test('a draft is edited alone', () => {
  const object = document()
  object.set(['spec', 'text'], 'first')
  const draft = object.draft()
  draft.set(['spec', 'text'], 'second')
  expect([object.get(['spec', 'text']), draft.get(['spec', 'text'])]).toEqual(['first', 'second'])
})

test('a key is renamed in place; a missing key, or a new key that is there, changes nothing', () => {
  const object = document()
  expect(object.renameKey(['spec', 'text'], 'words')).toBe(true)
  expect(object.toText()).toBe(TEXT.replace('text: z', 'words: z'))
  expect(object.renameKey(['spec', 'none'], 'other')).toBe(false)
  expect(object.renameKey(['spec', 'words'], 'list')).toBe(false)
  expect(object.toText()).toBe(TEXT.replace('text: z', 'words: z'))
})

test('annotations of the wire are neither read nor replaced', () => {
  const object = item()
  expect(object.toJson()).toEqual({ kind: 'A', metadata: { annotations: { x: 'y' } } })
  expect(object.get(['metadata', 'annotations'])).toEqual({ x: 'y' })
  object.set(['metadata'], { name: 'b', annotations: { z: '1' } })
  expect(object.toJson()).toEqual({ kind: 'A', metadata: { name: 'b', annotations: { z: '1' } } })
  expect(object.file).toEqual({ path: 'a.yaml', index: 0 })
})

test('another place replaces all annotations of the old one', () => {
  const object = item()
  object.setPlace({ 'internal.config.kubernetes.io/path': 'b.yaml' })
  expect(object.file).toEqual({ path: 'b.yaml', index: 0 })
  expect(object.toText()).not.toContain('a.yaml')
  expect(object.annotations).toEqual(new Map([['x', 'y']]))
})

test('a copied value keeps its spelling; a missing one is not copied', () => {
  const source = document('spec:\n  a: 0644\n  b: "x"\n')
  const target = document('kind: A\n')
  target.copy(['mode'], source, ['spec', 'a'])
  target.copy(['spec', 'b'], source)
  target.copy(['none'], source, ['spec', 'none'])
  expect(target.toText()).toBe('kind: A\nmode: 0644\nspec:\n  b: "x"\n')
})

test('an item that is copied has no annotations of the wire', () => {
  const target = document('kind: B\n')
  target.copy(['metadata'], item())
  expect(target.toJson()).toEqual({ kind: 'B', metadata: { annotations: { x: 'y' } } })
})

test('entries are moved and values deleted; what is not there is not deleted', () => {
  const object = document()
  object.move(['spec', 'list'], 0, 1)
  object.delete(['spec', 'text'])
  object.delete(['spec', 'none'])
  expect(object.get(['spec'])).toEqual({ list: ['y', 'x'] })
})

test.each([
  { text: '- a\n', isMap: false },
  { text: 'a\n', isMap: false },
  { text: 'a: 1\n', isMap: true },
  { text: 'kind: A\n', isMap: true },
])('$text is a map: $isMap', ({ text, isMap }) => {
  expect(document(text).isMap()).toBe(isMap)
  expect(document(text).toJson()).toEqual(isMap ? document(text).get([]) : {})
})

test('an object that is no map of a list is none', () => {
  const list = ResourceList.parse(`${HEAD}- apiVersion: v1\n  kind: A\n- b: 1\n- c\n`)
  expect(list.items.map((each) => each.isMap())).toEqual([true, true, false])
})

test('the keys of several maps are picked as one record for each map', () => {
  const object = document('a: {b: 1, c: 2}\nd:\n  e: 3\n  f: 4\n')
  const selection: KeySelection = {
    parts: [
      { path: ['a'], keys: ['b'] },
      { path: ['d'], keys: ['f', 'none'] },
      { path: ['none'], keys: ['x'] },
    ],
    wanted: new Map([
      ['a', new Map([['b', undefined]])],
      ['d', new Map([['f', undefined]])],
    ]),
  }
  expect(object.pick(selection)).toMatchObject([{ b: 1 }, { f: 4 }, {}])
})

test('the texts that objects had come back', () => {
  const objects = [document(), document()]
  const restore = textKeeper(objects)
  objects[0]?.set(['spec', 'text'], 'changed')
  restore()
  expect(objects.map((each) => each.toText())).toEqual([TEXT, TEXT])
})

test('the lines in the file count a last line without a line break', () => {
  expect([TEXT, TEXT.trimEnd(), 'kind: A'].map((text) => document(text).linesInFile)).toEqual([7, 7, 1])
})

test('a comment is written behind the key of a map, moves up if there is one, and goes', () => {
  const object = document()
  object.setKeyComment(['spec'], '# first')
  expect(object.keyComment(['spec'])).toBe('# first')
  object.setKeyComment(['spec'], '# second')
  expect(object.toText()).toContain('# first\nspec: # second\n')
  object.setKeyComment(['spec'], undefined)
  expect(object.keyComment(['spec'])).toBeUndefined()
})
