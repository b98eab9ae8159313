import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dependenciesOf, findCycles, formatCycle, impliedNodes } from './graph.ts'

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
