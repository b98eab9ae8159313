import { expect, test } from 'vitest'
import { findChild, findEntry, type MapNode, type Node, nodesAlong, sizeOfCollection, walk } from './node.ts'
import { nodeValue } from './node-value.ts'
import { readYaml } from './yaml-reader.ts'

function mapOf(text: string): MapNode {
  const root = readYaml(text)
  if (root.type !== 'map') throw new Error('no map')
  return root
}

const ROOT = mapOf('a: {b: [x, {c: 1}]}\nd: 2\n')
const value = (node: Node | undefined) => node && nodeValue(node)

test('a map and a list have a size, other nodes have none', () => {
  const sizes = ['{a: 1, b: 2}', '[1, 2, 3]', 'text', '*x', '{}'].map((text) => sizeOfCollection(readYaml(text)))
  expect(sizes).toEqual([2, 3, 0, 0, 0])
})

test.each([2, 16, 17, 40])('the last of repeated keys counts, also among %i entries', (count) => {
  const keys = Array.from({ length: count - 1 }, (_, at) => `k${at}: ${at}`)
  const map = mapOf([...keys, 'k0: last'].join('\n'))
  expect(value(findEntry(map, 'k0')?.value)).toBe('last')
  expect([value(findEntry(map, `k${count - 2}`)?.value), findEntry(map, 'none')]).toEqual([count === 2 ? 'last' : count - 2, undefined])
  expect(findEntry(map, 'k0')).toBe(findEntry(map, 'k0'))
})

test('a child is found by its key or position', () => {
  const list = readYaml('[x, y]')
  expect([value(findChild(ROOT, 'd')), value(findChild(list, 1))]).toEqual([2, 'y'])
  expect([findChild(ROOT, 'z'), findChild(list, 2), findChild(list, '1'), findChild(readYaml('x'), 0)]).toEqual(Array(4).fill(undefined))
  expect(value(findChild(mapOf('1: x'), 1))).toBe('x')
})

test('the nodes along a path begin at the root, and end where the path does', () => {
  const along = (...path: readonly (string | number)[]) => nodesAlong(ROOT, path).map(({ type }) => type)
  expect(along()).toEqual(['map'])
  expect(along('a', 'b', 1, 'c')).toEqual(['map', 'map', 'sequence', 'map', 'scalar'])
  expect(along('a', 'z', 'b')).toEqual(['map', 'map'])
})

test('a walk visits every node in the order of the text, with its path and key', () => {
  const steps = [...walk(ROOT, ['root'])].map(({ path, node, key }) => [path.join('.'), node.type, key?.text])
  expect(steps).toEqual([
    ['root', 'map', undefined],
    ['root.a', 'map', 'a'],
    ['root.a.b', 'sequence', 'b'],
    ['root.a.b.0', 'scalar', undefined],
    ['root.a.b.1', 'map', undefined],
    ['root.a.b.1.c', 'scalar', 'c'],
    ['root.d', 'scalar', 'd'],
  ])
})
