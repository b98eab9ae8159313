import { compareText } from '../../field-path.ts'
import { definedEntries } from '../../group-by.ts'
import { remember } from '../../remember.ts'
import { type Dependent, leavesOf, type Package, type PackageIndex, type Requirement } from '../package-index.ts'
import type { PartAnswer } from '../resolve/satisfy.ts'
import { hasVersion } from '../resolve/version-set.ts'
import type { PackageProblem } from './package-problem.ts'
import { firstOwner, installs, ownerName, type Parent, removalOf, type Step, stepOn } from './plan.ts'
import type { Candidate, PlannedPackage } from './planned-packages.ts'

/**
 * Returns the steps that lead from the installed candidates to the decided candidates. The first creator owns a new object: of the packages
 * that require it, one of an earlier pass, then the first by name (seed 002, Two Packages depend on the same Package).
 */
export function stepsTo(decisions: Decisions, problem: PackageProblem): Step[] {
  return new StepMaker(decisions, problem).make()
}

/** A package with its requirements after the plan: of an existing object, or of an object that a step makes. */
interface RequiringPackage {
  readonly name: string
  readonly index: PackageIndex
  /** Undefined for a package being written. */
  readonly package: Package | undefined
  readonly dependent: Dependent | undefined
  readonly step: Step | undefined
  readonly requirements: readonly Requirement[]
}

class StepMaker {
  readonly #decisions: Decisions
  readonly #problem: PackageProblem
  readonly #parents = new Map<PlannedPackage, Parent[]>()
  readonly #created = new Map<PlannedPackage, Step>()

  constructor(decisions: Decisions, problem: PackageProblem) {
    this.#decisions = decisions
    this.#problem = problem
  }

  make(): Step[] {
    this.#createAll()
    const created = [...this.#created.values()]
    const updated = this.#existing().flatMap(({ planned, candidate }) => this.#update(planned, candidate) ?? [])
    return [...created, ...updated, ...this.#removals()]
  }

  /**
   * Makes the new objects pass by pass: pass 1 for requirements of existing packages, pass 2 for those of the packages of pass 1, and so
   * on.
   */
  #createAll(): void {
    let requirers = this.#firstRequirers()
    for (let pass = 1; requirers.length > 0; pass++) {
      const found = new Map<PlannedPackage, Parent[]>()
      for (const requirer of requirers) this.#follow(requirer, found)
      if (found.size === 0) this.#findUnowned(found)
      requirers = [...found.keys()].sort(byId).flatMap((planned) => this.#create(planned, found.get(planned) ?? [], pass))
    }
  }

  /**
   * Adds the new packages that only `install: false` requires, without parents in this pass: no parent installs them, which the writer
   * reports.
   */
  #findUnowned(found: Map<PlannedPackage, Parent[]>): void {
    for (const [planned] of this.#parents) if (this.#isNew(planned)) found.set(planned, [])
  }

  #isNew(planned: PlannedPackage): boolean {
    return planned.install === undefined && !this.#created.has(planned)
  }

  #firstRequirers(): RequiringPackage[] {
    const existing = this.#existing().map(({ planned, candidate }) => this.#requirer(planned, candidate))
    const written = this.#problem
      .written()
      .map(({ dependent, index }) => ({ ...dependent, index, dependent, step: undefined, package: undefined }))
    return [...existing, ...written]
  }

  #existing(): { readonly planned: PlannedPackage; readonly candidate: Candidate }[] {
    const all = [...this.#problem.packages].filter(({ install }) => install !== undefined).sort(byId)
    return all.flatMap((planned) => {
      const candidate = this.#decisions.get(planned.id)
      return candidate === undefined ? [] : [{ planned, candidate }]
    })
  }

  /**
   * Adds the requirer to the parents of each package that meets one of its requirements; in `found` for packages that are to be made for
   * it.
   */
  #follow(requirer: RequiringPackage, found: Map<PlannedPackage, Parent[]>): void {
    for (const requirement of requirer.requirements) {
      const met = this.#metBy(requirement, requirer)
      if (met === undefined) continue
      const { name, dependent, step } = requirer
      const leaf = leavesOf(requirement).find((each) => each.type === 'package' && each.package === met.package)
      const parent = { name, requirement: leaf ?? requirement, dependent, step }
      remember(this.#isNew(met) && installs(parent) ? found : this.#parents, met, () => []).push(parent)
    }
  }

  /**
   * Returns the package whose decided candidate meets a requirement; of several, the first in the order in which the requirement lists
   * them.
   */
  #metBy(requirement: Requirement, { index, package: pkg }: RequiringPackage): PlannedPackage | undefined {
    const required = this.#problem.requirementFor(requirement, { index, package: pkg, namesPlace: false, asWritten: true })
    const choice = required?.anyOf.find(({ package: id, versions }) => {
      const candidate = this.#decisions.get(id)
      const number = candidate === undefined ? -1 : (this.#problem.find(id)?.candidates.indexOf(candidate) ?? -1)
      return number >= 0 && hasVersion(versions, number)
    })
    return choice && this.#problem.find(choice.package)
  }

  #requirer(planned: PlannedPackage, candidate: Candidate): RequiringPackage {
    const { id, install, index, package: pkg } = planned
    const dependent = install && this.#problem.dependentsOf(install)[0]
    const name = `${id} ${candidate.text}`.trim()
    return { name, index, package: pkg, dependent, step: this.#created.get(planned), requirements: candidate.requirements() }
  }

  #create(planned: PlannedPackage, parents: readonly Parent[], pass: number): RequiringPackage[] {
    const candidate = this.#decisions.get(planned.id)
    if (candidate === undefined) return []
    const { index, package: pkg } = planned
    const sorted = [...parents].sort(byOwner)
    const own = [...sorted, ...(this.#parents.get(planned) ?? [])]
    const name = index.objectName(pkg, candidate.text)
    this.#parents.set(planned, own)
    const step = { ...stepOn(pkg, candidate.text, index), name, owner: firstOwner(sorted), pass, parents: own }
    this.#created.set(planned, { ...step, op: 'create' })
    return [this.#requirer(planned, candidate)]
  }

  #update(planned: PlannedPackage, candidate: Candidate): Step | undefined {
    const { install, index, package: pkg } = planned
    if (install === undefined) return undefined
    const parents = [...(this.#parents.get(planned) ?? [])].sort(byOwner)
    const owners = parents.filter(installs).flatMap((parent) => ownerName(parent) ?? [])
    // Its owner is known not to require it any more.
    const mayPassOn = install.owner !== undefined && (install.isOwnerKnown !== false || index.closed) && !owners.includes(install.owner)
    const owner = mayPassOn ? (owners[0] ?? install.owner) : install.owner
    if (candidate.isInstalled && owner === install.owner) return undefined
    return { ...stepOn(pkg, candidate.text, index), op: 'update', name: install.name, owner, pass: 1, install, parents }
  }

  /** Returns the removals of generated objects that were not chosen. */
  #removals(): Step[] {
    const unneeded = [...this.#problem.packages].filter(({ id, isFixed }) => !isFixed && !this.#decisions.has(id)).sort(byId)
    return unneeded.flatMap(({ install, index }) => (install?.generated === true ? [removalOf(install, index, 1)] : []))
  }
}

function byId(a: PlannedPackage, b: PlannedPackage): number {
  return compareText(a.id, b.id)
}

function byOwner(a: Parent, b: Parent): number {
  return Number(installs(b)) - Number(installs(a)) || compareText(ownerName(a) ?? '', ownerName(b) ?? '') || compareText(a.name, b.name)
}

/** The decided candidates, by the ids of their packages. */
export type Decisions = ReadonlyMap<string, Candidate>

/** Returns the decided candidates of the parts that have a solution. */
export function decisionsIn(answers: readonly PartAnswer[], problem: PackageProblem): Decisions {
  return decisionsOf(new Map(answers.flatMap(({ outcome }) => (outcome.type === 'solved' ? [...outcome.versions] : []))), problem)
}

/** Returns the decided candidates for the numbers of versions that the solver returns. */
export function decisionsOf(versions: ReadonlyMap<string, number>, problem: PackageProblem): Decisions {
  return definedEntries(Array.from(versions, ([id, version]) => [id, problem.find(id)?.candidates[version]]))
}

/** Returns the installed candidates of all packages. */
export function installedDecisions({ packages }: PackageProblem): Decisions {
  return definedEntries(Array.from(packages, ({ id, candidates }) => [id, candidates.find(({ isInstalled }) => isInstalled)]))
}
