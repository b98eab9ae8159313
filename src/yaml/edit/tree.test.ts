import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { Copied, copied, type EmittedValue } from '../emit/content.ts'
import { AliasError } from '../read/alias-targets.ts'
import { linkedRoot, treeAt } from './testing/linked-root.ts'
import {
  contentEntries,
  contentItems,
  contentOf,
  EditedMap,
  type EditTree,
  inheritedChild,
  mergedKeys,
  nodeOf,
  ownChild,
  readEntries,
  refuseAlias,
  treeChild,
  treeEntries,
  treeItems,
  treeValue,
} from './tree.ts'

const written = (content: EmittedValue): EditTree => ({ type: 'written', was: undefined, content })
const copyOf = (text: string): EmittedValue => copied(linkedRoot(text))

/** Returns an edited map with the entries of a text. */
function mapOf(text: string): EditedMap {
  const root = linkedRoot(text)
  return new EditedMap(root, root.type === 'map' ? root : undefined)
}

/** Returns the plain value of a tree. */
function plain(tree: EditTree | undefined): JsonValue | undefined {
  return tree && treeValue(tree, [])
}

const MERGED = 'b: &b {p: 1, q: 2}\na: {<<: *b, q: 3, r: 4}\n'

describe('an edited map', () => {
  test('has the entries of its text before any edit', () => {
    const map = mapOf('{a: 1, b: 2}')
    expect([[...map.entries().keys()], plain(map.get('a')), map.get('c'), plain(map)]).toEqual([['a', 'b'], 1, undefined, { a: 1, b: 2 }])
  })

  test('has no entries without a text', () => {
    const map = new EditedMap(undefined, undefined)
    expect([map.entries().size, map.get('a'), map.merge]).toEqual([0, undefined, undefined])
  })

  test('keeps the place of an entry that changes, and puts new ones behind in the order in which they came', () => {
    const map = mapOf('{a: 1, b: 2}')
    map.set('d', written(4))
    map.set('c', written(3))
    map.set('a', { type: 'written', was: map.get('a') && nodeOf(treeAt(map, 'a')), content: 5 })
    expect(JSON.stringify(plain(map))).toBe('{"a":5,"b":2,"d":4,"c":3}')
  })

  test('an entry that goes is missing, and comes back as the last', () => {
    const map = mapOf('{a: 1, b: 2}')
    map.set('c', written(3))
    map.delete('a')
    expect(JSON.stringify(plain(map))).toBe('{"b":2,"c":3}')
    map.set('a', written(1))
    expect(JSON.stringify(plain(map))).toBe('{"b":2,"c":3,"a":1}')
  })

  test('a new entry that goes leaves no trace', () => {
    const map = mapOf('{a: 1}')
    map.set('b', written(2))
    map.delete('b')
    map.delete('c')
    expect([[...map.entries().keys()], map.get('b')]).toEqual([['a'], undefined])
  })

  test('counts the last of repeated keys', () => {
    const map = mapOf('{a: 1, a: 2}')
    expect([plain(map.get('a')), map.entries().size, plain(map)]).toEqual([2, 1, { a: 2 }])
  })

  test('a copy has the edits, and further edits of its own', () => {
    const map = mapOf('{a: 1}')
    map.set('b', written(2))
    const copy = map.copy()
    copy.set('c', written(3))
    map.set('d', written(4))
    expect([copy.was, plain(copy), plain(map)]).toEqual([map.was, { a: 1, b: 2, c: 3 }, { a: 1, b: 2, d: 4 }])
  })
})

describe('the changes of an edited map in its text', () => {
  function changesOf(text: string, edit: (map: EditedMap) => void) {
    const root = linkedRoot(text)
    if (root.type !== 'map') throw new Error('no map')
    const map = new EditedMap(root, root)
    edit(map)
    return map.changesIn(root)
  }

  test('are the changed and the new entries', () => {
    const changes = changesOf('{a: 1, b: 2}', (map) => {
      map.set('c', written(3))
      map.set('a', { type: 'written', was: nodeOf(treeAt(map, 'a')), content: 5 })
    })
    expect([...(changes?.keys() ?? [])]).toEqual(['c', 'a'])
  })

  test('are none if an entry goes or moves, in an empty map, and in another map', () => {
    expect(changesOf('{a: 1}', (map) => map.delete('a'))).toBeUndefined()
    expect(changesOf('{a: 1}', (map) => map.set('a', written(2)))).toBeUndefined()
    expect(changesOf('{}', (map) => map.set('a', written(2)))).toBeUndefined()
    const other = linkedRoot('{a: 1}')
    expect(other.type === 'map' && mapOf('{a: 1}').changesIn(other)).toBeUndefined()
  })
})

describe('the merge key of a map', () => {
  const merging = () => {
    const root = treeAt(linkedRoot(MERGED), 'a')
    if (root.type !== 'map') throw new Error('no map')
    return new EditedMap(root, root)
  }

  test('brings in what the map has not itself', () => {
    const map = merging()
    expect([map.merge?.type, [...readEntries(map).keys()], plain(map)]).toEqual(['alias', ['p', 'q', 'r'], { p: 1, q: 3, r: 4 }])
    expect([...mergedKeys(map)]).toEqual(['p', 'q'])
    expect([...mergedKeys(treeAt(linkedRoot(MERGED), 'a'))]).toEqual(['p', 'q'])
  })

  test('is none after its removal, nor in another tree', () => {
    const map = merging()
    map.delete('<<')
    expect([map.merge, [...mergedKeys(map)], plain(map)]).toEqual([undefined, [], { q: 3, r: 4 }])
    expect(mergedKeys(written({ '<<': 1 })).size).toBe(0)
  })

  test('is replaced by its entries, behind those of the map', () => {
    const map = merging()
    map.spreadMerge()
    expect([map.merge, JSON.stringify(plain(map))]).toEqual([undefined, '{"q":3,"r":4,"p":1}'])
    const without = mapOf('{a: 1}')
    without.spreadMerge()
    expect(plain(without)).toEqual({ a: 1 })
  })

  test('with an unknown value brings in nothing, and its map cannot be read where something is missing', () => {
    const root = linkedRoot('a: {<<: *b, q: 3}\n')
    expect(mergedKeys(treeAt(root, 'a')).size).toBe(0)
    expect(treeValue(root, ['a', 'q'])).toBe(3)
    expect(() => treeValue(root, ['a', 'p'])).toThrow(expect.objectContaining({ anchor: 'b', path: ['a', '<<'] }))
  })
})

const TREES: readonly (readonly [string, EditTree])[] = [
  ['a text', linkedRoot('m: {x: 1}\nl: [2, 3]\ns: 4\n')],
  ['a plain value', written({ m: { x: 1 }, l: [2, 3], s: 4 })],
  ['a copied value', written(copyOf('m: {x: 1}\nl: [2, 3]\ns: 4\n'))],
  ['an edited map', mapOf('m: {x: 1}\nl: [2, 3]\ns: 4\n')],
]

describe.each(TREES)('%s', (_, tree) => {
  test('has children by their keys and positions', () => {
    const found = [['m', 'x'], ['l', 0], ['l', 1], ['s']].map((path) => plain(treeAt(tree, ...path)))
    expect(found).toEqual([1, 2, 3, 4])
  })

  test('has no other children', () => {
    const list = treeAt(tree, 'l')
    const missing = [treeChild(tree, 'z'), treeChild(list, 2), treeChild(list, '0'), treeChild(list, -1), treeChild(treeAt(tree, 's'), 0)]
    expect(missing).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect([treeChild(tree, 'constructor'), treeChild(treeAt(tree, 's'), 'length')]).toEqual([undefined, undefined])
  })

  test('has entries if it is a map, and items if it is a list', () => {
    const list = treeAt(tree, 'l')
    expect([...(treeEntries(tree)?.keys() ?? [])]).toEqual(['m', 'l', 's'])
    expect(treeItems(list)?.map(plain)).toEqual([2, 3])
    expect([treeEntries(list), treeItems(tree), treeEntries(treeAt(tree, 's')), treeItems(treeAt(tree, 's'))]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test('has a plain value, at each path that exists', () => {
    expect(treeValue(tree, [])).toEqual({ m: { x: 1 }, l: [2, 3], s: 4 })
    expect([treeValue(tree, ['m', 'x']), treeValue(tree, ['l', 5]), treeValue(tree, ['m', 'x', 'y'])]).toEqual([1, undefined, undefined])
  })
})

test('an edited list has its items in their new order', () => {
  const root = linkedRoot('[1, 2]')
  const list: EditTree = { type: 'edited-list', was: root, items: [written(9), treeAt(root, 0)] }
  expect([plain(list), treeItems(list)?.length, plain(treeChild(list, 0)), treeChild(list, 'x'), nodeOf(list)]).toEqual([
    [9, 1],
    2,
    9,
    undefined,
    root,
  ])
  expect([contentOf(list)].flat()).toEqual([9, expect.any(Copied)])
})

test('a child is found through an alias and a merge key, as a value to write if the merge key brings it in', () => {
  const root = linkedRoot(`${MERGED}c: *b\n`)
  expect(treeValue(root, ['c', 'p'])).toBe(1)
  const merged = treeAt(root, 'a')
  expect(treeChild(merged, 'p')).toMatchObject({ type: 'written', was: undefined, key: { text: 'p' } })
  expect([ownChild(merged, 'p'), plain(inheritedChild(merged, 'q')), plain(treeChild(merged, 'q')), inheritedChild(merged, 'r')]).toEqual([
    undefined,
    2,
    3,
    undefined,
  ])
})

test('nothing is read through an alias with an unknown value', () => {
  const root = linkedRoot('a: *x\n')
  expect(() => treeValue(root, ['a', 'b'])).toThrow(AliasError)
  expect(() => treeValue(root, ['a', 'b'])).toThrow(expect.objectContaining({ anchor: 'x', path: ['a'] }))
  expect(() => treeValue(root, ['a'])).toThrow(expect.objectContaining({ anchor: 'x', path: ['a'] }))
  expect(() => treeValue(root, [])).toThrow(expect.objectContaining({ anchor: 'x', path: ['a'] }))
  expect(treeValue(root, ['b'])).toBeUndefined()
})

test('a missing member of an alias with a known value is no fault', () => {
  expect(treeValue(linkedRoot('b: &b {p: 1}\na: *b\n'), ['a', 'z'])).toBeUndefined()
})

test('an alias is refused with its path, and no other tree', () => {
  const root = linkedRoot('b: &b 1\na: *b\n')
  expect(() => refuseAlias(treeAt(root, 'a'), ['a', 'c', 'd'], 1)).toThrow(expect.objectContaining({ anchor: 'b', path: ['a'] }))
  expect(() => refuseAlias(treeAt(root, 'b'), ['b', 'c'], 1)).not.toThrow()
})

test('content has entries if it is a map, with the keys of its text if it is copied', () => {
  expect(contentEntries({ a: 1 })).toEqual([{ name: 'a', value: 1 }])
  expect(contentEntries(copyOf("{'a': 1}"))).toMatchObject([{ name: 'a', key: { style: 'single' }, value: expect.any(Copied) }])
  expect([contentEntries([1]), contentEntries('a'), contentEntries(null), contentEntries(copyOf('[1]'))]).toEqual(Array(4).fill(undefined))
})

test('content has items if it is a list', () => {
  expect(contentItems([1, 2])).toEqual([1, 2])
  expect(contentItems(copyOf('[1, 2]'))).toHaveLength(2)
  expect([contentItems({ a: 1 }), contentItems('a'), contentItems(null), contentItems(copyOf('{a: 1}'))]).toEqual(Array(4).fill(undefined))
})

test('the content of an edited map has what its merge key brings in, and keys such as __proto__', () => {
  const map = mapOf('{__proto__: 1}')
  const content = contentOf(map)
  expect(contentEntries(content)?.map(({ name }) => name)).toEqual(['__proto__'])
  const merging = treeAt(linkedRoot(MERGED), 'a')
  const edited = merging.type === 'map' ? new EditedMap(merging, merging) : merging
  expect(contentEntries(contentOf(edited))?.map(({ name }) => name)).toEqual(['p', 'q', 'r'])
})
