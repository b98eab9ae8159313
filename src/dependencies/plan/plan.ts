import type { FieldPlace } from '../place.ts'
import type { Dependent, Install, PackageTarget, Requirement, ServedKinds, Universe } from '../universe.ts'

/** What may be moved, and what may go. */
export interface PlanPolicy {
  /** none: a generated object moves only if a requirement fails; generated: to the highest allowed; all: user objects too, if one fails. */
  readonly upgrades: 'none' | 'generated' | 'all'
  /** Whether an object may go below the version it has. */
  readonly downgrades: boolean
  /** Whether generated objects that nobody needs are removed. */
  readonly prune: boolean
}

/** What an operator is told before it begins. */
export interface NativeInput {
  readonly kinds: ServedKinds
  readonly policy: PlanPolicy
  /** How much may be tried. */
  readonly maxSteps: number
}

/** What is planned for, and how. */
export interface PlanInput extends NativeInput {
  readonly universes: readonly Universe[]
}

/** What would have to be done, in this order, and what keeps some of it from being done. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly failures: readonly PlanFailure[]
}

/** One object that is made, moved to another version, or removed. */
export interface Step {
  readonly op: 'create' | 'update' | 'remove'
  readonly ecosystem: string
  /** The package, as users call it. */
  readonly id: string
  /** The version or digest that is there afterwards; of a removed object the one that was there. */
  readonly version: string
  /** The name of the object. */
  readonly name: string
  /** The name of the object it is made for. */
  readonly owner?: string | undefined
  /** How far it is from what was there before: 1 is required by that, 2 by what the first pass makes. */
  readonly pass: number
  readonly target: PackageTarget
  /** The object that is moved or removed. */
  readonly install?: Install | undefined
  /** Who requires it, the owner first. */
  readonly parents: readonly Parent[]
}

/** Who requires something: an object that is there, a package being written, or an object that another step makes. */
export interface Parent {
  /** The package and its version, as messages name it. */
  readonly name: string
  readonly requirement: Requirement
  readonly dependent?: Dependent | undefined
  readonly step?: Step | undefined
}

/** Why some packages cannot get what they require. */
export interface PlanFailure {
  readonly ecosystem: string
  /** The packages that require it, as users call them. */
  readonly packages: readonly string[]
  /** unresolvable: no versions meet all requirements; exceeded: it was not found out in so many steps. */
  readonly reason: 'unresolvable' | 'exceeded'
  readonly sentences: readonly string[]
  readonly place: FieldPlace
}

/** The name of the object of a parent; undefined for a package being written. */
export function ownerName({ dependent, step }: Parent): string | undefined {
  return step?.name ?? dependent?.install?.name
}

/** Whether something is made for a parent: one that says `install: false` only looks whether it is there. */
export function installs({ requirement }: Parent): boolean {
  return requirement.type !== 'package' || !requirement.validateOnly
}
