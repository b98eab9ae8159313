import { compareText } from '../../field-path.ts'
import { remember } from '../../remember.ts'
import type { Version } from '../../versions/version.ts'
import {
  type Dependent,
  type Install,
  isChosenFor,
  isMetBy,
  type KnownVersion,
  leavesOf,
  type Package,
  type PackageIndex,
  type PackageRequirement,
  type Requirement,
  type ServedKinds,
} from '../package-index.ts'
import type { ProblemPackage } from '../resolve/problem.ts'
import { firstVersions, type VersionSet, versionSet } from '../resolve/version-set.ts'
import type { PlanInput, PlanPolicy } from './plan.ts'

/** The packages that can be required directly or indirectly by any version of any package. */
export interface RequirementClosure {
  /** Every package that is required or installed. */
  readonly packages: ReadonlySet<Package>
  /** The digests by which packages are required. */
  readonly digests: ReadonlyMap<Package, ReadonlySet<string>>
  /** Packages that may be installed: at least one requirement on them is not `install: false`. */
  readonly installable: ReadonlySet<Package>
}

/** Returns the closure of the requirements of all dependents, through every known version. */
export function closureOf(indexes: readonly PackageIndex[], kinds: ServedKinds): RequirementClosure {
  const reader = new ClosureReader(kinds)
  for (const { dependents } of indexes) {
    for (const { package: pkg, requirements } of dependents) {
      if (pkg !== undefined) reader.reach(pkg)
      reader.readAll(requirements, pkg)
    }
  }
  reader.readReached()
  return reader
}

class ClosureReader implements RequirementClosure {
  readonly packages = new Set<Package>()
  readonly digests = new Map<Package, Set<string>>()
  readonly installable = new Set<Package>()
  readonly #kinds: ServedKinds
  readonly #unread: Package[] = []

  constructor(kinds: ServedKinds) {
    this.#kinds = kinds
  }

  reach(pkg: Package): void {
    if (this.packages.has(pkg)) return
    this.packages.add(pkg)
    this.#unread.push(pkg)
  }

  readReached(): void {
    for (let pkg = this.#unread.pop(); pkg !== undefined; pkg = this.#unread.pop()) {
      for (const { requirements } of pkg.known) if (requirements !== undefined) this.readAll(requirements, pkg)
      for (const digest of this.digests.get(pkg) ?? []) this.readAll(pkg.requirementsAt(digest) ?? [], pkg)
    }
  }

  readAll(requirements: readonly Requirement[], by: Package | undefined): void {
    for (const leaf of requirements.flatMap(leavesOf)) {
      if (leaf.type === 'gvk') this.#readKind(leaf, by)
      else if (leaf.type === 'package') this.#readPackage(leaf)
    }
  }

  #readKind({ wanted }: Extract<Requirement, { type: 'gvk' }>, by: Package | undefined): void {
    if (this.#kinds.servesAnyway(wanted)) return
    for (const pkg of this.#kinds.packagesOf(wanted, by).keys()) {
      this.installable.add(pkg)
      this.reach(pkg)
    }
  }

  #readPackage({ package: pkg, digest, validateOnly }: Extract<Requirement, { type: 'package' }>): void {
    if (!validateOnly) this.installable.add(pkg)
    if (digest !== undefined) this.#addDigest(pkg, digest)
    this.reach(pkg)
  }

  // A digest that is found after its package was read is read, too.
  #addDigest(pkg: Package, digest: string): void {
    const digests = remember(this.digests, pkg, () => new Set<string>())
    if (digests.has(digest)) return
    digests.add(digest)
    if (this.packages.has(pkg)) this.#unread.push(pkg)
  }
}

/** A version or digest of a package that the solver may choose. */
export interface Candidate {
  readonly text: string
  /** The version; undefined for a digest or an unknown version. */
  readonly version: Version | undefined
  readonly digest: string | undefined
  /** True for the installed version or digest. */
  readonly isInstalled: boolean
  /** Returns the known requirements of the candidate. Called when the solver reads the candidate. */
  readonly requirements: () => readonly Requirement[]
}

/** A package of the solver's problem: an existing object, or an object that could be made. */
export interface PlannedPackage extends ProblemPackage {
  readonly index: PackageIndex
  readonly package: Package
  readonly install: Install | undefined
  readonly candidates: readonly Candidate[]
  /** True if the object keeps its version. */
  readonly isFixed: boolean
  /** True if an update names the package: then it moves to the highest allowed version. */
  readonly isTarget: boolean
  /** The numbers of the candidates that the policy allows. */
  readonly allowed: VersionSet
}

/** The policy and the lookups that planned packages are made with. */
interface CandidateContext {
  readonly policy: PlanPolicy
  readonly dependentsOf: (install: Install) => readonly Dependent[]
  readonly digestsOf: (pkg: Package) => ReadonlySet<string>
}

/** Returns the planned package of a package that is not installed. */
function absentPackage(id: string, pkg: Package, index: PackageIndex, context: CandidateContext): PlannedPackage {
  const candidates = [...pkg.known.map(candidateOf), ...digestCandidates(pkg, context)]
  const versions = candidates.map(({ text }) => text)
  const allowed = firstVersions(candidates.length)
  return { id, index, package: pkg, install: undefined, candidates, versions, isFixed: false, isTarget: false, allowed }
}

function installedPackage(id: string, install: Install, index: PackageIndex, context: CandidateContext): PlannedPackage {
  const { package: pkg } = install
  const own: Candidate = {
    text: install.text,
    version: install.version,
    digest: install.digest,
    isInstalled: true,
    requirements: () => context.dependentsOf(install).flatMap(({ requirements }) => requirements),
  }
  const targets = context.policy.targets?.get(install)
  const { policy } = context
  // A digest is what a person has chosen, and no version is known to follow it.
  const stayed = !install.movable || install.digest !== undefined || (!install.generated && policy.upgrades !== 'all')
  const fixed = targets === undefined && stayed
  const candidates = [...candidatesOf(install, own, index), ...digestCandidates(pkg, context)]
  const isAllowed = (candidate: Candidate | undefined): boolean => {
    if (fixed) return candidate === own
    if (targets !== undefined) return candidate !== undefined && targets.has(candidate.text)
    if (policy.downgrades || candidate?.version === undefined || install.version === undefined) return true
    return index.compare(candidate.version, install.version) >= 0
  }
  const stays = fixed || !install.generated || policy.upgrades === 'none'
  return {
    id,
    index,
    package: pkg,
    install,
    candidates,
    versions: candidates.map(({ text }) => text),
    isFixed: fixed,
    isTarget: targets !== undefined,
    allowed: versionSet([...candidates.keys()].filter((number) => isAllowed(candidates[number]))),
    keep: candidates.indexOf(own),
    rises: targets !== undefined || !stays,
  }
}

/** Returns the known versions, highest first, with the installed version among them, whether known or not. */
function candidatesOf({ package: pkg, version }: Install, own: Candidate, { compare }: PackageIndex): readonly Candidate[] {
  if (version === undefined) return [own, ...pkg.known.map(candidateOf)]
  const others = pkg.known.filter((known) => known.version.text !== own.text)
  const compared = others.map((known) => ({ candidate: candidateOf(known), order: compare(known.version, version) }))
  const above = compared.filter(({ order }) => order > 0).map(({ candidate }) => candidate)
  const below = compared.filter(({ order }) => order <= 0).map(({ candidate }) => candidate)
  return [...above, own, ...below]
}

function candidateOf(known: KnownVersion): Candidate {
  const { version } = known
  return { text: version.text, version, digest: undefined, isInstalled: false, requirements: () => known.requirements ?? [] }
}

function digestCandidates(pkg: Package, { digestsOf }: CandidateContext): readonly Candidate[] {
  return [...digestsOf(pkg)].sort().map((digest) => ({
    text: digest,
    version: undefined,
    digest,
    isInstalled: false,
    requirements: () => pkg.requirementsAt(digest) ?? [],
  }))
}

/** Returns true if a candidate meets a requirement: if it is installed, or if the package manager would choose the candidate. */
export function meets(candidate: Candidate, requirement: PackageRequirement, index: PackageIndex): boolean {
  const { version, digest, isInstalled } = candidate
  if (isInstalled) return isMetBy(candidate, requirement)
  if (requirement.digest !== undefined) return digest === requirement.digest
  return version === undefined ? requirement.range === undefined : isChosenFor(version, requirement, index)
}

const NO_DIGESTS: ReadonlySet<string> = new Set()

/**
 * The planned packages by id: one for each install, and one for each package that may be required and is not installed. With a closure all
 * planned packages are made at once. Without a closure one is made when first needed, and the table becomes doubtful as soon as only the
 * closure has an answer.
 */
export class PlannedPackageTable {
  readonly #indexes: readonly PackageIndex[]
  readonly #closure: RequirementClosure | undefined
  readonly #context: CandidateContext
  readonly #byId = new Map<string, PlannedPackage>()
  readonly #byPackage = new Map<Package, readonly PlannedPackage[]>()
  #isDoubtful = false

  constructor(
    { indexes, policy }: Pick<PlanInput, 'indexes' | 'policy'>,
    dependentsOf: (install: Install) => readonly Dependent[],
    closure: RequirementClosure | undefined,
  ) {
    this.#indexes = indexes
    this.#closure = closure
    this.#context = { policy, dependentsOf, digestsOf: (pkg) => closure?.digests.get(pkg) ?? NO_DIGESTS }
    for (const index of indexes) this.#addInstalled(index)
    if (closure !== undefined) for (const index of indexes) this.#addReached(closure, index)
  }

  /** Returns true if an answer was needed that only a closure has. */
  get isDoubtful(): boolean {
    return this.#isDoubtful
  }

  get all(): Iterable<PlannedPackage> {
    return this.#byId.values()
  }

  get(id: string): PlannedPackage | undefined {
    return this.#byId.get(id)
  }

  /** Returns the planned packages of a package; none for a package that no index has. */
  of(pkg: Package): readonly PlannedPackage[] {
    const known = this.#byPackage.get(pkg)
    if (known !== undefined || this.#closure !== undefined) return known ?? []
    const index = this.#indexes.find(({ owns }) => owns(pkg))
    return index === undefined ? [] : this.#addAbsent(pkg, index)
  }

  /**
   * Returns the planned packages that may meet a requirement. For `install: false`, only those that are installed or that another
   * requirement may install.
   */
  for({ package: pkg, validateOnly, digest }: PackageRequirement): readonly PlannedPackage[] {
    if (digest !== undefined) this.#followed()
    if (!validateOnly) return this.of(pkg)
    return this.of(pkg).filter(({ install }) => install !== undefined || this.#followed()?.installable.has(pkg) === true)
  }

  // Only the closure knows all digests and all packages that other requirements install.
  #followed(): RequirementClosure | undefined {
    this.#isDoubtful ||= this.#closure === undefined
    return this.#closure
  }

  #addInstalled(index: PackageIndex): void {
    const packages = [...new Set(index.installs.map(({ package: pkg }) => pkg))].sort((a, b) => compareText(a.key, b.key))
    for (const pkg of packages) {
      const several = pkg.installs.length > 1
      const sorted = [...pkg.installs].sort((a, b) => compareText(a.name, b.name))
      const planned = sorted.map((install, i) => {
        const id = this.#idFor(several ? `${pkg.name} (${install.name || i})` : pkg.name, index)
        return installedPackage(id, install, index, this.#context)
      })
      this.#add(pkg, planned)
    }
  }

  #addReached({ packages }: RequirementClosure, index: PackageIndex): void {
    const isOwn = (pkg: Package): boolean => !this.#byPackage.has(pkg) && index.owns(pkg)
    for (const pkg of [...packages].filter(isOwn).sort((a, b) => compareText(a.key, b.key))) this.#addAbsent(pkg, index)
  }

  #addAbsent(pkg: Package, index: PackageIndex): readonly PlannedPackage[] {
    const planned = [absentPackage(this.#idFor(pkg.name, index), pkg, index, this.#context)]
    this.#add(pkg, planned)
    return planned
  }

  #add(pkg: Package, planned: readonly PlannedPackage[]): void {
    this.#byPackage.set(pkg, planned)
    for (const each of planned) this.#byId.set(each.id, each)
  }

  // Two ecosystems may have packages of one name; the first of them keeps the name.
  #idFor(name: string, { ecosystem }: PackageIndex): string {
    if (!this.#byId.has(name)) return name
    this.#followed()
    return `${name} of ${ecosystem}`
  }
}
