import { expect, test } from 'vitest'
import { collapseGraph } from './collapse-graph.ts'
import type { FleetGraph, GraphNode } from './fleet-graph.ts'

const RINGS = [
  { id: 'r0', label: 'ring canary', column: 0 },
  { id: 'r1', label: 'ring world', column: 1 },
]

/** Returns a target with so many variants, of which the first ten are in the first ring. */
function fleetOf(variants: number): FleetGraph {
  const nodes = Array.from(
    { length: variants },
    (_, i): GraphNode => ({ id: `v${i}`, type: 'variant', label: `v${i}`, parent: 't', ring: i < 10 ? 'r0' : 'r1', labels: new Map() }),
  )
  const target: GraphNode = { id: 't', type: 'target', label: 'Repository: all' }
  return { nodes: [target, ...nodes], edges: nodes.map(({ id }) => ({ from: 't', to: id, label: '' })), rings: RINGS }
}

test('variants of two rings stay two nodes, each in its ring', () => {
  const { nodes, edges, rings } = collapseGraph(fleetOf(100), 30)
  expect(nodes.map(({ label, ring }) => [label, ring])).toEqual([
    ['Repository: all', undefined],
    ['10 variants', 'r0'],
    ['90 variants', 'r1'],
  ])
  expect(edges.length).toBe(2)
  expect(rings).toEqual(RINGS)
})

test('one node for all variants is in no ring, and the rings are gone', () => {
  const { nodes, rings } = collapseGraph(fleetOf(100), 2)
  expect(nodes.map(({ label, ring }) => [label, ring])).toEqual([
    ['target', undefined],
    ['100 variants', undefined],
  ])
  expect(rings).toEqual([])
})
