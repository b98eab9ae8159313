import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import { configMapText, writtenObject } from '../../../testdata/written-objects.ts'
import { isBytes } from '../../merge/package-files.ts'
import {
  afterRun,
  contentsOf,
  contentToWrite,
  draftOf,
  made,
  mayHoldWord,
  objectAt,
  type RenderedContent,
  share,
  unchanged,
} from './rendered-package.ts'

const TWO = packageOfTexts({ 'a.yaml': `${configMapText('one')}---\n${configMapText('two')}` }).get('a.yaml') ?? []
const BYTES = Buffer.from('x')
const objectsIn = (content: RenderedContent) => (isBytes(content) ? [] : content)

test('an unchanged file has each object as its own source and of its side, and bytes stay as they are', () => {
  const objects = objectsIn(unchanged(TWO, 'ours'))
  expect(objects.map(({ from, source, object }) => [from, object.name, source === object])).toEqual([
    ['ours', 'one', true],
    ['ours', 'two', true],
  ])
  expect(unchanged(BYTES, 'theirs')).toBe(BYTES)
})

test('a file is written with its drafts', () => {
  const [first, ...others] = objectsIn(unchanged(TWO, 'ours'))
  if (first === undefined) throw new Error('two objects')
  const draft = first.source.draft()
  draft.set(['metadata', 'name'], 'mine')
  const files = new Map<string, RenderedContent>([
    ['a.yaml', [{ ...first, object: draft }, ...others]],
    ['b', BYTES],
  ])
  const written = contentToWrite(files.get('a.yaml') ?? [])
  expect(isBytes(written) ? [] : written.map(({ name }) => name)).toEqual(['mine', 'two'])
  expect(contentToWrite(BYTES)).toBe(BYTES)
  expect([...contentsOf(files).keys()]).toEqual(['a.yaml', 'b'])
  expect(contentsOf(files).get('a.yaml')).toEqual(written)
})

test('the object of a file is the first one unless another is asked for, and bytes and missing files have none', () => {
  const files = new Map<string, RenderedContent>([
    ['a.yaml', unchanged(TWO, 'ours')],
    ['b', BYTES],
  ])
  expect([objectAt(files, 'a.yaml'), objectAt(files, 'a.yaml', 1), objectAt(files, 'a.yaml', 2)].map((one) => one?.name)).toEqual([
    'one',
    'two',
    undefined,
  ])
  expect([objectAt(files, 'b'), objectAt(files, 'c.yaml')]).toEqual([undefined, undefined])
})

test('a made object is its own source and of no side', () => {
  const one = made({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { list: ['x'] } })
  expect(one.from).toBe('made')
  expect(one.source).toBe(one.object)
  expect(one.object.toText()).toBe(configMapText('a', 'data:\n  list:\n  - x\n'))
})

test('an object is edited as a draft of its source, and a draft as itself', () => {
  const source = writtenObject(configMapText('a'))
  const draft = draftOf({ from: 'ours', source, object: source })
  expect(draft).not.toBe(source)
  expect(draftOf({ from: 'ours', source, object: draft })).toBe(draft)
})

test('a shared file is rendered once for each side, and any other file anew', () => {
  const shared = share([writtenObject(configMapText('a'))])
  expect(unchanged(shared, 'ours')).toBe(unchanged(shared, 'ours'))
  expect(unchanged(shared, 'theirs')).not.toBe(unchanged(shared, 'ours'))
  expect(objectsIn(unchanged(shared, 'theirs')).map(({ from }) => from)).toEqual(['theirs'])
  const own = [writtenObject(configMapText('a'))]
  expect(unchanged(own, 'ours')).not.toBe(unchanged(own, 'ours'))
})

test('a shared file that is shared again keeps what is known of it', () => {
  const content = share([writtenObject(configMapText('a'))])
  const before = unchanged(content, 'ours')
  expect(share(content)).toBe(content)
  expect(unchanged(content, 'ours')).toBe(before)
})

test('a word is looked for in every object of a file, in a shared file once for each word', () => {
  let asked = 0
  const search = (content: readonly ReturnType<typeof writtenObject>[], word: string) =>
    mayHoldWord(content, word, (one) => {
      asked++
      return one
    })
  const own = [writtenObject(configMapText('one')), writtenObject(configMapText('two'))]
  expect([search(own, 'two'), search(own, 'two'), search(own, 'nowhere')]).toEqual([true, true, false])
  expect(asked).toBe(6)
  const shared = share([...own])
  expect([search(shared, 'two'), search(shared, 'nowhere'), search(shared, 'two'), search(shared, 'nowhere')]).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect(asked).toBe(10)
})

test('after a run, a package has its new files, not the deleted ones, and the new bytes of changed ones', () => {
  const texts: Readonly<Record<string, string>> = { a: 'old', gone: 'old', kept: 'kept' }
  const pkg = { folder: 'edge/shop', paths: Object.keys(texts), read: (path: string) => Buffer.from(texts[path] ?? '') }
  const changed = new Map([
    ['a', Buffer.from('new')],
    ['new', Buffer.from('made')],
    ['gone', undefined],
  ])
  const after = afterRun(pkg, { changed })
  expect(after.folder).toBe('edge/shop')
  expect(after.paths.map((path) => [path, Buffer.from(after.read(path)).toString()])).toEqual([
    ['a', 'new'],
    ['kept', 'kept'],
    ['new', 'made'],
  ])
})
