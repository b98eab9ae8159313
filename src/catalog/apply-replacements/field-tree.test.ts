import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { copyOf, describeField, dropField, isNull, memberField, plainScalar, putField, sizeOfField, treeOfNode } from './field-tree.ts'

const TEXT = 'kind: A\nlist: [a, 5]\nmap: &m {k: "x"}\nnone: ~\nlink: *m\n'

const tree = () => treeOfNode(writtenObject(TEXT).written().node)

test('a tree has the text and the value of each scalar', () => {
  const root = tree()
  expect(memberField(root, 'kind')).toEqual({ type: 'scalar', text: 'A', value: 'A' })
  expect(memberField(memberField(root, 'list') ?? root, 1)).toEqual({ type: 'scalar', text: '5', value: 5 })
  expect(memberField(memberField(root, 'map') ?? root, 'k')).toEqual({ type: 'scalar', text: 'x', value: 'x' })
  expect(memberField(root, 'link')).toEqual({ type: 'alias' })
})

test('a text without quotes has the type that it looks like', () => {
  expect(['80', 'true', '', 'web', '0x10'].map((text) => plainScalar(text).value)).toEqual([80, true, null, 'web', 16])
})

test('only a map has members by name, and only a list by number', () => {
  const root = tree()
  const list = memberField(root, 'list') ?? root
  expect(memberField(list, '0')).toBeUndefined()
  expect(memberField(list, 2)).toBeUndefined()
  expect(memberField(plainScalar('a'), 'length')).toBeUndefined()
  putField(root, [7], plainScalar('seven'))
  expect(memberField(root, 7)).toMatchObject({ text: 'seven' })
})

test('a copy is independent at every depth', () => {
  const root = tree()
  const copy = copyOf(root)
  putField(copy, ['map', 'k'], plainScalar('new'))
  putField(copy, ['list', 0], plainScalar('new'))
  dropField(copy, ['kind'])
  expect(root).toEqual(tree())
})

test('a field is put into its holder, or at the end of a list', () => {
  const root = tree()
  putField(root, ['list', 2], plainScalar('c'))
  putField(root, ['map', 'j'], plainScalar('y'))
  putField(root, ['missing', 'j'], plainScalar('y'))
  putField(root, ['list', 'j'], plainScalar('y'))
  putField(root, ['kind', 'j'], plainScalar('y'))
  expect(describe(root)).toBe('{kind: A, list: [a, 5, c], map: {k: x, j: y}, none: ~, link: alias}')
})

test('a field is taken out of its holder, and the others move up', () => {
  const root = tree()
  dropField(root, ['list', 0])
  dropField(root, ['list', '0'])
  dropField(root, ['map', 'k'])
  dropField(root, ['missing', 'k'])
  expect(describe(root)).toBe('{kind: A, list: [5], map: {}, none: ~, link: alias}')
})

function describe(field: ReturnType<typeof tree>): string {
  if (field.type === 'map') return `{${[...field.entries].map(([key, value]) => `${key}: ${describe(value)}`).join(', ')}}`
  if (field.type === 'list') return `[${field.items.map(describe).join(', ')}]`
  return field.type === 'scalar' ? field.text : field.type
}

test('the size is the characters of all scalars, and one for each value', () => {
  expect(sizeOfField(plainScalar('abc'))).toBe(4)
  // The map, A, the list with a and 5, the map with x, ~, the alias.
  expect(sizeOfField(tree())).toBe(1 + 2 + (1 + 2 + 2) + (1 + 2) + 2 + 1)
})

test('a message names the kind of a field, or its text', () => {
  const root = tree()
  expect(['kind', 'list', 'map', 'none', 'link'].map((key) => describeField(memberField(root, key) ?? root))).toEqual([
    "'A'",
    'a list',
    'a map',
    'null',
    'an alias',
  ])
  expect(['kind', 'list', 'none'].map((key) => isNull(memberField(root, key) ?? root))).toEqual([false, false, true])
})
