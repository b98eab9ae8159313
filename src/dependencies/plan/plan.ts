import type { FieldPlace } from '../finding.ts'
import type { Dependent, Install, Package, PackageIndex, Requirement, ServedKinds } from '../package-index.ts'

/** The user's policy: which objects may be moved or removed. */
export interface PlanPolicy {
  /** none: a generated object moves only if a requirement fails; generated: to the highest allowed; all: user objects too, if one fails. */
  readonly upgrades: 'none' | 'generated' | 'all'
  /** True if an object may move to a lower version. */
  readonly downgrades: boolean
  /** True if generated objects that no package requires are removed. */
  readonly prune: boolean
  /** The versions, by their texts, to which updates move installs. An install with targets moves whatever `upgrades` says. */
  readonly targets?: ReadonlyMap<Install, ReadonlySet<string>>
}

/** The input of an operator's plan. */
export interface ControllerInput {
  readonly kinds: ServedKinds
  readonly policy: PlanPolicy
  /** The most steps that the solver takes. */
  readonly maxSteps: number
}

/** The input of a plan for several indexes. */
export interface PlanInput extends ControllerInput {
  readonly indexes: readonly PackageIndex[]
}

/** Steps in the order in which they are taken, and the failures. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly failures: readonly PlanFailure[]
}

/** One object that is made, moved to another version, or removed. */
export interface Step {
  readonly op: 'create' | 'update' | 'remove'
  readonly ecosystem: string
  /** The version or digest after the step; for a removal the one before. */
  readonly version: string
  /** The name of the object. */
  readonly name: string
  /** The name of the object it is made for. */
  readonly owner?: string | undefined
  /** The distance from existing packages: 1 if an existing package requires it, 2 if a package of pass 1 does. */
  readonly pass: number
  readonly package: Package
  /** The object that is moved or removed. */
  readonly install?: Install | undefined
  /** The packages that require it, the owner first. */
  readonly parents: readonly Parent[]
}

/** A package with a requirement: an existing object, a package being written, or an object that another step makes. */
export interface Parent {
  /** The package and its version, as messages name it. */
  readonly name: string
  readonly requirement: Requirement
  readonly dependent?: Dependent | undefined
  readonly step?: Step | undefined
}

/** The reason why the requirements of some packages cannot be met. */
export interface PlanFailure {
  readonly ecosystem: string
  /** The ids of the packages with the requirements. */
  readonly packages: readonly string[]
  /** unresolvable: no versions meet all requirements. exceeded: the steps of the solver did not suffice. */
  readonly reason: 'unresolvable' | 'exceeded'
  readonly sentences: readonly string[]
  readonly place: FieldPlace
}

/** Returns the reason of a failure as a clause. */
export function clauseOf({ sentences }: PlanFailure): string {
  const why = sentences.join(' ').replace(/\.$/, '')
  return `${why.charAt(0).toLowerCase()}${why.slice(1)}`
}

/** Returns the name of the object of a parent; undefined for a package being written. */
export function ownerName({ dependent, step }: Parent): string | undefined {
  return step?.name ?? dependent?.install?.name
}

/** Returns the name of the first parent with an object: the owner of what is installed for the parents. */
export function firstOwner(parents: readonly Parent[]): string | undefined {
  return parents.map(ownerName).find((name) => name !== undefined)
}

/** Returns the fields that every step of a package has. */
export function stepOn(pkg: Package, text: string, { ecosystem }: PackageIndex): Pick<Step, 'ecosystem' | 'version' | 'package'> {
  return { ecosystem, version: text, package: pkg }
}

/** Returns the step that removes the object of an install. */
export function removalOf(install: Install, index: PackageIndex, pass: number): Step {
  return { ...stepOn(install.package, install.text, index), op: 'remove', name: install.name, pass, install, parents: [] }
}

/** Returns true if a package is installed for a parent; a requirement with `install: false` installs nothing. */
export function installs({ requirement }: Parent): boolean {
  return requirement.type !== 'package' || !requirement.validateOnly
}
