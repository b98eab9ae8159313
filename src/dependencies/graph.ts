import { compareText } from '../field-path.ts'

/** A graph of dependencies: each node with its direct dependencies. A dependency that is no key is implied: required, but missing. */
export type DependencyGraph = ReadonlyMap<string, readonly string[]>

/** Returns the nodes that are required but missing, sorted. */
export function impliedNodes(graph: DependencyGraph): string[] {
  return sorted([...graph.values()].flat().filter((node) => !graph.has(node)))
}

/** Returns the direct and indirect dependencies of a node, without the node itself, sorted. */
export function dependenciesOf(graph: DependencyGraph, start: string): string[] {
  const seen = new Set<string>()
  const waiting = [...(graph.get(start) ?? [])]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node) || node === start) continue
    seen.add(node)
    waiting.push(...(graph.get(node) ?? []))
  }
  return sorted([...seen])
}

/** Returns the groups of nodes that require each other, and each single node that requires itself. */
export function knotsOf(graph: DependencyGraph): string[][] {
  return componentsOf(graph).filter((component) => isCycle(graph, component))
}

/** Returns one cycle for each group of nodes that require each other: from its first node by name the shortest way back, `[a, b, c, a]`. */
export function findCycles(graph: DependencyGraph): string[][] {
  return knotsOf(graph)
    .map((knot) => shortestCycle(graph, sorted(knot)))
    .sort((a, b) => compareText(a[0] ?? '', b[0] ?? ''))
}

// The most nodes of a cycle that a message lists.
const MOST_STEPS = 20

/**
 * Returns a cycle in words: `a (AT) -> b (AT) -> a`, each node with the place that requires the next node. Of a long cycle, lists the
 * first nodes and `N more`.
 */
export function formatCycle(
  cycle: readonly string[],
  nameOf: (node: string) => string,
  placeOf: (node: string, next: string) => string,
): string {
  const [first = ''] = cycle
  const steps = cycle.slice(0, -1)
  const shown = steps.slice(0, MOST_STEPS).map((node, i) => `${nameOf(node)} (${placeOf(node, cycle[i + 1] ?? first)})`)
  const more = steps.length > MOST_STEPS ? [`${steps.length - MOST_STEPS} more`] : []
  return [...shown, ...more, nameOf(first)].join(' -> ')
}

function isCycle(graph: DependencyGraph, component: readonly string[]): boolean {
  const [first = ''] = component
  return component.length > 1 || (graph.get(first) ?? []).includes(first)
}

function shortestCycle(graph: DependencyGraph, knot: readonly string[]): string[] {
  const [start = ''] = knot
  const inside = new Set(knot)
  const cameFrom = new Map<string, string>()
  const waiting = [start]
  for (let i = 0; i < waiting.length; i++) {
    const node = waiting[i] ?? ''
    const next = sorted([...(graph.get(node) ?? [])].filter((each) => inside.has(each)))
    if (next.includes(start)) return [...wayTo(node, start, cameFrom), start]
    for (const each of next) {
      if (cameFrom.has(each)) continue
      cameFrom.set(each, node)
      waiting.push(each)
    }
  }
  return [start]
}

function wayTo(node: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const back = [node]
  for (let at = node; at !== start; at = cameFrom.get(at) ?? start) back.push(cameFrom.get(at) ?? start)
  return back.reverse()
}

/** A node that the search has reached. */
interface Visit {
  readonly node: string
  readonly next: readonly string[]
  readonly index: number
  /** The lowest index that the node is known to lead to. */
  low: number
  /** True until the component of the node is found. */
  isOpen: boolean
  position: number
}

/**
 * Tarjan's algorithm for strongly connected components, with a stack of its own instead of recursion: chains may be 10,000 packages long.
 */
function componentsOf(graph: DependencyGraph): string[][] {
  const components: string[][] = []
  const reached = new Map<string | undefined, Visit>()
  const open: Visit[] = []
  const visits: Visit[] = []
  const enter = (node: string): void => {
    const index = reached.size
    const visit = { node, next: sorted(graph.get(node) ?? []), index, low: index, isOpen: true, position: 0 }
    reached.set(node, visit)
    open.push(visit)
    visits.push(visit)
  }
  const leave = (visit: Visit): void => {
    visits.pop()
    const parent = visits.at(-1)
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low)
    if (visit.low < visit.index) return
    const component = open.splice(open.lastIndexOf(visit))
    for (const each of component) each.isOpen = false
    components.push(component.map(({ node }) => node))
  }
  for (const root of sorted([...graph.keys()])) {
    if (!reached.has(root)) enter(root)
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const next = visit.next[visit.position++]
      const seen = reached.get(next)
      if (next === undefined) leave(visit)
      else if (seen === undefined) enter(next)
      else if (seen.isOpen) visit.low = Math.min(visit.low, seen.index)
    }
  }
  return components
}

function sorted(nodes: readonly string[]): string[] {
  return [...new Set(nodes)].sort(compareText)
}
