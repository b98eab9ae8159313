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
  const search = new ComponentSearch(graph)
  for (const root of sorted([...graph.keys()])) search.from(root)
  return search.components.filter((component) => isCycle(graph, component))
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

interface Visit {
  readonly node: string
  readonly next: readonly string[]
  position: number
}

/**
 * Tarjan's algorithm for strongly connected components, with a stack of its own instead of recursion: chains may be 10,000 packages long.
 */
class ComponentSearch {
  readonly components: string[][] = []
  readonly #graph: DependencyGraph
  readonly #index = new Map<string, number>()
  readonly #low = new Map<string, number>()
  readonly #open: string[] = []
  readonly #isOpen = new Set<string>()
  readonly #visits: Visit[] = []

  constructor(graph: DependencyGraph) {
    this.#graph = graph
  }

  from(root: string): void {
    if (!this.#index.has(root)) this.#enter(root)
    for (let visit = this.#visits.at(-1); visit !== undefined; visit = this.#visits.at(-1)) this.#step(visit)
  }

  #enter(node: string): void {
    this.#low.set(node, this.#index.size)
    this.#index.set(node, this.#index.size)
    this.#open.push(node)
    this.#isOpen.add(node)
    this.#visits.push({ node, next: sorted([...(this.#graph.get(node) ?? [])]), position: 0 })
  }

  #step(visit: Visit): void {
    const next = visit.next[visit.position++]
    if (next === undefined) this.#leave(visit.node)
    else if (!this.#index.has(next)) this.#enter(next)
    else if (this.#isOpen.has(next)) this.#lower(visit.node, this.#index.get(next) ?? 0)
  }

  #leave(node: string): void {
    this.#visits.pop()
    const low = this.#low.get(node) ?? 0
    if (low === this.#index.get(node)) this.#close(node)
    const parent = this.#visits.at(-1)
    if (parent !== undefined) this.#lower(parent.node, low)
  }

  #lower(node: string, value: number): void {
    this.#low.set(node, Math.min(this.#low.get(node) ?? value, value))
  }

  #close(node: string): void {
    const component = this.#open.splice(this.#open.lastIndexOf(node))
    for (const each of component) this.#isOpen.delete(each)
    this.components.push(component)
  }
}

function sorted(nodes: readonly string[]): string[] {
  return [...new Set(nodes)].sort(compareText)
}
