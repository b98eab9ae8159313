import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { isBytes } from '../../merge/package-files.ts'
import { contentsOf, objectAt, unchanged } from './rendered-package.ts'
import { WorkingPackage } from './working-package.ts'

const object = (kind: string, name: string) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`
const TEXTS: Texts = {
  Kptfile: object('Kptfile', 'shop'),
  'two.yaml': `${object('A', 'one')}---\n${object('B', 'two')}`,
  'notes.txt': 'kind: A',
  'db/Kptfile': object('Kptfile', 'db'),
  'db/a.yaml': object('A', 'db-one'),
  'plain/a.yaml': object('A', 'plain'),
  'sources/a.yaml': object('A', 'source'),
  'sources.yaml': object('A', 'beside'),
}
const FILES = new Map([...packageOfTexts(TEXTS)].map(([path, content]) => [path, unchanged(content, 'ours')]))

/** Returns the texts of a package as it will be written. */
function textsOf(pkg: WorkingPackage): Texts {
  const texts = [...contentsOf(pkg.contents)].map(([path, content]) => [
    path,
    isBytes(content) ? Buffer.from(content).toString() : content.map((one) => one.toText()).join('---\n'),
  ])
  return Object.fromEntries(texts)
}

test('a package without a Kptfile is none', () => {
  expect(() => new WorkingPackage(new Map([...FILES].filter(([path]) => path !== 'Kptfile')))).toThrow(/has a Kptfile/)
})

test('a change of the Kptfile is in the content of the package and not in the files that it was made from', () => {
  const pkg = new WorkingPackage(FILES)
  pkg.kptfile.set(['metadata', 'name'], 'mine')
  expect(objectAt(pkg.contents, 'Kptfile')?.name).toBe('mine')
  expect(objectAt(FILES, 'Kptfile')?.name).toBe('shop')
})

test("a package's own objects are those outside of subpackages and the folder of sources", () => {
  const pkg = new WorkingPackage(FILES)
  expect(pkg.files()).toEqual(['Kptfile', 'two.yaml', 'plain/a.yaml', 'sources.yaml'])
  expect(pkg.pick('kind', () => true).map(({ name }) => name)).toEqual(['shop', 'one', 'two', 'plain', 'beside'])
})

test('objects are picked that pass the test, in files that hold the word and in those that were changed', () => {
  const pickFrom = (pkg: WorkingPackage, word: string, kind: string) => pkg.pick(word, (one) => one.kind === kind).map(({ name }) => name)
  expect(pickFrom(new WorkingPackage(FILES), 'two', 'A')).toEqual(['one'])
  expect(pickFrom(new WorkingPackage(FILES), 'plain', 'B')).toEqual([])
  expect(pickFrom(new WorkingPackage(FILES), 'nowhere', 'A')).toEqual([])
  expect(pickFrom(new WorkingPackage(FILES), 'nowhere', 'Kptfile')).toEqual(['shop'])
})

test('a picked object is the same draft for each call, and no other object becomes one', () => {
  const pkg = new WorkingPackage(FILES)
  const [one] = pkg.pick('one', ({ name }) => name === 'one')
  expect(one).toBeDefined()
  expect(pkg.pick('one', ({ name }) => name === 'one')).toEqual([one])
  expect(objectAt(pkg.contents, 'two.yaml', 0)).toBe(one)
  expect(objectAt(pkg.contents, 'two.yaml', 1)).toBe(objectAt(FILES, 'two.yaml', 1))
  one?.set(['data'], { new: 'word' })
  expect(textsOf(pkg)).toEqual({ ...TEXTS, 'two.yaml': `${object('A', 'one')}data:\n  new: word\n---\n${object('B', 'two')}` })
  expect(pkg.pick('word', ({ kind }) => kind === 'A')).toEqual([one])
})

test('an object is added behind those of its file, and takes the place of the object with its kind and name', () => {
  const pkg = new WorkingPackage(FILES)
  pkg.add({ apiVersion: 'v1', kind: 'A', metadata: { name: 'two' } }, 'two.yaml')
  expect(textsOf(pkg)['two.yaml']).toBe(`${TEXTS['two.yaml']}---\napiVersion: v1\nkind: A\nmetadata:\n  name: two\n`)
  pkg.add({ apiVersion: 'v1', kind: 'A', metadata: { name: 'one' }, data: {} }, 'new.yaml')
  expect(pkg.contents.has('new.yaml')).toBe(false)
  expect(objectAt(pkg.contents, 'two.yaml')?.get(['data'])).toEqual({})
  const added = pkg.add({ apiVersion: 'v1', kind: 'C', metadata: { name: 'new' } }, 'new.yaml')
  expect(pkg.files()).toContain('new.yaml')
  expect(pkg.pick('new', ({ kind }) => kind === 'C')).toEqual([added])
})

test('an object of a subpackage does not take the place of a new one', () => {
  const pkg = new WorkingPackage(FILES)
  pkg.add({ apiVersion: 'v1', kind: 'A', metadata: { name: 'db-one' } }, 'new.yaml')
  expect(objectAt(pkg.contents, 'new.yaml')?.name).toBe('db-one')
})
