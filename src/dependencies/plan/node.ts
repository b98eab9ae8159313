import type { Version } from '../../versions/version.ts'
import type { SolverPackage } from '../resolve/problem.ts'
import { firstVersions, type VersionSet, versionSet } from '../resolve/version-set.ts'
import type { Dependent, Install, KnownVersion, PackageRequirement, PackageTarget, Requirement, Universe } from '../universe.ts'
import type { PlanPolicy } from './plan.ts'

/** One version or digest that a node may have. */
export interface PackageValue {
  readonly text: string
  /** The version; undefined for a digest or an unknown version. */
  readonly version: Version | undefined
  readonly digest: string | undefined
  /** True for the installed value. */
  readonly isInstalled: boolean
  /** Returns the known requirements of the value. Called when the solver reads the value. */
  readonly requirements: () => readonly Requirement[]
}

/** A package of the solver's problem: an existing object, or an object that could be made. */
export interface PackageNode extends SolverPackage {
  readonly universe: Universe
  readonly target: PackageTarget
  readonly install: Install | undefined
  readonly values: readonly PackageValue[]
  /** True if the object keeps its version. */
  readonly isFixed: boolean
  /** The numbers of the values that the policy allows. */
  readonly allowed: VersionSet
}

/** The policy and the lookups that nodes are made with. */
export interface NodeContext {
  readonly policy: PlanPolicy
  readonly dependentsOf: (install: Install) => readonly Dependent[]
  readonly digestsOf: (target: PackageTarget) => ReadonlySet<string>
}

/** Returns true if the object of an install stays as it is: a digest is what a person has chosen and no version is known to follow. */
function isFixed({ movable, digest, generated }: Install, { upgrades }: PlanPolicy): boolean {
  return !movable || digest !== undefined || (!generated && upgrades !== 'all')
}

/** Returns the node of a package that is not installed. */
export function absentNode(id: string, target: PackageTarget, universe: Universe, context: NodeContext): PackageNode {
  const values = [...target.known.map(knownValue), ...digestValues(target, context)]
  const allowed = firstVersions(values.length)
  return { id, universe, target, install: undefined, values, versions: values.map(({ text }) => text), isFixed: false, allowed }
}

/** Returns the node of an installed package. */
export function installedNode(id: string, install: Install, universe: Universe, context: NodeContext): PackageNode {
  const { target } = install
  const own: PackageValue = {
    text: install.text,
    version: install.version,
    digest: install.digest,
    isInstalled: true,
    requirements: () => context.dependentsOf(install).flatMap(({ requirements }) => requirements),
  }
  const fixed = isFixed(install, context.policy)
  const values = [...knownValues(install, own, universe), ...digestValues(target, context)]
  const isAllowed = (value: PackageValue | undefined): boolean => {
    if (fixed) return value === own
    return context.policy.downgrades || value?.version === undefined || !isBelow(value.version, install, universe)
  }
  const stays = fixed || !install.generated || context.policy.upgrades === 'none'
  return {
    id,
    universe,
    target,
    install,
    values,
    versions: values.map(({ text }) => text),
    isFixed: fixed,
    allowed: versionSet([...values.keys()].filter((number) => isAllowed(values[number]))),
    keep: values.indexOf(own),
    rises: !stays,
  }
}

/** Returns the known versions, highest first, with the installed version among them, whether known or not. */
function knownValues({ target, version }: Install, own: PackageValue, { compare }: Universe): readonly PackageValue[] {
  if (version === undefined) return [own, ...target.known.map(knownValue)]
  const others = target.known.filter((known) => known.version.text !== own.text)
  const compared = others.map((known) => ({ value: knownValue(known), order: compare(known.version, version) }))
  const above = compared.filter(({ order }) => order > 0).map(({ value }) => value)
  const below = compared.filter(({ order }) => order <= 0).map(({ value }) => value)
  return [...above, own, ...below]
}

function isBelow(version: Version, install: Install, { compare }: Universe): boolean {
  return install.version !== undefined && compare(version, install.version) < 0
}

function knownValue(known: KnownVersion): PackageValue {
  const { version } = known
  return { text: version.text, version, digest: undefined, isInstalled: false, requirements: () => known.requirements ?? [] }
}

function digestValues(target: PackageTarget, { digestsOf }: NodeContext): readonly PackageValue[] {
  return [...digestsOf(target)].sort().map((digest) => ({
    text: digest,
    version: undefined,
    digest,
    isInstalled: false,
    requirements: () => target.requirementsAt(digest) ?? [],
  }))
}

/**
 * Returns true if a value meets a requirement: an installed value must be accepted, any other must be one that the package manager
 * chooses.
 */
export function meets(
  { version, digest, text, isInstalled }: PackageValue,
  requirement: PackageRequirement,
  { chooses }: Universe,
): boolean {
  if (requirement.digest !== undefined) return digest === requirement.digest
  const { range } = requirement
  if (range === undefined) return isInstalled || version === undefined || chooses(version)
  // An installed package of unknown version meets every range.
  if (version === undefined) return isInstalled && digest === undefined && text === ''
  return isInstalled ? range.accepts(version) : range.selects(version)
}
