import { expect, test } from 'vitest'
import { linkAliases } from './alias-targets.ts'
import { positionAt } from './lines.ts'
import type { Node } from './node.ts'
import { commentBehind, duplicateKeys, duplicatesIn, headEnd, setterPattern, writtenAliases, writtenScalars } from './written.ts'
import { readYaml } from './yaml-reader.ts'

function rootOf(text: string): Node {
  const root = readYaml(text)
  linkAliases(root)
  return root
}

test('scalars have their spelling, in the order of the text', () => {
  expect(writtenScalars(rootOf('a: 0x10\nb: ["x", \'y\']\nc: {d: }\n'), ['p'])).toEqual([
    { path: ['p', 'a'], style: 'plain', text: '0x10' },
    { path: ['p', 'b', 0], style: 'double', text: 'x' },
    { path: ['p', 'b', 1], style: 'single', text: 'y' },
    { path: ['p', 'c', 'd'], style: 'plain', text: '' },
  ])
})

test('an alias is readable if its value is known, and that of a merge key if it is a map', () => {
  const text = 'x: &x {a: 1}\ny: &y 1\nm: {<<: *x, n: *y}\no: {<<: *y}\np: [*none, *x]\n'
  const aliases = writtenAliases(rootOf(text), (offset) => positionAt(text, offset))
  expect(aliases.map(({ path, anchor, isReadable, position }) => [path.join('.'), anchor, isReadable, position.line])).toEqual([
    ['m.<<', 'x', true, 3],
    ['m.n', 'y', true, 3],
    ['o.<<', 'y', false, 4],
    ['p.0', 'none', false, 5],
    ['p.1', 'x', true, 5],
  ])
})

test('keys that occur more than once are found at every depth, with all their places', () => {
  const text = 'a: 1\nb:\n- c: 1\n  d: {e: 1, e: 2}\n  c: 3\na: {f: 1}\na: 2\n'
  const found = duplicateKeys(rootOf(text), (offset) => positionAt(text, offset))
  expect(found.map(({ path, positions }) => [path.join('.'), positions.map(({ line }) => line)])).toEqual([
    ['a', [1, 6, 7]],
    ['b.0.c', [3, 5]],
    ['b.0.d.e', [4, 4]],
  ])
  expect(duplicateKeys(rootOf('a: {b: 1}\nb: 1\n'), () => ({ line: 1, column: 1 }))).toEqual([])
})

test.each([
  ['a: 1 # why\n', '# why'],
  ['a: 1\n', undefined],
  ['a: 1\n# below\n', undefined],
  ['a: "x"\t#why', '#why'],
  ['a: |- # why\n  # text\n', '# why'],
  ['a: >2+ # why\n   text\n', '# why'],
  ['a: |\n  text # text\n', undefined],
  ['a: {b: 1} # why\n', '# why'],
])('the comment behind the value of %j is %j', (text, expected) => {
  const root = rootOf(text)
  const value = root.type === 'map' ? root.entries[0]?.value : undefined
  expect(value && commentBehind(text, value)).toBe(expected)
})

test('a comment behind a comma belongs to the item before it', () => {
  const text = 'a: [x, # of x\n  y]\n'
  const root = rootOf(text)
  const list = root.type === 'map' ? root.entries[0]?.value : undefined
  const [x, y] = list?.type === 'sequence' ? list.items : []
  expect([x && commentBehind(text, x.value), y && commentBehind(text, y.value)]).toEqual(['# of x', undefined])
})

test('the head of a value ends behind it, that of a block scalar behind its header', () => {
  const endOf = (text: string) => {
    const root = rootOf(text)
    const value = root.type === 'map' ? root.entries[0]?.value : undefined
    return value && text.slice(value.start, headEnd(text, value))
  }
  expect(['a: xy\n', 'a: |2-\n   x\n', 'a: >\n  x\n', 'a: "|"\n'].map(endOf)).toEqual(['xy', '|2-', '>', '"|"'])
})

test.each([
  ['# kpt-set: ${image}:${tag}', '${image}:${tag}'],
  ['# kpt-set: ${a}  ', '${a}'],
  ['# kpt-set:  ${a}', '${a}'],
  ['# kpt-set: ', ''],
  ['#kpt-set: ${a}', undefined],
  ['# other', undefined],
  [undefined, undefined],
])('the comment %j names the setters %j', (comment, expected) => {
  expect(setterPattern(comment)).toBe(expected)
})

test('the keys of one map that occur more than once have its path, those of maps below are not among them', () => {
  const text = 'a: 1\nb: {c: 1, c: 2}\na: 2\n'
  const root = rootOf(text)
  const found = root.type === 'map' ? duplicatesIn(root, ['p', 0], (offset) => positionAt(text, offset)) : []
  expect(found).toEqual([
    {
      path: ['p', 0, 'a'],
      positions: [
        { line: 1, column: 1 },
        { line: 3, column: 1 },
      ],
    },
  ])
})
