import type { Version } from '../../versions/version.ts'
import type { Package } from '../resolve/problem.ts'
import type { Dependent, Install, KnownVersion, PackageRequirement, Requirement, Target, Universe } from '../universe.ts'
import type { PlanPolicy } from './plan.ts'

/** One version or digest that a node may have. */
export interface Value {
  readonly text: string
  /** Undefined: a digest, or what cannot be told. */
  readonly version: Version | undefined
  readonly digest: string | undefined
  /** Whether it is what is there. */
  readonly isInstalled: boolean
  /** What it requires, as far as that is known; asked when the solver looks at it. */
  readonly requirements: () => readonly Requirement[]
}

/** A package as the solver sees it: an object that is there, or one that could be made. */
export interface Node extends Package {
  readonly universe: Universe
  readonly target: Target
  readonly install: Install | undefined
  readonly values: readonly Value[]
  /** Whether it stays as it is. */
  readonly isFixed: boolean
}

/** What is needed to make nodes. */
export interface NodeContext {
  readonly policy: PlanPolicy
  readonly dependentsOf: (install: Install) => readonly Dependent[]
  readonly digestsOf: (target: Target) => ReadonlySet<string>
}

/** Whether the object of an install stays as it is. */
function isFixed({ movable, generated }: Install, { upgrades }: PlanPolicy): boolean {
  return !movable || (!generated && upgrades !== 'all')
}

/** A package that is not there. */
export function absentNode(id: string, target: Target, universe: Universe, context: NodeContext): Node {
  const values = [...target.known.map(knownValue), ...digestValues(target, context)]
  return { id, universe, target, install: undefined, values, versions: values.map(({ text }) => text), isFixed: false }
}

/** An object that is there. */
export function installedNode(id: string, install: Install, universe: Universe, context: NodeContext): Node {
  const { target } = install
  const own: Value = {
    text: install.text,
    version: install.version,
    digest: install.digest,
    isInstalled: true,
    requirements: () => context.dependentsOf(install).flatMap(({ requirements }) => requirements),
  }
  const fixed = isFixed(install, context.policy)
  const values = [
    ...knownValues(install, own, { universe, isLowerToo: fixed || context.policy.downgrades }),
    ...digestValues(target, context),
  ]
  const stays = fixed || !install.generated || context.policy.upgrades === 'none'
  return {
    id,
    universe,
    target,
    install,
    values,
    versions: values.map(({ text }) => text),
    isFixed: fixed,
    keep: values.indexOf(own),
    rises: !stays,
  }
}

/**
 * The versions that an object may have, highest first; what is there is one of them, whether known or not. Of an object that stays they
 * are what it could have: without the fact that it stays there might be a solution.
 */
function knownValues(
  { target, version }: Install,
  own: Value,
  { universe, isLowerToo }: { readonly universe: Universe; readonly isLowerToo: boolean },
): readonly Value[] {
  if (version === undefined) return [own, ...target.known.map(knownValue)]
  const compared = target.known.map((known) => ({ known, order: universe.compare(known.version, version) }))
  const others = compared.filter(({ known, order }) => known.version.text !== own.text && (order >= 0 || isLowerToo))
  const above = others.filter(({ order }) => order > 0).map(({ known }) => knownValue(known))
  const below = others.filter(({ order }) => order <= 0).map(({ known }) => knownValue(known))
  return [...above, own, ...below]
}

function knownValue(known: KnownVersion): Value {
  const { version } = known
  return { text: version.text, version, digest: undefined, isInstalled: false, requirements: () => known.requirements ?? [] }
}

function digestValues(target: Target, { digestsOf }: NodeContext): readonly Value[] {
  return [...digestsOf(target)].sort().map((digest) => ({
    text: digest,
    version: undefined,
    digest,
    isInstalled: false,
    requirements: () => target.requirementsAt(digest) ?? [],
  }))
}

/** The number of the value that is there. */
export function indexThere({ values }: Node): number {
  return values.findIndex(({ isInstalled }) => isInstalled)
}

/** Whether a value meets a requirement: what is there if it is accepted, anything else if the system would choose it. */
export function meets({ version, digest, text, isInstalled }: Value, requirement: PackageRequirement, { chooses }: Universe): boolean {
  if (requirement.digest !== undefined) return digest === requirement.digest
  const { range } = requirement
  if (range === undefined) return isInstalled || version === undefined || chooses(version)
  // What is there and cannot be told is not taken for wrong.
  if (version === undefined) return isInstalled && digest === undefined && text === ''
  return isInstalled ? range.accepts(version) : range.selects(version)
}
