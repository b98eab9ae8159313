import { compareText } from '../../field-path.ts'
import type { Version } from '../../versions/version.ts'
import type { SolverPackage } from '../resolve/problem.ts'
import { firstVersions, type VersionSet, versionSet } from '../resolve/version-set.ts'
import type { Dependent, Install, KnownVersion, PackageRequirement, PackageTarget, Requirement, Universe } from '../universe.ts'
import type { RequirementClosure } from './closure.ts'
import type { PlanInput, PlanPolicy } from './plan.ts'

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
interface NodeContext {
  readonly policy: PlanPolicy
  readonly dependentsOf: (install: Install) => readonly Dependent[]
  readonly digestsOf: (target: PackageTarget) => ReadonlySet<string>
}

/** Returns true if the object of an install stays as it is: a digest is what a person has chosen and no version is known to follow. */
function isFixed({ movable, digest, generated }: Install, { upgrades }: PlanPolicy): boolean {
  return !movable || digest !== undefined || (!generated && upgrades !== 'all')
}

/** Returns the node of a package that is not installed. */
function absentNode(id: string, target: PackageTarget, universe: Universe, context: NodeContext): PackageNode {
  const values = [...target.known.map(knownValue), ...digestValues(target, context)]
  const allowed = firstVersions(values.length)
  return { id, universe, target, install: undefined, values, versions: values.map(({ text }) => text), isFixed: false, allowed }
}

/** Returns the node of an installed package. */
function installedNode(id: string, install: Install, universe: Universe, context: NodeContext): PackageNode {
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

const NO_DIGESTS: ReadonlySet<string> = new Set()

/**
 * The nodes of universes by id: of installed packages, and of packages that may be required. With a closure all nodes are made at once.
 * Without a closure a node is made when first needed, and the table becomes doubtful as soon as only the closure has an answer.
 */
export class NodeTable {
  readonly #universes: readonly Universe[]
  readonly #closure: RequirementClosure | undefined
  readonly #context: NodeContext
  readonly #byId = new Map<string, PackageNode>()
  readonly #byTarget = new Map<PackageTarget, readonly PackageNode[]>()
  #isDoubtful = false

  constructor(
    { universes, policy }: Pick<PlanInput, 'universes' | 'policy'>,
    dependentsOf: (install: Install) => readonly Dependent[],
    closure: RequirementClosure | undefined,
  ) {
    this.#universes = universes
    this.#closure = closure
    this.#context = { policy, dependentsOf, digestsOf: (target) => closure?.digests.get(target) ?? NO_DIGESTS }
    for (const universe of universes) this.#addInstalled(universe)
    if (closure !== undefined) for (const universe of universes) this.#addReached(closure, universe)
  }

  /** Returns true if an answer was needed that only a closure has. */
  get isDoubtful(): boolean {
    return this.#isDoubtful
  }

  get all(): Iterable<PackageNode> {
    return this.#byId.values()
  }

  get(id: string): PackageNode | undefined {
    return this.#byId.get(id)
  }

  /** Returns the nodes of a target; none for a target that no universe has. */
  of(target: PackageTarget): readonly PackageNode[] {
    const known = this.#byTarget.get(target)
    if (known !== undefined || this.#closure !== undefined) return known ?? []
    const universe = this.#universes.find(({ owns }) => owns(target))
    return universe === undefined ? [] : this.#addAbsent(target, universe)
  }

  /**
   * Returns the nodes that may meet a requirement. For `install: false`, only nodes that are installed or that another requirement may
   * install.
   */
  for({ target, validateOnly, digest }: PackageRequirement): readonly PackageNode[] {
    if (digest !== undefined) this.#followed()
    return this.of(target).filter(
      ({ install }) => install !== undefined || !validateOnly || this.#followed()?.installable.has(target) === true,
    )
  }

  // Only the closure knows all digests and all packages that other requirements install.
  #followed(): RequirementClosure | undefined {
    this.#isDoubtful ||= this.#closure === undefined
    return this.#closure
  }

  #addInstalled(universe: Universe): void {
    const targets = [...new Set(universe.installs.map(({ target }) => target))].sort((a, b) => compareText(a.key, b.key))
    for (const target of targets) {
      const several = target.installs.length > 1
      const sorted = [...target.installs].sort((a, b) => compareText(a.name, b.name))
      const nodes = sorted.map((install, i) => {
        const id = this.#idFor(several ? `${target.name} (${install.name || i})` : target.name, universe)
        return installedNode(id, install, universe, this.#context)
      })
      this.#add(target, nodes)
    }
  }

  #addReached({ targets }: RequirementClosure, universe: Universe): void {
    const isOwn = (target: PackageTarget): boolean => !this.#byTarget.has(target) && universe.owns(target)
    for (const target of [...targets].filter(isOwn).sort((a, b) => compareText(a.key, b.key))) this.#addAbsent(target, universe)
  }

  #addAbsent(target: PackageTarget, universe: Universe): readonly PackageNode[] {
    const nodes = [absentNode(this.#idFor(target.name, universe), target, universe, this.#context)]
    this.#add(target, nodes)
    return nodes
  }

  #add(target: PackageTarget, nodes: readonly PackageNode[]): void {
    this.#byTarget.set(target, nodes)
    for (const node of nodes) this.#byId.set(node.id, node)
  }

  // Two systems may have packages of one name; the first of them keeps it.
  #idFor(name: string, { ecosystem }: Universe): string {
    if (!this.#byId.has(name)) return name
    this.#followed()
    return `${name} of ${ecosystem}`
  }
}
