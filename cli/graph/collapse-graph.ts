import { groupBy } from '../../src/group-by.ts'
import { remember } from '../../src/remember.ts'
import { countOf } from '../../src/wording.ts'
import type { FleetGraph, GraphNode } from './fleet-graph.ts'

/** The most nodes that a drawing can have and still be read. */
const MOST_NODES = 200
/** A label with more values than this would hardly reduce the number of nodes. */
const MOST_VALUES = 12

/**
 * Returns the first form of the graph with at most `most` nodes: the graph unchanged; the variants of each target as one node for each
 * value of a label; as one node for each target; the same with all other nodes of a type as one; at last one node for each type. Variants
 * of two rings stay two nodes, except in the last form.
 */
export function collapseGraph(graph: FleetGraph, most = MOST_NODES): FleetGraph {
  const forms = [
    () => graph,
    () => mergeNodes(graph, byLabel(graph)),
    () => mergeNodes(graph, (node) => (isVariant(node) ? part(node, '') : node)),
    () => mergeNodes(graph, (node) => (isVariant(node) ? part(node, '') : { ...node, id: `all ${node.type}`, label: node.type })),
  ]
  for (const form of forms) {
    const collapsed = form()
    if (collapsed.nodes.length <= most) return collapsed
  }
  return mergeNodes(graph, (node) => ({ ...node, id: `all ${node.type}`, label: node.type }))
}

function isVariant({ type, parent }: GraphNode): boolean {
  return type === 'variant' && parent !== undefined
}

function part(node: GraphNode, label: string): GraphNode {
  return { ...node, id: JSON.stringify([node.parent, node.ring, label]), label }
}

/**
 * Returns a function that replaces each variant by a node for its label value. The label is the one that splits the variants of the target
 * into the fewest parts, but more than one.
 */
function byLabel({ nodes }: FleetGraph): (node: GraphNode) => GraphNode {
  const keys = new Map(
    [...groupBy(nodes.filter(isVariant), ({ parent, ring }) => JSON.stringify([parent, ring]))].map(([place, variants]) => [
      place,
      splitter(variants),
    ]),
  )
  return (node) => {
    const key = isVariant(node) ? keys.get(JSON.stringify([node.parent, node.ring])) : undefined
    if (!isVariant(node)) return node
    return part(node, key === undefined ? '' : `${key}=${node.labels?.get(key) ?? ''}`)
  }
}

function splitter(variants: readonly GraphNode[]): string | undefined {
  const values = new Map<string, Set<string>>()
  for (const { labels } of variants) for (const [key, value] of labels ?? []) remember(values, key, () => new Set<string>()).add(value)
  const few = [...values].filter(([, { size }]) => size > 1 && size <= MOST_VALUES)
  return few.sort(([a, one], [b, other]) => one.size - other.size || (a < b ? -1 : 1))[0]?.[0]
}

/** Nodes that get one id become one, with their number; edges between the same two become one. */
function mergeNodes({ nodes, edges, rings }: FleetGraph, toGroup: (node: GraphNode) => GraphNode): FleetGraph {
  const groups = new Map(nodes.map((node) => [node.id, toGroup(node)]))
  const merged = [...groupBy([...groups.values()], ({ id }) => id).values()].map((members) => nameGroup(members))
  const ends = edges.map(({ from, to, label }) => ({ from: groups.get(from)?.id ?? from, to: groups.get(to)?.id ?? to, label }))
  const joined = [...groupBy(ends, ({ from, to }) => JSON.stringify([from, to])).values()].map(([first, ...others]) =>
    others.every(({ label }) => label === first.label) ? first : { ...first, label: '' },
  )
  const used = new Set(merged.flatMap(({ ring }) => ring ?? []))
  return { nodes: merged, edges: joined, rings: rings.filter(({ id }) => used.has(id)) }
}

const NOUNS: Readonly<Record<GraphNode['type'], string>> = {
  package: 'package',
  set: 'set',
  target: 'target',
  variant: 'variant',
  dependency: 'dependency',
  missing: 'missing dependency',
}

function nameGroup([first, ...others]: readonly [GraphNode, ...GraphNode[]]): GraphNode {
  const { id, type, label } = first
  const ring = others.every((other) => other.ring === first.ring) && first.ring !== undefined ? { ring: first.ring } : {}
  if (others.length === 0 && type !== 'variant') return { id, type, label }
  const count = countOf(others.length + 1, NOUNS[type])
  return { id, type, label: label === '' || label === type ? count : `${label}: ${count}`, ...ring }
}
