import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { isBytes } from '../merge/package-files.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { equalContents, type ObjectPair, PackageComparison, packageContentOf, shownText } from './package-objects.ts'

const config = (name: string, data: string, kind = 'ConfigMap') =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\ndata: {${data}}\n`
const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n'

const shown = ({ before, after }: ObjectPair) => `${before?.name ?? 'none'} → ${after?.name ?? 'none'}`

/** Returns the pairs of objects that differ, with `local` if anything else does. */
function compared(before: Texts, after: Texts, withComments = false): readonly string[] {
  const { pairs, isLocal } = new PackageComparison({ withComments }).compare(packageOfTexts(before), packageOfTexts(after))
  return [...pairs.map(shown), ...(isLocal ? ['local'] : [])]
}

test.each<[string, Texts, Texts, readonly string[]]>([
  ['equal files', { 'a.yaml': config('a', 'x: 1') }, { 'a.yaml': config('a', 'x: 1') }, []],
  ['another value', { 'a.yaml': config('a', 'x: 1') }, { 'a.yaml': config('a', 'x: 2') }, ['a → a']],
  ['an object that comes', {}, { 'a.yaml': config('a', 'x: 1') }, ['none → a']],
  ['an object that goes', { 'a.yaml': config('a', 'x: 1') }, {}, ['a → none']],
  ['an object in another file', { 'a.yaml': config('a', 'x: 1') }, { 'b.yaml': config('a', 'x: 1') }, ['local']],
  [
    'another order of objects',
    { 'a.yaml': `${config('a', 'x: 1')}---\n${config('b', 'x: 1')}` },
    { 'a.yaml': `${config('b', 'x: 1')}---\n${config('a', 'x: 1')}` },
    ['local'],
  ],
  ['a comment', { 'a.yaml': config('a', 'x: 1') }, { 'a.yaml': `# text\n${config('a', 'x: 1')}` }, ['local']],
  ['another Kptfile', { Kptfile: KPTFILE }, { Kptfile: `${KPTFILE}info: {}\n` }, ['local']],
  ['a file without objects', { 'README.md': 'a' }, { 'README.md': 'b' }, ['local']],
  [
    'a file and an object',
    { 'README.md': 'a', 'a.yaml': config('a', 'x: 1') },
    { 'README.md': 'b', 'a.yaml': config('a', 'x: 2') },
    ['a → a', 'local'],
  ],
  ['an object under another name', { 'a.yaml': config('a', 'x: 1, y: 2') }, { 'a.yaml': config('b', 'x: 1, y: 2') }, ['a → b']],
  [
    'an object of the same name in another kind',
    { 'a.yaml': config('a', 'x: 1') },
    { 'a.yaml': config('a', 'x: 1', 'Secret') },
    ['a → none', 'none → a'],
  ],
  [
    'two objects of which none is like the other',
    { 'a.yaml': config('a', 'u: 1, v: 2, w: 3') },
    { 'a.yaml': config('b', 'x: 1, y: 2, z: 3') },
    ['a → none', 'none → b'],
  ],
])('two packages with %s differ in these objects: case %#', (_, before, after, expected) => {
  expect(compared(before, after)).toEqual(expected)
})

test('a comment is a change of its object where comments are asked for', () => {
  expect(compared({ 'a.yaml': config('a', 'x: 1') }, { 'a.yaml': `# text\n${config('a', 'x: 1')}` }, true)).toEqual(['a → a'])
})

test('a renamed object is the one that shares at least half of its fields, the most similar first', () => {
  // Without name: apiVersion, kind and two keys; half of the fields are equal in kind and version alone.
  expect(compared({ 'a.yaml': config('a', 'x: 1, y: 1') }, { 'a.yaml': config('b', 'u: 1, v: 1') })).toEqual(['a → b'])
  expect(compared({ 'a.yaml': config('a', 'x: 1, y: 1, z: 1') }, { 'a.yaml': config('b', 'u: 1, v: 1, w: 1') })).toEqual([
    'a → none',
    'none → b',
  ])
  const before = { 'a.yaml': `${config('a', 'x: 1, y: 1')}---\n${config('b', 'x: 2, y: 2')}` }
  const after = { 'a.yaml': `${config('c', 'x: 2, y: 2')}---\n${config('d', 'x: 1, y: 1')}` }
  expect([...compared(before, after)].sort()).toEqual(['a → d', 'b → c'])
  expect(compared(before, { 'a.yaml': config('c', 'x: 2, y: 2') })).toEqual(['b → c', 'a → none'])
})

test('of more pairs than can be compared, objects are deleted and created', () => {
  const many = (prefix: string, count: number) => ({
    'a.yaml': Array.from({ length: count }, (_, i) => config(`${prefix}${i}`, `x: ${i}`)).join('---\n'),
  })
  expect(compared(many('a', 50), many('b', 50)).every((pair) => !pair.includes('none'))).toBe(true)
  expect(compared(many('a', 50), many('b', 51)).every((pair) => pair.includes('none'))).toBe(true)
})

test('a second object of one identity is not lost', () => {
  const twice = `${config('a', 'x: 1')}---\n${config('a', 'x: 2')}`
  expect(compared({ 'a.yaml': twice }, { 'a.yaml': `${twice}---\n${config('a', 'x: 3')}` })).toEqual(['none → a'])
})

test('two files are equal if they hold the same bytes, or objects with the same texts', () => {
  const content = (text: string, path = 'a.yaml') => packageOfTexts({ [path]: text }).get(path) ?? new Uint8Array()
  const [a, b] = [config('a', 'x: 1'), config('b', 'x: 1')]
  expect(equalContents(content(a), content(a))).toBe(true)
  expect(equalContents(content(a), content(b))).toBe(false)
  expect(equalContents(content(a), content(`${a}---\n${b}`))).toBe(false)
  expect(equalContents(content(`${a}---\n${b}`), content(a))).toBe(false)
  expect(equalContents(content('x', 'x.md'), content('x', 'x.md'))).toBe(true)
  expect(equalContents(content('x', 'x.md'), content('y', 'x.md'))).toBe(false)
  expect(equalContents(content(a), content('x', 'x.md'))).toBe(false)
  expect(equalContents(content('x', 'x.md'), content(a))).toBe(false)
  expect(equalContents(content(a), undefined)).toBe(false)
  expect(equalContents(content('x', 'x.md'), undefined)).toBe(false)
})

test('a file of YAML or JSON holds its objects, any other its bytes', () => {
  const names = (path: string, text: string) => {
    const content = packageContentOf(Buffer.from(text), path)
    return isBytes(content) ? 'bytes' : content.map(({ name }) => name).join()
  }
  expect(names('a.yaml', `${config('a', 'x: 1')}---\n${config('b', 'x: 1')}`)).toBe('a,b')
  expect(names('a.json', '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}')).toBe('a')
  expect([names('a.txt', config('a', 'x: 1')), names('a.yaml', '- a\n')]).toEqual(['bytes', 'bytes'])
})

test('an object is shown as it is written', () => {
  const text = config('a', 'x: 1')
  expect(shownText(KrmObject.fromDocument(text))).toBe(text)
  expect(shownText(KrmObject.fromDocument(`  ${text.replaceAll('\n', '\n  ').trimEnd()}\n`))).toMatch(/^ {2}apiVersion/)
})
