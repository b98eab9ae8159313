import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { remember } from '../../remember.ts'
import type { Version } from '../../versions/version.ts'
import {
  type Dependent,
  type Install,
  isMetBy,
  type Package,
  type PackageIndex,
  type PackageRequirement,
  packagesIn,
  type Requirement,
  requirementsOf,
} from '../package-index.ts'
import { describeWanted } from '../requirements.ts'
import { firstOwner, type Parent, type PlanFailure, type PlanPolicy, removalOf, type Step, stepOn } from './plan.ts'

/** A package that is installed while a controller works: by an object, or by a step that made or moved the object. */
export interface InstalledPackage {
  readonly package: Package
  readonly version: Version | undefined
  readonly digest: string | undefined
  readonly text: string
  readonly install: Install | undefined
  readonly step: Step | undefined
  readonly requirements: readonly Requirement[]
}

// The most moves of one package: two parents with different versions would move a package forever.
const MOST_MOVES = 10

/** The state while a controller installs packages: the installed packages, and the steps and failures so far. */
export class ControllerState {
  readonly steps: Step[] = []
  readonly failures: PlanFailure[] = []
  readonly index: PackageIndex
  readonly policy: PlanPolicy
  readonly #present = new Map<Package, InstalledPackage[]>()
  readonly #moves = new Map<Package, number>()
  readonly #dependents: ReadonlyMap<Install | undefined, readonly Dependent[]>

  constructor(index: PackageIndex, policy: PlanPolicy) {
    this.index = index
    this.policy = policy
    this.#dependents = groupBy(index.dependents, ({ install }) => install)
    for (const install of index.installs) {
      const all = (this.#dependents.get(install) ?? []).flatMap((each) => each.requirements)
      const requirements = unmetBy(all, index)
      const { package: pkg, version, digest, text } = install
      this.#append({ package: pkg, version, digest, text, install, step: undefined, requirements })
    }
  }

  /** Returns the installs of a package, usually at most one. */
  of(pkg: Package): readonly InstalledPackage[] {
    return this.#present.get(pkg) ?? []
  }

  /** Returns all installed packages, sorted by the key of the package and the name of the object. */
  all(): InstalledPackage[] {
    return [...this.#present.values()].flat().sort((a, b) => compareText(a.package.key, b.package.key) || compareText(nameOf(a), nameOf(b)))
  }

  /** Returns true if the policy lets an installed package move to a version, and the package has not moved too often. */
  mayMove({ install, step, package: pkg }: InstalledPackage, to: Version | undefined): boolean {
    if ((this.#moves.get(pkg) ?? 0) >= MOST_MOVES) return false
    if (install === undefined) return step !== undefined
    const { upgrades, downgrades } = this.policy
    const isAllowed = install.movable && (install.generated ? upgrades !== 'none' : upgrades === 'all')
    const isLower = to !== undefined && install.version !== undefined && this.index.compare(to, install.version) < 0
    return isAllowed && (downgrades || !isLower)
  }

  /** Makes an object that installs a version or digest of a package. */
  create(pkg: Package, text: string, parents: readonly Parent[], pass: number): void {
    const name = this.index.objectName(pkg, text)
    const step: Step = { ...stepOn(pkg, text, this.index), op: 'create', name, owner: firstOwner(parents), pass, parents }
    this.steps.push(step)
    this.#append(installedAt(pkg, text, undefined, step, this.index))
  }

  /** Moves an installed package to another version or digest. */
  move(present: InstalledPackage, text: string, parents: readonly Parent[], pass: number): void {
    const { package: pkg, install } = present
    this.#moves.set(pkg, (this.#moves.get(pkg) ?? 0) + 1)
    const moved = { op: 'update', name: nameOf(present), owner: install?.owner, pass, install, parents } as const
    const step: Step = { ...stepOn(pkg, text, this.index), ...moved }
    this.steps.push(step)
    const others = this.of(pkg).filter((each) => each !== present)
    this.#present.set(pkg, [...others, installedAt(pkg, text, install, step, this.index)])
  }

  /** Removes the object of an install. */
  remove(install: Install, pass: number): void {
    const { package: pkg } = install
    const others = this.of(pkg).filter((each) => each.install !== install)
    this.#present.set(pkg, others)
    this.steps.push(removalOf(install, this.index, pass))
  }

  /** Returns an installed package as the parent of a requirement. */
  parentOf({ install, package: pkg, text, step }: InstalledPackage, requirement: Requirement): Parent {
    const dependent = install && this.#dependents.get(install)?.[0]
    return { name: `${pkg.name} ${text}`.trim(), requirement, dependent, step: install === undefined ? step : undefined }
  }

  /** Adds a failure: `PARENT requires SENTENCE.` */
  fail(parent: Parent, sentence: string): void {
    const { ecosystem } = this.index
    const { place } = parent.requirement
    const sentences = [`${parent.name} requires ${sentence}.`]
    this.failures.push({ ecosystem, packages: [parent.name.replace(/ \S+$/, '')], reason: 'unresolvable', sentences, place })
  }

  #append(present: InstalledPackage): void {
    remember(this.#present, present.package, () => []).push(present)
  }
}

/** Returns the requirements without those on packages that the cluster is given. */
function unmetBy(requirements: readonly Requirement[], { isProvided }: PackageIndex): readonly Requirement[] {
  return requirements.filter((each) => !packagesIn(each).some((leaf) => isProvided(leaf.package)))
}

function installedAt(pkg: Package, text: string, install: Install | undefined, step: Step, index: PackageIndex): InstalledPackage {
  const version = pkg.versions.find((each) => each.text === text)
  const digest = version === undefined ? text : undefined
  return { package: pkg, version, digest, text, install, step, requirements: unmetBy(requirementsOf(pkg, text) ?? [], index) }
}

/** A requirement on a package, and the installed package that has it. */
export interface InstalledRequirement {
  readonly by: InstalledPackage
  readonly requirement: PackageRequirement
}

/** Returns the requirements of an installed package on packages, without alternatives. */
export function packageRequirements({ requirements }: InstalledPackage): PackageRequirement[] {
  return requirements.filter((each) => each.type === 'package')
}

/** Returns the requirements on a package among some installed packages, in their order. */
export function requirementsOn(pkg: Package, among: readonly InstalledPackage[]): InstalledRequirement[] {
  return among.flatMap((by) => packageRequirements(by).flatMap((requirement) => (requirement.package === pkg ? [{ by, requirement }] : [])))
}

/**
 * Returns the pass that installs a dependency of a package: 1 for an existing package, else the pass after the one that made the package.
 */
export function passAfter({ step }: InstalledPackage): number {
  return step === undefined || step.op !== 'create' ? 1 : step.pass + 1
}

/** Returns the name of the object of an installed package. */
export function nameOf({ install, step }: InstalledPackage): string {
  return step?.name ?? install?.name ?? ''
}

/**
 * Adds a failure for each requirement that is violated when a controller has no more steps: a controller considers one parent alone, or
 * moves nothing. The controller itself reports missing packages.
 *
 * @param reported  the requirements that the controller itself reports
 */
export function reportViolations(state: ControllerState, reported: ReadonlySet<Requirement>): void {
  for (const by of state.all()) {
    for (const requirement of by.requirements) {
      const what = reported.has(requirement) ? undefined : violationOf(requirement, state)
      if (what !== undefined) state.fail(state.parentOf(by, requirement), what)
    }
  }
}

/** Returns the violation of a requirement as the end of a sentence; undefined if the requirement is met. */
function violationOf(requirement: Requirement, state: ControllerState): string | undefined {
  if (requirement.type === 'platform') return requirement.met ? undefined : requirement.wants
  if (requirement.type !== 'package') return undefined
  const there = state.of(requirement.package)
  const [first] = there
  if (first === undefined || there.some((each) => isMetBy(each, requirement))) return undefined
  const { step, text } = first
  return `${requirement.package.id}${describeWanted(requirement)}, ${step === undefined ? `installed is ${text}` : `and ${text} would be installed`}`
}
