import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { type FieldPlace, formatPlace } from '../place.ts'
import type { Choice, Exclusion, Fact, Problem, SolverPackage, SolverRequirement as Wish } from '../resolve/problem.ts'
import { firstVersions, versionSet } from '../resolve/version-set.ts'
import type { Dependent, Exclusive, Install, Requirement, Universe } from '../universe.ts'
import type { RequirementClosure } from './closure.ts'
import { type DemandContext, demandOf, type Requirer } from './demand.ts'
import { NodeTable, type PackageNode } from './node.ts'
import type { PlanInput, PlanPolicy } from './plan.ts'

/** The origin of a fact or a requirement, for results. */
export interface RequirementOrigin {
  readonly universe: Universe
  readonly place: FieldPlace
  readonly dependent?: Dependent | undefined
}

/**
 * Universes as one problem for the solver. Universes share only the kinds that packages provide. Without a closure, packages are read when
 * the solver needs them, and `isDoubtful` is true if a solution needs the closure.
 */
export class Planning implements Problem {
  readonly facts: readonly Fact[]
  readonly exclusions: readonly Exclusion[]
  readonly policy: PlanPolicy
  readonly universes: readonly Universe[]
  readonly #nodes: NodeTable
  readonly #context: DemandContext
  readonly #dependents: ReadonlyMap<Install | undefined, readonly Dependent[]>
  readonly #origins = new Map<Fact | Wish, RequirementOrigin>()

  constructor({ universes, kinds, policy }: Pick<PlanInput, 'universes' | 'kinds' | 'policy'>, closure?: RequirementClosure) {
    this.universes = universes
    this.policy = policy
    this.#dependents = groupBy(
      universes.flatMap(({ dependents }) => dependents),
      ({ install }) => install,
    )
    this.#nodes = new NodeTable({ universes, policy }, (install) => this.dependentsOf(install), closure)
    this.#context = { kinds, nodes: this.#nodes }
    this.facts = [...this.#installFacts(), ...this.#writtenFacts()]
    this.exclusions = closure === undefined ? [] : this.#exclusions()
  }

  get nodes(): Iterable<PackageNode> {
    return this.#nodes.all
  }

  /** Returns true if a solution found without a closure may be wrong: an answer was needed that only a closure has. */
  get isDoubtful(): boolean {
    return this.#nodes.isDoubtful || this.#exclusives().length > 0
  }

  node(id: string): PackageNode | undefined {
    return this.#nodes.get(id)
  }

  packageOf(id: string): SolverPackage {
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

  /** Returns the choices that meet a requirement; undefined if nothing has to be chosen for it. */
  wishFor(requirement: Requirement, by: Requirer): Wish | undefined {
    return demandOf(requirement, by, this.#context)
  }

  dependentsOf(install: Install): readonly Dependent[] {
    return this.#dependents.get(install) ?? []
  }

  #dependentOf({ install }: PackageNode): Dependent | undefined {
    return install && this.dependentsOf(install)[0]
  }

  originOf(cause: Fact | Wish): RequirementOrigin | undefined {
    return this.#origins.get(cause)
  }

  /** Returns the packages that are being written, sorted by name. */
  written(): readonly { readonly dependent: Dependent; readonly universe: Universe }[] {
    const all = this.universes.flatMap((universe) => universe.dependents.map((dependent) => ({ dependent, universe })))
    return all.filter(({ dependent }) => dependent.target === undefined).sort((a, b) => compareText(a.dependent.name, b.dependent.name))
  }

  #installFacts(): Fact[] {
    return [...this.#nodes.all].flatMap((node) => {
      const { id, install, isFixed, universe, allowed } = node
      const mayGo = install?.generated === true && this.policy.prune && !isFixed
      if (install === undefined || (mayGo && !isBound(node))) return []
      const fact: Fact = {
        id,
        // Asked when there is no plan.
        get text() {
          return describeInstalled(node, install)
        },
        isLast: node.rises,
        anyOf: [{ package: id, versions: allowed }],
        optional: mayGo,
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
          // Asked when there is no plan.
          get text() {
            return `${dependent.name} requires ${wish.wants}${wish.lack?.() ?? ''}`
          },
        }
        this.#origins.set(fact, { universe, place: requirement.place, dependent })
        return [fact]
      }),
    )
  }

  // Two fixed objects that exclude each other are left out: check-dependencies reports them, and no plan can fix them.
  #exclusions(): Exclusion[] {
    const keyOf = ({ universe, target }: PackageNode): string => `${universe.ecosystem} ${target.id}`
    const nodes = groupBy([...this.#nodes.all], keyOf)
    return this.#exclusives().flatMap(({ node: a, exclusive }) =>
      (nodes.get(keyOf(a)) ?? []).flatMap((b) => {
        if (a === b || (a.isFixed && b.isFixed)) return []
        const together = [choiceWhere(a, exclusive.applies), { package: b.id, versions: firstVersions(b.values.length) }]
        return [{ id: `${a.id} ${b.id}`, text: `${exclusive.reason}, so that ${a.id} and ${b.id} exclude each other`, together }]
      }),
    )
  }

  #exclusives(): { readonly node: PackageNode; readonly exclusive: Exclusive }[] {
    return [...this.#nodes.all].flatMap((node) => {
      const exclusive = node.universe.exclusive?.(node.target)
      return exclusive === undefined ? [] : [{ node, exclusive }]
    })
  }
}

function choiceWhere(
  { id, values }: PackageNode,
  applies: (version: NonNullable<PackageNode['values'][number]['version']>) => boolean,
): Choice {
  const numbers = [...values.keys()].filter((index) => {
    const version = values[index]?.version
    return version !== undefined && applies(version)
  })
  return { package: id, versions: versionSet(numbers) }
}

/** Returns the fact of an installed package as a sentence. */
function describeInstalled(node: PackageNode, { text, place }: Install): string {
  const { id, isFixed } = node
  const at = formatPlace(place)
  if (isBound(node)) return `${id} may not go below the installed ${text} (${at})`
  return `${isFixed ? `${id} ${text}`.trim() : id} is installed (${at})`
}

/** Returns true if the package may move to some of its versions and not to others. */
function isBound({ isFixed, allowed, values }: PackageNode): boolean {
  return !isFixed && allowed !== firstVersions(values.length)
}
