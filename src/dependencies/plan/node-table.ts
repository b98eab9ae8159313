import { compareText } from '../../field-path.ts'
import type { Dependent, Install, PackageRequirement, PackageTarget, Universe } from '../universe.ts'
import type { RequirementClosure } from './closure.ts'
import { absentNode, installedNode, type NodeContext, type PackageNode } from './node.ts'
import type { PlanInput } from './plan.ts'

const NO_DIGESTS: ReadonlySet<string> = new Set()

/**
 * The nodes of universes by id: of installed packages, and of packages that may be required. With a closure all nodes are made at once.
 * Without a closure a node is made when first needed, and the table becomes doubtful as soon as only the closure has an answer.
 */
export class NodeTable {
  readonly #universes: readonly Universe[]
  readonly #closure: RequirementClosure | undefined
  readonly #context: NodeContext
  readonly #byId = new Map<string, PackageNode>()
  readonly #byTarget = new Map<PackageTarget, readonly PackageNode[]>()
  #isDoubtful = false

  constructor(
    { universes, policy }: Pick<PlanInput, 'universes' | 'policy'>,
    dependentsOf: (install: Install) => readonly Dependent[],
    closure: RequirementClosure | undefined,
  ) {
    this.#universes = universes
    this.#closure = closure
    this.#context = { policy, dependentsOf, digestsOf: (target) => closure?.digests.get(target) ?? NO_DIGESTS }
    for (const universe of universes) this.#addInstalled(universe)
    if (closure !== undefined) for (const universe of universes) this.#addReached(closure, universe)
  }

  /** Returns true if an answer was needed that only a closure has. */
  get isDoubtful(): boolean {
    return this.#isDoubtful
  }

  get all(): Iterable<PackageNode> {
    return this.#byId.values()
  }

  get(id: string): PackageNode | undefined {
    return this.#byId.get(id)
  }

  /** Returns the nodes of a target; none for a target that no universe has. */
  of(target: PackageTarget): readonly PackageNode[] {
    const known = this.#byTarget.get(target)
    if (known !== undefined || this.#closure !== undefined) return known ?? []
    const universe = this.#universes.find(({ owns }) => owns(target))
    return universe === undefined ? [] : this.#addAbsent(target, universe)
  }

  /**
   * Returns the nodes that may meet a requirement. For `install: false`, only nodes that are installed or that another requirement may
   * install.
   */
  for({ target, validateOnly, digest }: PackageRequirement): readonly PackageNode[] {
    if (digest !== undefined) this.#followed()
    return this.of(target).filter(
      ({ install }) => install !== undefined || !validateOnly || this.#followed()?.installable.has(target) === true,
    )
  }

  // Only the closure knows all digests and all packages that other requirements install.
  #followed(): RequirementClosure | undefined {
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

  #addReached({ targets }: RequirementClosure, universe: Universe): void {
    const isOwn = (target: PackageTarget): boolean => !this.#byTarget.has(target) && universe.owns(target)
    for (const target of [...targets].filter(isOwn).sort((a, b) => compareText(a.key, b.key))) this.#addAbsent(target, universe)
  }

  #addAbsent(target: PackageTarget, universe: Universe): readonly PackageNode[] {
    const nodes = [absentNode(this.#idFor(target.name, universe), target, universe, this.#context)]
    this.#add(target, nodes)
    return nodes
  }

  #add(target: PackageTarget, nodes: readonly PackageNode[]): void {
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
