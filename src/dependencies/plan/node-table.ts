import { compareText } from '../../field-path.ts'
import type { Dependent, Install, PackageRequirement, Target, Universe } from '../universe.ts'
import type { Closure } from './closure.ts'
import { absentNode, installedNode, type Node, type NodeContext } from './node.ts'
import type { PlanInput } from './plan.ts'

const NO_DIGESTS: ReadonlySet<string> = new Set()

/**
 * The nodes of universes, by id: of what is there, and of what may be required. With a closure all of these are there from the start.
 * Without one a node is made when somebody asks for it; the table is doubtful as soon as only the closure could have told.
 */
export class NodeTable {
  readonly #universes: readonly Universe[]
  readonly #closure: Closure | undefined
  readonly #context: NodeContext
  readonly #byId = new Map<string, Node>()
  readonly #byTarget = new Map<Target, readonly Node[]>()
  #isDoubtful = false

  constructor(
    { universes, policy }: Pick<PlanInput, 'universes' | 'policy'>,
    dependentsOf: (install: Install) => readonly Dependent[],
    closure: Closure | undefined,
  ) {
    this.#universes = universes
    this.#closure = closure
    this.#context = { policy, dependentsOf, digestsOf: (target) => closure?.digests.get(target) ?? NO_DIGESTS }
    for (const universe of universes) this.#addInstalled(universe)
    if (closure !== undefined) for (const universe of universes) this.#addReached(closure, universe)
  }

  /** Whether something was asked that only a closure can answer. */
  get isDoubtful(): boolean {
    return this.#isDoubtful
  }

  get all(): Iterable<Node> {
    return this.#byId.values()
  }

  get(id: string): Node | undefined {
    return this.#byId.get(id)
  }

  /** The nodes of a target; none of one that no universe has. */
  of(target: Target): readonly Node[] {
    const known = this.#byTarget.get(target)
    if (known !== undefined || this.#closure !== undefined) return known ?? []
    const universe = this.#universes.find(({ owns }) => owns(target))
    return universe === undefined ? [] : this.#addAbsent(target, universe)
  }

  /** Those that may meet a requirement: where it installs nothing, of what is there or somebody else installs. */
  for({ target, validateOnly, digest }: PackageRequirement): readonly Node[] {
    if (digest !== undefined) this.#followed()
    return this.of(target).filter(
      ({ install }) => install !== undefined || !validateOnly || this.#followed()?.installable.has(target) === true,
    )
  }

  // Digests, and what others install, are known when everything was followed.
  #followed(): Closure | undefined {
    this.#isDoubtful ||= this.#closure === undefined
    return this.#closure
  }

  #addInstalled(universe: Universe): void {
    const targets = [...new Set(universe.installs.map(({ target }) => target))].sort((a, b) => compareText(a.key, b.key))
    for (const target of targets) {
      const several = target.installs.length > 1
      const sorted = [...target.installs].sort((a, b) => compareText(a.name, b.name))
      const nodes = sorted.map((install, i) => {
        const id = this.#idFor(several ? `${target.name} (${install.name || i})` : target.name, universe)
        return installedNode(id, install, universe, this.#context)
      })
      this.#add(target, nodes)
    }
  }

  #addReached({ targets }: Closure, universe: Universe): void {
    const isOwn = (target: Target): boolean => !this.#byTarget.has(target) && universe.owns(target)
    for (const target of [...targets].filter(isOwn).sort((a, b) => compareText(a.key, b.key))) this.#addAbsent(target, universe)
  }

  #addAbsent(target: Target, universe: Universe): readonly Node[] {
    const nodes = [absentNode(this.#idFor(target.name, universe), target, universe, this.#context)]
    this.#add(target, nodes)
    return nodes
  }

  #add(target: Target, nodes: readonly Node[]): void {
    this.#byTarget.set(target, nodes)
    for (const node of nodes) this.#byId.set(node.id, node)
  }

  // Two systems may have packages of one name; the first of them keeps it.
  #idFor(name: string, { ecosystem }: Universe): string {
    if (!this.#byId.has(name)) return name
    this.#followed()
    return `${name} of ${ecosystem}`
  }
}
