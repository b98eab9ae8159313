import { expect, test } from 'vitest'
import type { FieldPath } from '../../field-path.ts'
import { References } from './references.ts'
import { linkedRoot } from './testing/linked-root.ts'
import { type EditTree, nodeOf } from './tree.ts'
import { treeAfter, treeAfterMove } from './tree-change.ts'

const root = linkedRoot(`\
a: &x {b: 1, c: 2}
k: *x
l: [&y one, two, *y]
m: {n: &z 1, o: &z 2, p: *z}
free: 1
`)

/** Returns a tree after the value at a path is set, in its place. */
function set(tree: EditTree, path: FieldPath): EditTree {
  return treeAfter(tree, path, (there) => ({ type: 'written', was: there && nodeOf(there), content: 'new' })) ?? tree
}

const remove = (tree: EditTree, path: FieldPath) => treeAfter(tree, path, () => undefined) ?? tree

const ofK = { anchor: 'x', alias: ['k'], target: ['a'] }
const ofItem = { anchor: 'y', alias: ['l', 2], target: ['l', 0] }
const ofO = { anchor: 'z', alias: ['m', 'p'], target: ['m', 'o'] }

test.each<[string, EditTree, unknown]>([
  ['no change', root, undefined],
  ['a change elsewhere', set(root, ['free']), undefined],
  ['a change in the value', set(root, ['a', 'b']), ofK],
  ['a new field in the value', set(root, ['a', 'new']), ofK],
  ['a field of the value that goes', remove(root, ['a', 'b']), ofK],
  ['another value', set(root, ['a']), ofK],
  ['a value that goes', remove(root, ['a']), ofK],
  ['an alias that goes', remove(root, ['k']), undefined],
  ['an alias and its value that go', remove(remove(root, ['a']), ['k']), undefined],
  ['an alias that another value replaces, with its value changed', set(set(root, ['k']), ['a', 'b']), undefined],
  ['an item that goes', remove(root, ['l', 0]), ofItem],
  ['an item between the two that goes', remove(root, ['l', 1]), undefined],
  ['a new item', set(root, ['l', 3]), undefined],
  ['the whole list that goes', remove(root, ['l']), undefined],
  ['an alias that moves before its value', treeAfterMove(root, ['l'], 2, 0) ?? root, ofItem],
  ['an earlier value of the same anchor', set(root, ['m', 'n']), undefined],
  ['the last value of the same anchor', set(root, ['m', 'o']), ofO],
  ['the first alias of two that change', set(set(root, ['m', 'o']), ['a', 'b']), ofK],
])('the alias that would get another value by %s', (_, tree, expected) => {
  expect(new References(root).brokenBy(tree)).toEqual(expected)
})

test('an alias of an anchor on a key or on the way to the alias', () => {
  const keyed = linkedRoot('? &k key\n: 1\nv: *k\nw: {deep: [*k]}\n')
  expect(new References(keyed).brokenBy(remove(keyed, ['key']))).toEqual({ anchor: 'k', alias: ['v'], target: ['key'] })
  expect(new References(keyed).brokenBy(remove(remove(keyed, ['key']), ['v']))).toEqual({
    anchor: 'k',
    alias: ['w', 'deep', 0],
    target: ['key'],
  })
})

test('an alias without its anchor above it breaks by nothing', () => {
  const unknown = linkedRoot('a: *x\nb: &x 1\n')
  expect(new References(unknown).brokenBy(set(unknown, ['b']))).toBeUndefined()
})
