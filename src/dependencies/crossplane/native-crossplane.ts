import { compareText } from '../../field-path.ts'
import { type DependencyGraph, knotsOf } from '../graph.ts'
import {
  demandsOn,
  NativeState,
  type Present,
  type PresentDemand,
  packageRequirements,
  passAfter,
  reportViolations,
} from '../plan/native-state.ts'
import type { NativeInput, Parent, Plan } from '../plan/plan.ts'
import type { RangeReader } from '../range.ts'
import type { PackageRequirement, Requirement, Universe } from '../universe.ts'
import { findVersionToInstall, findVersionToUpdate, isOutdated, type LockedPackage, noValidVersion, withoutOutdated } from './versions.ts'

/** The registry of the operator, and the settings that decide which tags are chosen. */
export interface CrossplaneRegistry {
  readonly reader: RangeReader
  /** Every tag of a source, partial ones too. */
  readonly tagsOf: (source: string) => readonly string[]
}

/**
 * Returns the steps that Crossplane's resolver would take with the Lock (internal/controller/pkg/resolver/reconciler.go): one missing
 * package at a time, the first in the order of the Lock, in the version that its first parent asks for. With upgrades, packages that
 * violate a constraint are changed too.
 */
export function nativeCrossplane(universe: Universe, registry: CrossplaneRegistry, { policy, maxSteps }: NativeInput): Plan {
  const state = new NativeState(universe, policy)
  const resolver = new Resolver(state, registry)
  while (state.steps.length < maxSteps && resolver.resolveFirst());
  reportViolations(state, resolver.told)
  return state
}

/** A dependency that has to be installed or moved, with its first parent. */
interface Implied extends PresentDemand {
  readonly present: Present | undefined
}

class Resolver {
  readonly #state: NativeState
  readonly #registry: CrossplaneRegistry
  /** Requirements that the Lock says something about. */
  readonly told = new Set<Requirement>()

  constructor(state: NativeState, registry: CrossplaneRegistry) {
    this.#state = state
    this.#registry = registry
  }

  /** Does one thing. False: there is nothing to do, or it cannot be done. */
  resolveFirst(): boolean {
    const lock = this.#lock()
    const cyclic = this.#findCycle(lock)
    if (cyclic !== undefined) return this.#stop(cyclic, `detected cycle on: ${cyclic.target.id}`)
    const implied = this.#firstImplied(lock)
    if (implied === undefined) return false
    const demands = demandsOn(implied.requirement.target, lock)
    return implied.present === undefined ? this.#install(implied, demands) : this.#update(implied, implied.present, demands)
  }

  /** Objects by their source, then what was installed, in its order; with upgrades without what takes no part. */
  #lock(): Present[] {
    const all = this.#state.all()
    const order = new Map(this.#state.steps.map((step, i) => [step.target, i + 1]))
    const made = ({ install, target }: Present): number => (install === undefined ? (order.get(target) ?? 0) : 0)
    const sorted = all.sort((a, b) => made(a) - made(b) || compareText(a.target.id, b.target.id))
    if (this.#state.policy.upgrades === 'none') return sorted
    const locked = sorted.map((present) => ({ present, ...lockedOf(present) }))
    return withoutOutdated(locked, this.#registry.reader).map(({ present }) => present)
  }

  #findCycle(lock: readonly Present[]): Present | undefined {
    const graph: DependencyGraph = new Map(lock.map((each) => [each.target.key, packageRequirements(each).map(({ target }) => target.key)]))
    const cyclic = new Set(knotsOf(graph).flat())
    return lock.find(({ target }) => cyclic.has(target.key))
  }

  #firstImplied(lock: readonly Present[]): Implied | undefined {
    for (const by of lock) {
      for (const requirement of packageRequirements(by)) {
        const [present] = this.#state.of(requirement.target)
        if (present === undefined) return { requirement, by, present }
        if (this.#state.policy.upgrades !== 'none' && this.#violates(present, requirement)) return { requirement, by, present }
      }
    }
    return undefined
  }

  #violates(present: Present, requirement: PackageRequirement): boolean {
    return isOutdated(present.text, [constraintOf(requirement)], this.#registry.reader)
  }

  #install({ requirement, by }: Implied, demands: readonly PresentDemand[]): boolean {
    const { id } = requirement.target
    const constraint = constraintOf(requirement)
    const found = findVersionToInstall(constraint, this.#registry.tagsOf(id), this.#registry.reader)
    if (found === undefined) return this.#stop(by, noValidVersion(id, [constraint]), requirement)
    this.#state.create(requirement.target, found, this.#parentsOf(demands), passAfter(by))
    return true
  }

  #update({ requirement, by }: Implied, present: Present, demands: readonly PresentDemand[]): boolean {
    const { target } = requirement
    const { downgrades } = this.#state.policy
    const constraints = demands.map((each) => constraintOf(each.requirement))
    const wanted = { source: target.id, installed: present.text, constraints, available: this.#registry.tagsOf(target.id), downgrades }
    const found = findVersionToUpdate(wanted, this.#registry.reader)
    if ('error' in found) return this.#stop(by, found.error, requirement)
    const isStuck = found.version === present.text || !this.#state.mayMove(present, this.#registry.reader.version(found.version))
    if (isStuck) return this.#stop(by, noValidVersion(target.id, constraints), requirement)
    this.#state.move(present, found.version, this.#parentsOf(demands), passAfter(by))
    return true
  }

  #parentsOf(demands: readonly PresentDemand[]): Parent[] {
    return demands.map(({ by, requirement }) => this.#state.parentOf(by, requirement))
  }

  // The Lock says what failed, and nothing more is installed.
  #stop(by: Present, sentence: string, requirement = packageRequirements(by)[0]): false {
    if (requirement !== undefined) this.told.add(requirement)
    if (requirement !== undefined) this.#state.fail(this.#state.parentOf(by, requirement), `${requirement.target.id}: ${sentence}`)
    return false
  }
}

function lockedOf(present: Present): LockedPackage {
  const dependencies = packageRequirements(present).map((each) => ({ source: each.target.id, constraint: constraintOf(each) }))
  return { source: present.target.id, version: present.text, dependencies }
}

/** A constraint as the Lock has it; '' asks for any version. */
function constraintOf({ digest, range }: PackageRequirement): string {
  return digest ?? range?.text ?? ''
}
