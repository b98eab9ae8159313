import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dependenciesOf, findCycles, formatCycle, impliedNodes, knotsOf } from './graph.ts'

const nodes = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const graphs = fc
  .dictionary(nodes, fc.array(nodes, { maxLength: 4 }))
  .map((record) => new Map<string, readonly string[]>(Object.entries(record)))

test('a cycle is a way along dependencies that ends where it begins', () => {
  fc.assert(
    fc.property(graphs, (graph) =>
      findCycles(graph).every(
        (cycle) => cycle[0] === cycle.at(-1) && cycle.slice(1).every((node, i) => graph.get(cycle[i] ?? '')?.includes(node)),
      ),
    ),
  )
  expect(
    findCycles(
      new Map([
        ['c', ['a']],
        ['a', ['b']],
        ['b', ['c', 'b']],
      ]),
    ),
  ).toEqual([['a', 'b', 'c', 'a']])
})

test('a chain of 100,000 packages is no recursion', () => {
  const chain = new Map(Array.from({ length: 100_000 }, (_, i) => [`n${i}`, [`n${i + 1}`]]))
  expect(findCycles(chain)).toEqual([])
  expect(impliedNodes(chain)).toEqual(['n100000'])
})

test('keys of prototypes are ordinary nodes', () => {
  fc.assert(fc.property(fc.string(), (name) => impliedNodes(new Map([['constructor', [name, '__proto__']]])).includes('__proto__')))
  expect(
    dependenciesOf(
      new Map([
        ['a', ['b']],
        ['b', ['a', 'c']],
      ]),
      'a',
    ),
  ).toEqual(['b', 'c'])
})

test('a cycle of 10,000 packages is one, and is named by its beginning', () => {
  const ring = new Map(Array.from({ length: 10_000 }, (_, i) => [`n${i}`, [`n${(i + 1) % 10_000}`]]))
  const [cycle = [], ...others] = findCycles(ring)
  expect(others).toEqual([])
  expect(cycle.length).toBe(10_001)
  const shown = formatCycle(
    cycle,
    (node) => node,
    () => 'AT',
  )
  expect(shown).toBe(`${Array.from({ length: 20 }, (_, i) => `n${i} (AT)`).join(' -> ')} -> 9980 more -> n0`)
})

test.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
  ['a chain', { a: ['b'], b: ['c'] }, []],
  ['two ways to one node', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ['a node that requires itself', { a: ['a', 'b'], b: [] }, ['a']],
  ['a ring', { a: ['b'], b: ['c'], c: ['a'] }, ['a b c']],
  ['a ring with a way in and a way out', { in: ['a'], a: ['b'], b: ['a', 'out'], out: [] }, ['a b']],
  ['two rings with one node of both', { a: ['b'], b: ['a', 'c'], c: ['b'] }, ['a b c']],
  ['two rings, one of which requires the other', { a: ['b', 'c'], b: ['a'], c: ['d'], d: ['c'] }, ['a b', 'c d']],
])('the knots of %s are groups of nodes that require each other', (_what, record, expected) => {
  const knots = knotsOf(new Map(Object.entries(record)))
  expect(knots.map((knot) => [...knot].sort().join(' ')).sort()).toEqual(expected)
})

test('the way that a cycle names is the shortest, and cycles are in the order of their first nodes', () => {
  const graph = new Map(Object.entries({ x: ['y'], y: ['x'], a: ['b', 'd'], b: ['c'], c: ['d'], d: ['a'] }))
  expect(findCycles(graph)).toEqual([
    ['a', 'd', 'a'],
    ['x', 'y', 'x'],
  ])
})
