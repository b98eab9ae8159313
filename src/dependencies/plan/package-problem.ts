import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { type FieldPlace, formatPlace, listNames, listSome } from '../finding.ts'
import type { Dependent, Exclusive, Install, PackageIndex, Requirement } from '../package-index.ts'
import type { Exclusion, PackageRange, Problem, ProblemPackage, RootRequirement, SolverRequirement } from '../resolve/problem.ts'
import { firstVersions, hasVersion, versionSet } from '../resolve/version-set.ts'
import type { PlanInput, PlanPolicy } from './plan.ts'
import { type PlannedPackage, PlannedPackageTable, type RequirementClosure } from './planned-packages.ts'
import { pruneGuard } from './pruning.ts'
import { type RangeContext, type Requirer, solverRequirementOf } from './solver-requirement.ts'

/** The origin of a root requirement or a requirement, for results. */
export interface RequirementOrigin {
  readonly index: PackageIndex
  readonly place: FieldPlace
  readonly dependent?: Dependent | undefined
}

/**
 * Package indexes as one problem for the solver. Indexes share only the kinds that packages provide. Without a closure, packages are read
 * when the solver needs them, and `isDoubtful` is true if a solution needs the closure.
 */
export class PackageProblem implements Problem {
  readonly roots: readonly RootRequirement[]
  readonly exclusions: readonly Exclusion[]
  readonly policy: PlanPolicy
  readonly indexes: readonly PackageIndex[]
  readonly #packages: PlannedPackageTable
  readonly #context: RangeContext
  readonly #dependents: ReadonlyMap<Install | undefined, readonly Dependent[]>
  readonly #origins = new Map<RootRequirement | SolverRequirement, RequirementOrigin>()

  constructor({ indexes, kinds, policy }: Pick<PlanInput, 'indexes' | 'kinds' | 'policy'>, closure?: RequirementClosure) {
    this.indexes = indexes
    this.policy = policy
    const dependents = indexes.flatMap((index) => index.dependents)
    this.#dependents = groupBy(dependents, ({ install }) => install)
    this.#packages = new PlannedPackageTable({ indexes, policy }, (install) => this.dependentsOf(install), closure)
    this.#context = { kinds, packages: this.#packages }
    this.roots = [...this.#installedRoots(), ...this.#writtenRoots()]
    this.exclusions = closure === undefined ? [] : this.#exclusions()
  }

  get packages(): Iterable<PlannedPackage> {
    return this.#packages.all
  }

  /** Returns true if a solution found without a closure may be wrong: an answer was needed that only a closure has. */
  get isDoubtful(): boolean {
    return this.#packages.isDoubtful || this.#exclusives().length > 0
  }

  find(id: string): PlannedPackage | undefined {
    return this.#packages.get(id)
  }

  packageOf(id: string): ProblemPackage {
    return this.#packages.get(id) ?? { id, versions: [] }
  }

  requirementsOf(id: string, version: number): readonly SolverRequirement[] {
    const planned = this.#packages.get(id)
    const candidate = planned?.candidates[version]
    if (planned === undefined || candidate === undefined) return []
    const { index, package: pkg } = planned
    const by: Requirer = { index, package: pkg, namesPlace: candidate.isInstalled }
    return candidate.requirements().flatMap((requirement) => {
      const required = this.requirementFor(requirement, by)
      if (required !== undefined && candidate.isInstalled)
        this.#origins.set(required, originIn(requirement, index, this.#dependentOf(planned)))
      return required ?? []
    })
  }

  /** Returns a requirement for the solver; undefined if nothing has to be chosen for the requirement. */
  requirementFor(requirement: Requirement, by: Requirer): SolverRequirement | undefined {
    return solverRequirementOf(requirement, by, this.#context)
  }

  dependentsOf(install: Install): readonly Dependent[] {
    return this.#dependents.get(install) ?? []
  }

  #dependentOf({ install }: PlannedPackage): Dependent | undefined {
    return install && this.dependentsOf(install)[0]
  }

  originOf(cause: RootRequirement | SolverRequirement): RequirementOrigin | undefined {
    return this.#origins.get(cause)
  }

  /** Returns the packages that are being written, sorted by name. */
  written(): readonly { readonly dependent: Dependent; readonly index: PackageIndex }[] {
    const all = this.indexes.flatMap((index) => index.dependents.map((dependent) => ({ dependent, index })))
    return all.filter(({ dependent }) => dependent.package === undefined).sort((a, b) => compareText(a.dependent.name, b.dependent.name))
  }

  #installedRoots(): RootRequirement[] {
    const guards = new Map(this.policy.prune ? this.indexes.map((index) => [index, pruneGuard(index)]) : [])
    return [...this.#packages.all].flatMap((planned) => {
      const { id, install, isFixed, index, allowed } = planned
      const guard = guards.get(index)
      const mayGo = install?.generated === true && !isFixed && guard !== undefined && guard(install) === undefined
      if (install === undefined || (mayGo && !isBound(planned))) return []
      const root: RootRequirement = {
        id,
        // Read when there is no plan.
        get text() {
          return describeInstalled(planned, install)
        },
        isLast: planned.rises === true && !planned.isTarget,
        anyOf: [{ package: id, versions: allowed }],
        optional: mayGo,
      }
      this.#origins.set(root, { index, place: install.place, dependent: this.#dependentOf(planned) })
      return [root]
    })
  }

  #writtenRoots(): RootRequirement[] {
    return this.written().flatMap(({ dependent, index }) =>
      dependent.requirements.flatMap((requirement, i) => {
        const required = this.requirementFor(requirement, { index, package: undefined, namesPlace: true })
        if (required === undefined) return []
        const root: RootRequirement = {
          ...required,
          id: `${dependent.name} ${String(i).padStart(6, '0')}`,
          // Read when there is no plan.
          get text() {
            return `${dependent.name} requires ${required.wants}${required.lack?.() ?? ''}`
          },
        }
        this.#origins.set(root, originIn(requirement, index, dependent))
        return [root]
      }),
    )
  }

  // Two fixed objects that exclude each other are left out: check-dependencies reports them, and no plan can fix them.
  #exclusions(): Exclusion[] {
    const keyOf = ({ index, package: pkg }: PlannedPackage): string => `${index.ecosystem} ${pkg.id}`
    const packages = groupBy([...this.#packages.all], keyOf)
    return this.#exclusives().flatMap(({ planned: a, exclusive }) =>
      (packages.get(keyOf(a)) ?? []).flatMap((b) => {
        if (a === b || (a.isFixed && b.isFixed)) return []
        const together = [excludedRange(a, exclusive), { package: b.id, versions: firstVersions(b.candidates.length) }]
        return [{ id: `${a.id} ${b.id}`, text: `${exclusive.reason}, so that ${a.id} and ${b.id} exclude each other`, together }]
      }),
    )
  }

  #exclusives(): { readonly planned: PlannedPackage; readonly exclusive: Exclusive }[] {
    return [...this.#packages.all].flatMap((planned) => {
      const exclusive = planned.index.exclusive?.(planned.package)
      return exclusive === undefined ? [] : [{ planned, exclusive }]
    })
  }
}

/** Returns the origin of a requirement; its place is computed when read, after a failure. */
function originIn(requirement: Requirement, index: PackageIndex, dependent: Dependent | undefined): RequirementOrigin {
  return {
    index,
    dependent,
    get place() {
      return requirement.place
    },
  }
}

/** Returns the range of the versions that an exclusion applies to. */
function excludedRange({ id, candidates }: PlannedPackage, exclusive: Exclusive): PackageRange {
  const numbers = candidates.flatMap(({ version }, number) => (version !== undefined && exclusive.applies(version) ? [number] : []))
  return { package: id, versions: versionSet(numbers) }
}

/** Returns the root requirement of an install as a sentence. */
function describeInstalled(planned: PlannedPackage, { text, place }: Install): string {
  const { id, isFixed, isTarget, versions, allowed } = planned
  const at = formatPlace(place)
  if (isTarget) {
    const wanted = versions.filter((_, number) => hasVersion(allowed, number))
    return `\`update\` asks for ${id} ${listNames(listSome(wanted))} (${at})`
  }
  if (isBound(planned)) return `${id} may not go below the installed ${text} (${at})`
  return `${isFixed ? `${id} ${text}`.trim() : id} is installed (${at})`
}

/** Returns true if the package may move to some of its versions and not to others. */
function isBound({ isFixed, allowed, candidates }: PlannedPackage): boolean {
  return !isFixed && allowed !== firstVersions(candidates.length)
}
