import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { Version } from '../../versions/version.ts'
import { describeWanted } from '../demands.ts'
import type { Dependent, Install, PackageRequirement, PackageTarget, Requirement, Universe } from '../universe.ts'
import { ownerName, type Parent, type PlanFailure, type PlanPolicy, type Step } from './plan.ts'

/** A package that is installed while an operator works: by an object, or by a step that made or moved it. */
export interface Present {
  readonly target: PackageTarget
  readonly version: Version | undefined
  readonly digest: string | undefined
  readonly text: string
  readonly install: Install | undefined
  readonly step: Step | undefined
  readonly requirements: readonly Requirement[]
}

// The most moves of one package: two parents with different versions would move a package forever.
const MOST_MOVES = 10

/** The state of an operator's run: the installed packages, and the steps and failures so far. */
export class NativeState {
  readonly steps: Step[] = []
  readonly failures: PlanFailure[] = []
  readonly universe: Universe
  readonly policy: PlanPolicy
  readonly #present = new Map<PackageTarget, Present[]>()
  readonly #moves = new Map<PackageTarget, number>()
  readonly #dependents: ReadonlyMap<Install | undefined, readonly Dependent[]>

  constructor(universe: Universe, policy: PlanPolicy) {
    this.universe = universe
    this.policy = policy
    this.#dependents = groupBy(universe.dependents, ({ install }) => install)
    for (const install of universe.installs) {
      const requirements = (this.#dependents.get(install) ?? []).flatMap((each) => each.requirements)
      const { target, version, digest, text } = install
      this.#append({ target, version, digest, text, install, step: undefined, requirements })
    }
  }

  /** Returns the installs of a package, usually at most one. */
  of(target: PackageTarget): readonly Present[] {
    return this.#present.get(target) ?? []
  }

  /** Returns all installed packages, sorted by the key of the package and the name of the object. */
  all(): Present[] {
    return [...this.#present.values()].flat().sort((a, b) => compareText(a.target.key, b.target.key) || compareText(nameOf(a), nameOf(b)))
  }

  /** Returns true if the policy lets an installed package move to a version, and the package has not moved too often. */
  mayMove({ install, step, target }: Present, to: Version | undefined): boolean {
    if ((this.#moves.get(target) ?? 0) >= MOST_MOVES) return false
    if (install === undefined) return step !== undefined
    const { upgrades, downgrades } = this.policy
    const isAllowed = install.movable && (install.generated ? upgrades !== 'none' : upgrades === 'all')
    const isLower = to !== undefined && install.version !== undefined && this.universe.compare(to, install.version) < 0
    return isAllowed && (downgrades || !isLower)
  }

  create(target: PackageTarget, text: string, parents: readonly Parent[], pass: number): void {
    const { ecosystem } = this.universe
    const name = this.universe.objectName(target, text)
    const owner = parents.map(ownerName).find((each) => each !== undefined)
    const step: Step = { op: 'create', ecosystem, id: target.id, version: text, name, owner, pass, target, parents }
    this.steps.push(step)
    this.#append(presentAt(target, text, undefined, step))
  }

  move(present: Present, text: string, parents: readonly Parent[], pass: number): void {
    const { target, install } = present
    const { ecosystem } = this.universe
    const name = install?.name ?? present.step?.name ?? ''
    this.#moves.set(target, (this.#moves.get(target) ?? 0) + 1)
    const step: Step = {
      op: 'update',
      ecosystem,
      id: target.id,
      version: text,
      name,
      owner: install?.owner,
      pass,
      target,
      install,
      parents,
    }
    this.steps.push(step)
    const others = this.of(target).filter((each) => each !== present)
    this.#present.set(target, [...others, presentAt(target, text, install, step)])
  }

  remove(present: Present, pass: number): void {
    const { target, install, text } = present
    const { ecosystem } = this.universe
    this.#present.set(
      target,
      this.of(target).filter((each) => each !== present),
    )
    this.steps.push({
      op: 'remove',
      ecosystem,
      id: target.id,
      version: text,
      name: install?.name ?? '',
      pass,
      target,
      install,
      parents: [],
    })
  }

  /** Returns an installed package as the parent of a requirement. */
  parentOf({ install, target, text, step }: Present, requirement: Requirement): Parent {
    const dependent = install && this.#dependents.get(install)?.[0]
    return { name: `${target.name} ${text}`.trim(), requirement, dependent, step: install === undefined ? step : undefined }
  }

  fail(parent: Parent, sentence: string): void {
    const { ecosystem } = this.universe
    const { place } = parent.requirement
    const sentences = [`${parent.name} requires ${sentence}.`]
    this.failures.push({ ecosystem, packages: [parent.name.replace(/ \S+$/, '')], reason: 'unresolvable', sentences, place })
  }

  #append(present: Present): void {
    const there = this.#present.get(present.target)
    if (there === undefined) this.#present.set(present.target, [present])
    else there.push(present)
  }
}

function presentAt(target: PackageTarget, text: string, install: Install | undefined, step: Step): Present {
  const known = target.known.find(({ version }) => version.text === text)
  const requirements = (known === undefined ? target.requirementsAt(text) : known.requirements) ?? []
  return { target, version: known?.version, digest: known === undefined ? text : undefined, text, install, step, requirements }
}

/** A requirement on a package, and the installed package that has it. */
export interface PresentDemand {
  readonly by: Present
  readonly requirement: PackageRequirement
}

/** Returns the requirements of an installed package on packages, without alternatives. */
export function packageRequirements({ requirements }: Present): PackageRequirement[] {
  return requirements.filter((each) => each.type === 'package')
}

/** Returns the requirements on a target among some installed packages, in their order. */
export function demandsOn(target: PackageTarget, among: readonly Present[]): PresentDemand[] {
  return among.flatMap((by) =>
    packageRequirements(by).flatMap((requirement) => (requirement.target === target ? [{ by, requirement }] : [])),
  )
}

/**
 * Returns the pass that installs a dependency of a package: 1 for an existing package, else the pass after the one that made the package.
 */
export function passAfter({ step }: Present): number {
  return step === undefined || step.op !== 'create' ? 1 : step.pass + 1
}

/** Returns the name of the object of an installed package. */
export function nameOf({ install, step }: Present): string {
  return step?.name ?? install?.name ?? ''
}

/** Returns true if an install meets a requirement. */
export function isMetBy({ version, digest, text }: Pick<Install, 'version' | 'digest' | 'text'>, requirement: PackageRequirement): boolean {
  if (requirement.digest !== undefined) return digest === requirement.digest
  if (requirement.range === undefined) return true
  return version === undefined ? text === '' : requirement.range.accepts(version)
}

/**
 * Adds a failure for each requirement that is violated when an operator has no more steps: an operator considers one parent alone, or moves
 * nothing. The operator itself reports missing packages.
 *
 * @param told  the requirements that the operator itself reports
 */
export function reportViolations(state: NativeState, told: ReadonlySet<Requirement>): void {
  for (const by of state.all()) {
    for (const requirement of by.requirements) {
      const what = told.has(requirement) ? undefined : violationOf(requirement, state)
      if (what !== undefined) state.fail(state.parentOf(by, requirement), what)
    }
  }
}

/** Returns the violation of a requirement as the end of a sentence; undefined if the requirement is met. */
function violationOf(requirement: Requirement, state: NativeState): string | undefined {
  if (requirement.type === 'platform') return requirement.met ? undefined : requirement.wants
  if (requirement.type !== 'package') return undefined
  const there = state.of(requirement.target)
  const [first] = there
  if (first === undefined || there.some((each) => isMetBy(each, requirement))) return undefined
  const { step, text } = first
  return `${requirement.target.id}${describeWanted(requirement)}, ${step === undefined ? `installed is ${text}` : `and ${text} would be installed`}`
}
