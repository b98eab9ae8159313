import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { Version } from '../../versions/version.ts'
import { knotsOf } from '../graph.ts'
import type { PackageIndex, PackageRequirement, Requirement } from '../package-index.ts'
import {
  ControllerState,
  type InstalledPackage,
  type InstalledRequirement,
  packageRequirements,
  passAfter,
  reportViolations,
  requirementsOn,
} from '../plan/controller-state.ts'
import type { ControllerInput, Parent, Plan } from '../plan/plan.ts'
import type { RangeReader } from '../range.ts'
import { isCompleteTag, isDigest } from './reference.ts'
import { firstRelease, hasChange } from './releases.ts'

/** The registry of the operator, and the settings that decide which tags are chosen. */
export interface CrossplaneRegistry {
  readonly reader: RangeReader
  /** Returns every tag of a source, partial tags included. */
  readonly tagsOf: (source: string) => readonly string[]
  /** Returns the place that a source is pulled from, if that is another one. */
  readonly pulledFrom: (source: string) => string | undefined
  readonly crossplaneVersion: string | undefined
}

/**
 * Returns the steps that Crossplane's resolver would take with the Lock (internal/controller/pkg/resolver/reconciler.go): one missing
 * package at a time, the first in the order of the Lock, in the version that its first parent asks for. With upgrades, packages that
 * violate a constraint are changed too.
 */
export function nativeCrossplane(index: PackageIndex, registry: CrossplaneRegistry, { policy, maxSteps }: ControllerInput): Plan {
  const state = new ControllerState(index, policy)
  const resolver = new Resolver(state, registry)
  while (state.steps.length < maxSteps && resolver.resolveFirst());
  reportViolations(state, resolver.reported)
  return state
}

/** A dependency that has to be installed or moved, with its first parent. */
interface Implied extends InstalledRequirement {
  readonly present: InstalledPackage | undefined
}

class Resolver {
  readonly #state: ControllerState
  readonly #registry: CrossplaneRegistry
  /** The requirements that the Lock reports. */
  readonly reported = new Set<Requirement>()

  constructor(state: ControllerState, registry: CrossplaneRegistry) {
    this.#state = state
    this.#registry = registry
  }

  /** Installs or moves one package. Returns false if nothing is left to do, or if the next package cannot be installed. */
  resolveFirst(): boolean {
    const lock = this.#lock()
    const cyclic = this.#findCycle(lock)
    if (cyclic !== undefined) return this.#stop(cyclic, `detected cycle on: ${cyclic.package.id}`)
    const implied = this.#firstImplied(lock)
    if (implied === undefined) return false
    const all = requirementsOn(implied.requirement.package, lock)
    return implied.present === undefined ? this.#install(implied, all) : this.#update(implied, implied.present, all)
  }

  /**
   * Returns the packages in the order of the Lock: objects by source, then the installed dependencies in the order of their steps. With
   * upgrades, leaves out packages that take no part.
   */
  #lock(): InstalledPackage[] {
    const all = this.#state.all()
    const order = new Map(this.#state.steps.map((step, i) => [step.package, i + 1]))
    const made = ({ install, package: pkg }: InstalledPackage): number => (install === undefined ? (order.get(pkg) ?? 0) : 0)
    const sorted = all.sort((a, b) => made(a) - made(b) || compareText(a.package.id, b.package.id))
    const { crossplaneVersion, reader } = this.#registry
    if (this.#state.policy.upgrades === 'none' || !hasChange('outdated-left-out', crossplaneVersion)) return sorted
    const locked = sorted.map((present) => ({ present, ...lockedOf(present) }))
    return withoutOutdated(locked, reader).map(({ present }) => present)
  }

  #findCycle(lock: readonly InstalledPackage[]): InstalledPackage | undefined {
    const edges = lock.map((each) => [each.package.key, packageRequirements(each).map(({ package: pkg }) => pkg.key)] as const)
    const cyclic = new Set(knotsOf(new Map(edges)).flat())
    return lock.find(({ package: pkg }) => cyclic.has(pkg.key))
  }

  #firstImplied(lock: readonly InstalledPackage[]): Implied | undefined {
    const { reader } = this.#registry
    const upgrades = this.#state.policy.upgrades !== 'none'
    for (const by of lock) {
      for (const requirement of packageRequirements(by)) {
        const [present] = this.#state.of(requirement.package)
        const isMet = present !== undefined && !(upgrades && isOutdated(present.text, [constraintOf(requirement)], reader))
        if (!isMet) return { requirement, by, present }
      }
    }
    return undefined
  }

  #install({ requirement, by }: Implied, all: readonly InstalledRequirement[]): boolean {
    const { id } = requirement.package
    const constraint = constraintOf(requirement)
    const { crossplaneVersion, reader } = this.#registry
    const choosesPartial = !hasChange('partial-tags-left-out', crossplaneVersion)
    const found = findVersionToInstall(constraint, this.#registry.tagsOf(id), reader, choosesPartial)
    if (found === undefined) return this.#stop(by, noValidVersion(id, [constraint]), requirement)
    this.#state.create(requirement.package, found, this.#parentsOf(all), passAfter(by))
    return true
  }

  #update({ requirement, by }: Implied, present: InstalledPackage, all: readonly InstalledRequirement[]): boolean {
    const { package: pkg } = requirement
    const unseen = this.#unseen(pkg.id)
    if (unseen !== undefined) return this.#stop(by, unseen, requirement)
    const { downgrades } = this.#state.policy
    const constraints = all.map((each) => constraintOf(each.requirement))
    const wanted = { source: pkg.id, installed: present.text, constraints, available: this.#registry.tagsOf(pkg.id), downgrades }
    const found = findVersionToUpdate(wanted, this.#registry.reader)
    if ('error' in found) return this.#stop(by, found.error, requirement)
    const isStuck = found.version === present.text || !this.#state.mayMove(present, this.#registry.reader.version(found.version))
    if (isStuck) return this.#stop(by, noValidVersion(pkg.id, constraints), requirement)
    this.#state.move(present, found.version, this.#parentsOf(all), passAfter(by))
    return true
  }

  /**
   * Returns why an upgrade does not find the installed package of a source: v2.1 and v2.2 look for the place that it is pulled from. They
   * then create the package anew, under the name that it has already, and nothing changes.
   */
  #unseen(source: string): string | undefined {
    const { crossplaneVersion, pulledFrom } = this.#registry
    const pulled = pulledFrom(source)
    if (pulled === undefined || hasChange('found-by-source', crossplaneVersion)) return undefined
    if (!hasChange('found-by-pulled-place', crossplaneVersion)) return undefined
    return `is not upgraded: an ImageConfig rewrites it to ${pulled}, and Crossplane ${crossplaneVersion} looks for the installed package there; ${firstRelease('found-by-source')} finds it`
  }

  #parentsOf(all: readonly InstalledRequirement[]): Parent[] {
    return all.map(({ by, requirement }) => this.#state.parentOf(by, requirement))
  }

  // The Lock reports the failure, and nothing more is installed.
  #stop(by: InstalledPackage, sentence: string, requirement = packageRequirements(by)[0]): false {
    if (requirement !== undefined) this.reported.add(requirement)
    if (requirement !== undefined) this.#state.fail(this.#state.parentOf(by, requirement), `${requirement.package.id}: ${sentence}`)
    return false
  }
}

function lockedOf(present: InstalledPackage): LockedPackage {
  const dependencies = packageRequirements(present).map((each) => ({ source: each.package.id, constraint: constraintOf(each) }))
  return { source: present.package.id, version: present.text, dependencies }
}

/** Returns a constraint as the Lock has it; '' for any version. */
function constraintOf({ digest, range }: PackageRequirement): string {
  return digest ?? range?.text ?? ''
}

/** Returns the message of Crossplane's resolver for a package without a valid version. */
export function noValidVersion(source: string, constraints: readonly string[]): string {
  return `dependency (${source}) does not have a valid version to upgrade that satisfies all constraints. If there is a valid version that requires downgrade, manual intervention is required. Constraints: [${constraints.join(' ')}]`
}

/**
 * Returns the version in which a missing package is installed: a required digest, else the highest whole version in the constraint of the
 * first parent (findDependencyVersionToInstall). Returns undefined if there is none.
 */
export function findVersionToInstall(
  constraint: string,
  available: readonly string[],
  reader: RangeReader,
  choosesPartial = false,
): string | undefined {
  if (isDigest(constraint)) return constraint
  const range = constraint === '' ? undefined : reader.range(constraint)
  if (constraint !== '' && range === undefined) return undefined
  const versions = versionsIn(choosesPartial ? available : available.filter(isCompleteTag), reader)
  return versions.findLast((version) => range === undefined || range.accepts(version))?.text
}

/** An installed package, and what all its parents ask for. */
export interface WantedUpdate {
  readonly source: string
  /** Its tag or digest. */
  readonly installed: string
  readonly constraints: readonly string[]
  readonly available: readonly string[]
  readonly downgrades: boolean
}

/**
 * Returns the version that an installed package moves to: the digest that all parents require, else the lowest version that satisfies all
 * parents and is not below the installed one, else with downgrades the highest version that satisfies all (findDependencyVersionToUpdate).
 */
export function findVersionToUpdate(wanted: WantedUpdate, reader: RangeReader): { readonly version: string } | { readonly error: string } {
  const { source, installed, constraints, available, downgrades } = wanted
  const common = commonDigest(constraints)
  if ('error' in common) return common
  if (common.digest !== '') return { version: common.digest }
  // Crossplane panics where ranges are required of a package that is installed by digest.
  if (isDigest(installed)) return { error: noValidVersion(source, constraints) }
  const ranges = constraints.filter((constraint) => constraint !== '').map((constraint) => reader.range(constraint))
  const valid = versionsIn(available, reader).filter((version) => ranges.every((range) => range?.accepts(version) === true))
  const current = reader.version(installed)
  const above = current === undefined ? undefined : valid.find((version) => reader.dialect.compare(version, current) >= 0)
  const found = above ?? (downgrades ? valid.at(-1) : undefined)
  return found === undefined ? { error: noValidVersion(source, constraints) } : { version: found.text }
}

/**
 * Returns the one digest that all parents require; '' if no parent requires a digest.
 *
 * @returns the error if two digests differ, or if one parent requires a digest and another a range (Crossplane findDigestToUpdate)
 */
export function commonDigest(constraints: readonly string[]): { readonly digest: string } | { readonly error: string } {
  const digests = constraints.filter(isDigest)
  const [first = ''] = digests
  if (digests.some((digest) => digest !== first))
    return { error: `a dependency package has different digests in parent constraints ([${constraints.join(' ')}])` }
  if (digests.length > 0 && digests.length < constraints.length)
    return { error: `a dependency package has different types of parent constraints ([${constraints.join(' ')}])` }
  return { digest: first }
}

/** Returns the tags that are versions, lowest first. Equal versions with different texts are sorted by text. */
function versionsIn(tags: readonly string[], reader: RangeReader): Version[] {
  return [...tags]
    .sort()
    .flatMap((tag) => reader.version(tag) ?? [])
    .sort(reader.dialect.compare)
}

/** Returns true if the installed version or digest meets none of the constraints. */
function isOutdated(installed: string, constraints: readonly string[], reader: RangeReader): boolean {
  const version = reader.version(installed)
  return !constraints.some((constraint) => {
    if (isDigest(constraint)) return installed === constraint
    return constraint === '' || (version !== undefined && reader.range(constraint)?.accepts(version) === true)
  })
}

/** A package of the Lock. */
export interface LockedPackage {
  readonly source: string
  readonly version: string
  readonly dependencies: readonly { readonly source: string; readonly constraint: string }[]
}

/**
 * Returns the packages that take part in a resolution with upgrades: those that no package requires, and those that meet at least one of
 * the constraints on them (pruneOutdatedDependencies).
 */
export function withoutOutdated<Package extends LockedPackage>(packages: readonly Package[], reader: RangeReader): Package[] {
  const dependencies = packages.flatMap((each) => each.dependencies)
  const constraints = groupBy(dependencies, ({ source }) => source)
  return packages.filter(({ source, version }) => {
    const own = constraints.get(source)?.map(({ constraint }) => constraint)
    return own === undefined || !isOutdated(version, own, reader)
  })
}
