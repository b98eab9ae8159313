import { compareText } from '../../field-path.ts'
import { describeWanted } from '../demands.ts'
import { demandsOn, NativeState, type Present, packageRequirements, passAfter, reportViolations } from '../plan/native-state.ts'
import type { NativeInput, Plan, Step } from '../plan/plan.ts'
import type { PackageRequirement, Requirement, Universe } from '../universe.ts'

/**
 * Returns the steps that Glasskube would take (internal/dependency/manager.go, Validate). A missing package is installed at the highest
 * version that all installed packages allow, then its own missing packages. An installed version is never changed. Dependencies are taken
 * in sorted order; Glasskube's own order is that of a Go map.
 */
export function nativeGlasskube(universe: Universe, input: NativeInput): Plan {
  const { policy, maxSteps } = input
  const state = new NativeState(universe, policy)
  const operator = new Operator(state)
  while (state.steps.length < maxSteps && operator.installFirst());
  reportViolations(state, operator.given)
  const made = state.steps.length
  if (policy.prune) operator.prune()
  const removals = state.steps.slice(made)
  if (made === 0 || removals.length === 0) return state
  // A package that is removed must not have caused an installation.
  const { steps, failures } = nativeGlasskube(without(universe, removals), input)
  return { steps: [...steps, ...removals], failures }
}

function without(universe: Universe, removals: readonly Step[]): Universe {
  const gone = new Set(removals.map(({ install }) => install))
  return {
    ...universe,
    installs: universe.installs.filter((install) => !gone.has(install)),
    dependents: universe.dependents.filter(({ install }) => install === undefined || !gone.has(install)),
  }
}

interface Missing {
  readonly requirement: PackageRequirement
  readonly by: Present
}

class Operator {
  readonly #state: NativeState
  /** Requirements that cannot be installed. They are not tried again. */
  readonly #given = new Set<PackageRequirement>()

  constructor(state: NativeState) {
    this.#state = state
  }

  installFirst(): boolean {
    const found = this.#missing()
    if (found === undefined) return false
    const { requirement, by } = found
    const demands = demandsOn(requirement.target, this.#state.all())
    const ranges = demands.flatMap((each) => each.requirement.range ?? [])
    const best = requirement.target.versions.find((version) => ranges.every((range) => range.selects(version)))
    if (best === undefined) {
      this.#given.add(requirement)
      this.#state.fail(
        this.#state.parentOf(by, requirement),
        `${requirement.target.id}${describeWanted(requirement)}, of which no version is allowed`,
      )
    } else {
      const parents = demands.map((each) => this.#state.parentOf(each.by, each.requirement))
      this.#state.create(requirement.target, best.text, parents, passAfter(by))
    }
    return true
  }

  /** The first by the package that requires it, then by its own name. */
  #missing(): Missing | undefined {
    for (const by of this.#state.all()) {
      const absent = packageRequirements(by).filter((each) => this.#state.of(each.target).length === 0 && !this.#given.has(each))
      const [requirement] = absent.sort((a, b) => compareText(a.target.key, b.target.key))
      if (requirement !== undefined) return { requirement, by }
    }
    return undefined
  }

  /** Returns the requirements that were tried and reported. */
  get given(): ReadonlySet<Requirement> {
    return this.#given
  }

  /** Removes what was installed as a dependency and has no dependents left, until all that is left is used. */
  prune(): void {
    for (let unused = this.#unused(); unused.length > 0; unused = this.#unused()) {
      for (const each of unused) this.#state.remove(each, 1)
    }
  }

  #unused(): Present[] {
    const all = this.#state.all()
    const used = new Set(all.flatMap((each) => packageRequirements(each).map(({ target }) => target)))
    return all.filter(({ install, target }) => install?.generated === true && !used.has(target))
  }
}
