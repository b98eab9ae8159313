import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { formatPlace, type Place } from '../place.ts'
import type { Choice, Exclusion, Fact, Package, Problem, Requirement as Wish } from '../resolve/problem.ts'
import { firstVersions, versionSet } from '../resolve/version-set.ts'
import type { Dependent, Install, Requirement, Target, Universe } from '../universe.ts'
import { type Closure, closureOf } from './closure.ts'
import { type DemandContext, demandOf, type Requirer } from './demand.ts'
import { absentNode, indexThere, installedNode, type Node, type NodeContext } from './node.ts'
import type { PlanInput, PlanPolicy } from './plan.ts'

/** What a fact or a requirement of a user's object is about, for results. */
export interface Origin {
  readonly universe: Universe
  readonly place: Place
  readonly dependent?: Dependent | undefined
}

/** Universes as one problem for the solver: they share nothing but the kinds that packages bring. */
export class Planning implements Problem {
  readonly facts: readonly Fact[]
  readonly exclusions: readonly Exclusion[]
  readonly policy: PlanPolicy
  readonly universes: readonly Universe[]
  readonly #closure: Closure
  readonly #context: DemandContext
  readonly #nodeContext: NodeContext
  readonly #nodes = new Map<string, Node>()
  readonly #nodesOf = new Map<Target, readonly Node[]>()
  readonly #universeOf = new Map<Target, Universe>()
  readonly #dependents: ReadonlyMap<Install | undefined, readonly Dependent[]>
  readonly #origins = new Map<Fact | Wish, Origin>()

  constructor({ universes, kinds, policy }: Pick<PlanInput, 'universes' | 'kinds' | 'policy'>) {
    this.universes = universes
    this.policy = policy
    this.#dependents = groupBy(
      universes.flatMap(({ dependents }) => dependents),
      ({ install }) => install,
    )
    this.#closure = closureOf(universes, kinds)
    this.#nodeContext = {
      policy,
      dependentsOf: (install) => this.dependentsOf(install),
      digestsOf: (target) => this.#closure.digests.get(target) ?? new Set(),
    }
    this.#context = { kinds, closure: this.#closure, nodesOf: (target) => this.nodesOf(target) }
    for (const universe of universes) this.#addInstalled(universe)
    for (const universe of universes) this.#addReached(universe)
    this.facts = [...this.#installFacts(), ...this.#writtenFacts()]
    this.exclusions = this.#exclusive()
  }

  get nodes(): Iterable<Node> {
    return this.#nodes.values()
  }

  node(id: string): Node | undefined {
    return this.#nodes.get(id)
  }

  packageOf(id: string): Package {
    return this.#nodes.get(id) ?? { id, versions: [] }
  }

  requirementsOf(id: string, version: number): readonly Wish[] {
    const node = this.#nodes.get(id)
    const value = node?.values[version]
    if (node === undefined || value === undefined) return []
    const { universe, target } = node
    return value.requirements().flatMap((requirement) => {
      const wish = this.wishFor(requirement, { universe, target, tellPlace: value.isInstalled })
      if (wish !== undefined && value.isInstalled)
        this.#origins.set(wish, { universe, place: requirement.place, dependent: this.#dependentOf(node) })
      return wish ?? []
    })
  }

  /** What would meet a requirement of a node; undefined when nothing has to be done for it. */
  wishFor(requirement: Requirement, by: Requirer): Wish | undefined {
    return demandOf(requirement, by, this.#context)
  }

  dependentsOf(install: Install): readonly Dependent[] {
    return this.#dependents.get(install) ?? []
  }

  #dependentOf({ install }: Node): Dependent | undefined {
    return install && this.dependentsOf(install)[0]
  }

  originOf(cause: Fact | Wish): Origin | undefined {
    return this.#origins.get(cause)
  }

  nodesOf(target: Target): readonly Node[] {
    return this.#nodesOf.get(target) ?? []
  }

  /** Packages that are being written, by name. */
  written(): readonly { readonly dependent: Dependent; readonly universe: Universe }[] {
    const all = this.universes.flatMap((universe) => universe.dependents.map((dependent) => ({ dependent, universe })))
    return all.filter(({ dependent }) => dependent.target === undefined).sort((a, b) => compareText(a.dependent.name, b.dependent.name))
  }

  #addInstalled(universe: Universe): void {
    const targets = [...new Set(universe.installs.map(({ target }) => target))].sort((a, b) => compareText(a.key, b.key))
    for (const target of targets) {
      const several = target.installs.length > 1
      const sorted = [...target.installs].sort((a, b) => compareText(a.name, b.name))
      const nodes = sorted.map((install, i) => {
        const id = this.#idFor(several ? `${target.name} (${install.name || i})` : target.name, universe)
        return installedNode(id, install, universe, this.#nodeContext)
      })
      this.#add(target, universe, nodes)
    }
  }

  #addReached(universe: Universe): void {
    const isOwn = (target: Target): boolean => !this.#nodesOf.has(target) && universe.owns(target)
    const targets = [...this.#closure.targets].filter(isOwn).sort((a, b) => compareText(a.key, b.key))
    for (const target of targets)
      this.#add(target, universe, [absentNode(this.#idFor(target.name, universe), target, universe, this.#nodeContext)])
  }

  #add(target: Target, universe: Universe, nodes: readonly Node[]): void {
    this.#universeOf.set(target, universe)
    this.#nodesOf.set(target, nodes)
    for (const node of nodes) this.#nodes.set(node.id, node)
  }

  // Two systems may have packages of one name.
  #idFor(name: string, { ecosystem }: Universe): string {
    return this.#nodes.has(name) ? `${name} of ${ecosystem}` : name
  }

  #installFacts(): Fact[] {
    return [...this.#nodes.values()].flatMap((node) => {
      const { install, isFixed: stays, universe } = node
      const mayGo = install?.generated === true && this.policy.prune && !stays
      if (install === undefined || mayGo) return []
      const what = stays ? `${node.id} ${install.text}`.trim() : node.id
      const fact: Fact = {
        id: node.id,
        text: `${what} is installed (${formatPlace(install.place)})`,
        anyOf: [{ package: node.id, versions: stays ? versionSet([indexThere(node)]) : firstVersions(node.values.length) }],
      }
      this.#origins.set(fact, { universe, place: install.place, dependent: this.#dependentOf(node) })
      return [fact]
    })
  }

  #writtenFacts(): Fact[] {
    return this.written().flatMap(({ dependent, universe }) =>
      dependent.requirements.flatMap((requirement, i) => {
        const wish = this.wishFor(requirement, { universe, target: undefined, tellPlace: true })
        if (wish === undefined) return []
        const fact: Fact = {
          ...wish,
          id: `${dependent.name} ${String(i).padStart(6, '0')}`,
          text: `${dependent.name} requires ${wish.wants}`,
        }
        this.#origins.set(fact, { universe, place: requirement.place, dependent })
        return [fact]
      }),
    )
  }

  // Two objects that are there and exclude each other are told by check-dependencies; no plan can mend it.
  #exclusive(): Exclusion[] {
    const all = [...this.#nodes.values()].flatMap((node) => {
      const exclusive = node.universe.exclusive?.(node.target)
      return exclusive === undefined ? [] : [{ node, exclusive }]
    })
    const groups = groupBy(all, ({ node, exclusive }) => `${node.universe.ecosystem} ${exclusive.group}`)
    return [...groups.values()].flatMap((members) =>
      members.flatMap((a, i) =>
        members.slice(i + 1).flatMap((b) => {
          if (a.node.isFixed && b.node.isFixed) return []
          const together = [a, b].map(({ node, exclusive }) => choiceWhere(node, exclusive.applies))
          const id = `${a.node.id} ${b.node.id}`
          return [{ id, text: `${a.exclusive.reason}, so that ${a.node.id} and ${b.node.id} exclude each other`, together }]
        }),
      ),
    )
  }
}

function choiceWhere({ id, values }: Node, applies: (version: NonNullable<Node['values'][number]['version']>) => boolean): Choice {
  const numbers = [...values.keys()].filter((index) => {
    const version = values[index]?.version
    return version !== undefined && applies(version)
  })
  return { package: id, versions: versionSet(numbers) }
}
