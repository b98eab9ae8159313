import { remember } from '../../remember.ts'
import { formatPlace, listNames, listSome, nameSome, quote } from '../finding.ts'
import {
  type GvkRequirement,
  type Leaf,
  leavesOf,
  type Package,
  type PackageIndex,
  type PackageRequirement,
  type Requirement,
  type ServedKinds,
} from '../package-index.ts'
import { describeKind } from '../requirements.ts'
import type { PackageRange, SolverRequirement } from '../resolve/problem.ts'
import { versionSet } from '../resolve/version-set.ts'
import { type Candidate, meets, type PlannedPackage, type PlannedPackageTable } from './planned-packages.ts'

/** The packages and kinds that may meet a requirement. */
export interface RangeContext {
  readonly kinds: ServedKinds
  readonly packages: PlannedPackageTable
}

/** The context, and the package index of the requirement. */
interface Known extends RangeContext, Requirer {}

/**
 * The package that has a requirement. Kinds are searched in its scope. `namesPlace` is set for installed packages: messages name the place.
 */
export interface Requirer {
  readonly index: PackageIndex
  readonly package: Package | undefined
  readonly namesPlace: boolean
  /** True to list alternatives as written; else installed ones are first. */
  readonly asWritten?: boolean
}

/**
 * Returns a requirement for the solver: the ranges of packages that meet the requirement. Returns undefined if the requirement is met
 * whatever is chosen, or if that is not known.
 */
export function solverRequirementOf(requirement: Requirement, by: Requirer, context: RangeContext): SolverRequirement | undefined {
  const known: InstallableRange[] = []
  let isMet = false
  let isUnknown = false
  for (const leaf of leavesOf(requirement)) {
    const ranges = rangesFor(leaf, by, context)
    isMet ||= ranges === 'met'
    isUnknown ||= ranges === 'unknown'
    if (typeof ranges !== 'string') known.push(...ranges)
  }
  if (isMet) return undefined
  const possible = known.every(isPossible) ? known : known.filter(isPossible)
  // If one alternative is not known and no other has a version, the requirement is not checked.
  if (isUnknown && possible.length === 0) return undefined
  // A package that is required optionally may be absent. If no version meets the requirement, the package must be absent.
  const anyOf = inOrder(requirement.optional ? known : possible, by)
  if (requirement.optional && anyOf.length === 0) return undefined
  const wants = `${describe(requirement, by, context)}${by.namesPlace ? ` (${formatPlace(requirement.place)})` : ''}`
  const lack = (): string => describeLack(requirement, { ...context, ...by })
  return { anyOf, wants, ...(requirement.optional && { optional: true }), ...(anyOf.length === 0 && { lack }) }
}

type Ranges = readonly InstallableRange[] | 'met' | 'unknown'

interface InstallableRange extends PackageRange {
  readonly isInstalled: boolean
}

function isPossible({ versions }: InstallableRange): boolean {
  return versions !== 0n
}

function rangesFor(leaf: Leaf, by: Requirer, context: RangeContext): Ranges {
  if (leaf.type === 'platform') return leaf.met ? 'met' : []
  return leaf.type === 'gvk' ? kindRanges(leaf, by, context) : packageRanges(leaf, by, context)
}

function packageRanges(requirement: PackageRequirement, { index }: Requirer, { packages }: RangeContext): Ranges {
  if (index.isProvided(requirement.package)) return 'met'
  const isUnknown = packages.of(requirement.package).every(({ candidates }) => candidates.length === 0)
  if (isUnknown) return index.closed ? [] : 'unknown'
  return packages.for(requirement).map((planned) => rangeFor(planned, requirement))
}

// Most versions of a package require another one in the same range.
const rangesOfPackages = new WeakMap<PlannedPackage, Map<unknown, InstallableRange>>()

function rangeFor(planned: PlannedPackage, requirement: PackageRequirement): InstallableRange {
  const known = remember(rangesOfPackages, planned, () => new Map<unknown, InstallableRange>())
  return remember(known, requirement.digest ?? requirement.range, () =>
    rangeOf(planned, (candidate) => meets(candidate, requirement, planned.index)),
  )
}

// A kind comes from the package that is installed, or from the only package that provides the kind. Of several none is chosen.
function kindRanges({ wanted }: GvkRequirement, by: Requirer, { kinds, packages }: RangeContext): Ranges {
  if (kinds.servesAnyway(wanted)) return 'met'
  const providing = kinds.packagesOf(wanted, by.package)
  if (providing.size === 0) return by.index.closed ? [] : 'unknown'
  const known = rangesOfKinds.get(providing)
  if (known?.packages === packages) return known.ranges
  const ranges = rangesAmong(providing, packages)
  rangesOfKinds.set(providing, { packages, ranges })
  return ranges
}

// Many packages may require one kind.
const rangesOfKinds = new WeakMap<object, { readonly packages: PlannedPackageTable; readonly ranges: readonly InstallableRange[] }>()

function rangesAmong(providing: ReadonlyMap<Package, ReadonlySet<string>>, packages: PlannedPackageTable): readonly InstallableRange[] {
  const all = [...providing]
  const installed = all.filter(([{ installs }]) => installs.length > 0)
  return (installed.length > 0 || all.length > 1 ? installed : all)
    .flatMap(([pkg, versions]) => packages.of(pkg).map((planned) => rangeOf(planned, ({ text }) => versions.has(text))))
    .filter(({ versions }) => versions !== 0n)
}

function rangeOf({ id, candidates }: PlannedPackage, holds: (candidate: Candidate) => boolean): InstallableRange {
  const numbers: number[] = []
  let isInstalled = false
  let number = 0
  for (const candidate of candidates) {
    if (holds(candidate)) {
      numbers.push(number)
      isInstalled ||= candidate.isInstalled
    }
    number++
  }
  return { package: id, versions: versionSet(numbers), isInstalled }
}

// An alternative that is met stays the preferred one, so that a second resolution changes nothing.
function inOrder(ranges: readonly InstallableRange[], { asWritten }: Requirer): readonly PackageRange[] {
  if (ranges.length < 2 || asWritten) return ranges
  const sorted = [...ranges.filter(({ isInstalled }) => isInstalled), ...ranges.filter(({ isInstalled }) => !isInstalled)]
  return sorted.map(({ package: id, versions }) => ({ package: id, versions }))
}

/** Returns a requirement as a noun: `pkg.b ">=2.0.0"`. */
function describe(requirement: Requirement, by: Requirer, context: RangeContext): string {
  if (requirement.type === 'platform') return requirement.wants
  if (requirement.type === 'alternatives') return requirement.alternatives.map((each) => describe(each, by, context)).join(' or ')
  if (requirement.type === 'gvk') return describeProvided(requirement, context)
  const { package: pkg, range, digest } = requirement
  const versions = digest ?? (range === undefined ? '' : quote(range.text))
  return pkg.name === '' || versions === '' ? pkg.name + versions : `${pkg.name} ${versions}`
}

function describeProvided({ wanted }: GvkRequirement, { kinds }: RangeContext): string {
  const kind = describeKind(wanted)
  const providers = kinds.providersOf(wanted)
  return providers.length > 1 ? `${kind}, which ${listNames(nameSome(providers, ({ by }) => by))} provide` : kind
}

/** Returns the reason why nothing meets a requirement, to append to its noun: `, of which 1.5.0 and 1.0.0 are known`. */
function describeLack(requirement: Requirement, known: Known): string {
  const leaves = leavesOf(requirement)
  const [only] = leaves
  if (leaves.length > 1) {
    const lacks = leaves.flatMap((leaf) => lackOfAlternative(leaf, known))
    return lacks.length === 0 ? '' : ` (${listSome(lacks).join('; ')})`
  }
  if (only?.type === 'package') return `, of which ${lackOfPackage(only, known)}`
  return only?.type === 'gvk' && isUnprovided(only, known) ? ', which no known package provides' : ''
}

function lackOfAlternative(leaf: Leaf, known: Known): string[] {
  if (leaf.type === 'package') return [`of ${leaf.package.name} ${lackOfPackage(leaf, known)}`]
  return leaf.type === 'gvk' && isUnprovided(leaf, known) ? [`no known package provides ${describeKind(leaf.wanted)}`] : []
}

function isUnprovided({ wanted }: GvkRequirement, { kinds }: Known): boolean {
  return kinds.providersOf(wanted).length === 0
}

function lackOfPackage({ package: pkg, validateOnly, range }: PackageRequirement, { index, package: requirer, packages }: Known): string {
  const texts = packages
    .of(pkg)
    .flatMap(({ candidates }) => candidates.map(({ text }) => text))
    .filter((text) => text !== '')
  if (texts.length === 0) return `no version is known${index.suggest(pkg.id, requirer?.id).replace(/^; (.*)$/, ' ($1)')}`
  const isKnown = pkg.versions.some((version) => range === undefined || range.selects(version))
  if (validateOnly && isKnown) return 'none exists, and none is installed for it (install: false)'
  return `${listNames(listSome([...new Set(texts)]))} ${texts.length === 1 ? 'is' : 'are'} known`
}
