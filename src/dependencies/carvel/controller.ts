import { compareText } from '../../field-path.ts'
import type { JsonRecord } from '../../json.ts'
import {
  type Dependent,
  type GvkRequirement,
  type Install,
  isChosenFor,
  isMetBy,
  leavesOf,
  type PackageIndex,
  type PackageRequirement,
  type Requirement,
  type ServedKinds,
} from '../package-index.ts'
import { ControllerState, type InstalledPackage, nameOf } from '../plan/controller-state.ts'
import type { ControllerInput, Plan } from '../plan/plan.ts'
import { describeKind, describeWanted } from '../requirements.ts'

/**
 * Returns the steps that kapp-controller would take after seed 002 (Dependency resolution). Each PackageInstall creates the installs of its
 * direct dependencies, and each of these creates its own in the next pass. Passes end when a pass adds no step.
 */
export function nativeCarvel(index: PackageIndex, { policy, kinds, maxSteps }: ControllerInput): Plan {
  const state = new ControllerState(index, policy)
  const controller = new Controller(state, kinds)
  for (let pass = 1; state.steps.length <= maxSteps; pass++) {
    const before = state.steps.length
    state.failures.length = 0
    controller.reconcileAll(pass)
    if (state.steps.length === before) break
  }
  return state
}

/** The reason why a requirement is not met, as the end of a sentence; undefined when the requirement is met or a step was taken for it. */
type Reason = string | undefined

class Controller {
  readonly #state: ControllerState
  readonly #kinds: ServedKinds

  constructor(state: ControllerState, kinds: ServedKinds) {
    this.#state = state
    this.#kinds = kinds
  }

  /** Reconciles every install. An install that a pass creates is reconciled in the next pass. */
  reconcileAll(pass: number): void {
    const present = this.#state.all().sort((a, b) => compareText(nameOf(a), nameOf(b)))
    for (const each of present) {
      for (const requirement of each.requirements) {
        const reason = this.#fulfil(requirement, each, pass)
        if (reason !== undefined) this.#state.fail(this.#state.parentOf(each, requirement), reason)
      }
    }
  }

  #fulfil(requirement: Requirement, by: InstalledPackage, pass: number): Reason {
    if (requirement.type === 'platform') return undefined
    if (requirement.type === 'alternatives') return this.#fulfilOne(requirement.alternatives, by, pass)
    if (requirement.type === 'gvk') return this.#fulfilKind(requirement, by, pass)
    return this.#fulfilPackage(requirement, by, pass)
  }

  /**
   * Fulfils the first alternative that can be fulfilled, in order. An alternative that is met already is kept, wherever it is in the list.
   */
  #fulfilOne(alternatives: readonly Requirement[], by: InstalledPackage, pass: number): Reason {
    if (alternatives.some((each) => this.#isMet(each, by))) return undefined
    const reasons: string[] = []
    for (const each of alternatives) {
      const reason = this.#fulfil(each, by, pass)
      if (reason === undefined) return undefined
      reasons.push(reason)
    }
    return `one of: ${reasons.join('; ')}`
  }

  #isMet(requirement: Requirement, by: InstalledPackage): boolean {
    if (requirement.type === 'alternatives') return requirement.alternatives.some((each) => this.#isMet(each, by))
    if (requirement.type === 'gvk') return this.#isServed(requirement, by)
    return requirement.type === 'package' && this.#state.of(requirement.package).some((each) => isMetBy(each, requirement))
  }

  #isServed({ wanted }: GvkRequirement, by: InstalledPackage): boolean {
    if (this.#kinds.serves(wanted)) return true
    return this.#kinds.providersOf(wanted).some(({ packageFor, version }) => {
      const pkg = packageFor(by.package)
      return pkg !== undefined && this.#state.of(pkg).some(({ text }) => text === version)
    })
  }

  /** Installs the package that provides a kind, if only one package does (seed 002, Automatic search and installation). */
  #fulfilKind(requirement: GvkRequirement, by: InstalledPackage, pass: number): Reason {
    const { wanted, optional } = requirement
    if (optional || this.#isServed(requirement, by)) return undefined
    const name = describeKind(wanted)
    const found = this.#kinds.providersOf(wanted).flatMap(({ packageFor, version }) => {
      const pkg = packageFor(by.package)
      const known = pkg?.known.find((each) => each.version.text === version)
      return pkg === undefined || known === undefined ? [] : [{ package: pkg, known }]
    })
    const [first] = found.sort((a, b) => this.#state.index.compare(b.known.version, a.known.version))
    const packages = new Set(found.map(({ package: pkg }) => pkg))
    if (first === undefined) return `${name}, which nothing serves`
    const ids = [...packages].map(({ id }) => id).sort()
    if (ids.length > 1) return `${name}, which ${ids.join(' and ')} provide`
    this.#state.create(first.package, first.known.version.text, [this.#state.parentOf(by, requirement)], pass)
    return undefined
  }

  #fulfilPackage(requirement: PackageRequirement, by: InstalledPackage, pass: number): Reason {
    const { package: pkg, optional, validateOnly } = requirement
    const there = this.#state.of(pkg)
    if (optional || there.some((each) => isMetBy(each, requirement))) return undefined
    const what = `${pkg.id}${describeWanted(requirement)}`
    const [present] = there
    if (validateOnly) {
      const found = present === undefined ? 'which is missing' : `installed is ${present.text}`
      return `${what}, ${found}, and nothing is installed for it (install: false)`
    }
    const best = pkg.known.find(({ version }) => isChosenFor(version, requirement, this.#state.index))
    if (best === undefined) return `${what}, and there is no package of that version`
    const { text } = best.version
    const parents = [this.#state.parentOf(by, requirement)]
    if (present === undefined) this.#state.create(pkg, text, parents, pass)
    else if (!this.#state.mayMove(present, best.version)) return `${what}, installed is ${present.text}, which is not to be moved`
    else this.#state.move(present, text, parents, pass)
    return undefined
  }
}

/**
 * Returns `status.dependencies` of each PackageInstall (seed 002): the install or kind that fulfils each dependency, and whether the
 * install was created for this PackageInstall.
 */
export function dependencyStatuses({ dependents }: PackageIndex, kinds: ServedKinds): ReadonlyMap<Install, readonly JsonRecord[]> {
  const statuses = dependents.flatMap((dependent) => {
    const { install, requirements } = dependent
    return install === undefined ? [] : [[install, requirements.flatMap((each) => statusOf(each, dependent, kinds))] as const]
  })
  return new Map(statuses)
}

/** Returns the statuses of the first alternative that is fulfilled; an empty list when no alternative is. */
function statusOf(requirement: Requirement, by: Dependent, kinds: ServedKinds): JsonRecord[] {
  const statuses = leavesOf(requirement).flatMap((leaf) => {
    if (leaf.type === 'gvk') return kindStatus(leaf, by, kinds)
    return leaf.type === 'package' ? packageStatus(leaf, by) : []
  })
  return statuses.slice(0, 1)
}

function packageStatus(requirement: PackageRequirement, by: Dependent): JsonRecord[] {
  const { package: pkg } = requirement
  const install = pkg.installs.find((each) => isMetBy(each, requirement))
  if (install === undefined) return []
  const created = install.generated && install.owner !== undefined && install.owner === by.install?.name
  return [{ created, package: { packageInstallRef: install.name, refName: pkg.id, version: install.text } }]
}

// A kind that the cluster serves without a known install has no known provider: its `gvk` is empty.
function kindStatus({ wanted }: GvkRequirement, by: Dependent, kinds: ServedKinds): JsonRecord[] {
  if (!kinds.serves(wanted)) return []
  const provider = kinds
    .providersOf(wanted)
    .find(({ packageFor, version }) => packageFor(by.package)?.installs.some(({ text }) => text === version))
  const pkg = provider?.packageFor(by.package)
  const gvk = provider === undefined || pkg === undefined ? {} : { providedBy: pkg.id, version: provider.version }
  return [{ created: false, gvk }]
}
