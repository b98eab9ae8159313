import type { JsonValue } from '../json.ts'
import type { Version } from '../versions/version.ts'
import { type Finding, type FindingTags, formatPlace, MOST_LISTED, nameSome, quote } from './finding.ts'
import type {
  AlternativesRequirement,
  Dependent,
  GvkRequirement,
  Install,
  KnownVersion,
  Package,
  PackageIndex,
  PackageRequirement,
  PlatformRequirement,
  Range,
  Requirement,
  ServedKinds,
} from './package-index.ts'
import { type JointUpdate, jointUpdateFinder, proposeFix } from './proposed-fix.ts'
import {
  type DependentRequirement,
  describeKind,
  describeRequirement,
  describeWanted,
  RequirementsOn,
  requirementsByPackage,
} from './requirements.ts'

/**
 * Returns one finding for each requirement of one ecosystem that is not fulfilled.
 *
 * @param index  the packages of the ecosystem, as its reader found them
 * @param kinds     the kinds that are served, and the packages that provide kinds
 * @returns findings in the order of dependents and their requirements
 */
export function checkRequirements(index: PackageIndex, kinds: ServedKinds, policy: Policy): Finding[] {
  const byPackage = requirementsByPackage(index)
  const alone = { index, kinds, policy, byPackage, together: () => undefined }
  const isMet = (requirement: Requirement, dependent: Dependent) => judge(requirement, { ...alone, dependent }) === undefined
  const together = jointUpdateFinder({ index, byPackage, downgrades: policy.downgrades, isMet })
  return index.dependents.flatMap((dependent) =>
    dependent.requirements.flatMap((requirement) => judge(requirement, { ...alone, together, dependent }) ?? []),
  )
}

/** A dependent, and everything that its requirements are judged by. */
interface Context {
  readonly index: PackageIndex
  readonly kinds: ServedKinds
  readonly policy: Policy
  readonly byPackage: ReadonlyMap<Package, RequirementsOn>
  /** Returns the updates that fix a violation where an update of the package alone does not. */
  readonly together: (pkg: Package, install: Install) => JointUpdate | undefined
  readonly dependent: Dependent
}

function judge(requirement: Requirement, context: Context): Finding | undefined {
  if (requirement.type === 'gvk') return judgeKind(requirement, context)
  if (requirement.type === 'alternatives') return judgeAlternatives(requirement, context)
  // The rules on the objects themselves report platforms.
  if (requirement.type === 'platform') return undefined
  const all = context.byPackage.get(requirement.package) ?? new RequirementsOn()
  return judgePackage({ ...context, own: { dependent: context.dependent, requirement }, all })
}

function judgeKind(requirement: GvkRequirement, context: Context): Finding | undefined {
  const { wanted, optional, place } = requirement
  if (context.kinds.serves(wanted)) return undefined
  const name = describeKind(wanted)
  const providers = context.kinds.providersOf(wanted)
  const unknown = providers.length === 0 && !context.index.closed
  const what = `${context.dependent.name} requires ${name} (${formatPlace(place)})`
  const served =
    providers.length === 0
      ? 'no known package provides it'
      : `it is provided by ${nameSome(providers, ({ by, place: at }) => `${by} (${formatPlace(at())})`).join(', ')}`
  const tags = { ...kindTags(context), dependency: name }
  const finding = (rule: Finding['rule'], why: string): Finding => ({ rule, message: `${what}, which is ${why}; ${served}`, place, tags })
  if (optional) return finding('optional-unfulfilled', 'optional and not served')
  return unknown
    ? { ...finding('dependency-unverified', 'not seen to be served'), severity: 'warning' }
    : finding('gvk-missing', 'not served')
}

// One fulfilled alternative is enough. If one alternative is unknown, the finding is `dependency-unverified`. The message lists all
// branches.
function judgeAlternatives(requirement: AlternativesRequirement, context: Context): Finding | undefined {
  const branches = requirement.alternatives.map((each) => judge(each, context))
  const [first] = branches
  if (first === undefined || branches.includes(undefined)) return undefined
  const reasons = branches.map((branch, i) => `${i + 1}. ${branch?.message}`).join('; ')
  const unverified = branches.find((branch) => branch?.rule === 'dependency-unverified')
  const rule = requirement.optional
    ? 'optional-unfulfilled'
    : unverified !== undefined
      ? 'dependency-unverified'
      : 'alternatives-unfulfilled'
  const message = `${context.dependent.name} requires one of ${branches.length} alternatives (${formatPlace(requirement.place)}), none of which is fulfilled: ${reasons}`
  const severity = rule === 'dependency-unverified' ? unverified?.severity : undefined
  return { rule, ...(severity && { severity }), message, place: requirement.place, tags: kindTags(context) }
}

function kindTags({ index, dependent }: Pick<Context, 'index' | 'dependent'>): FindingTags {
  return { ecosystem: index.ecosystem, dialect: index.dialect, package: dependent.id }
}

/** The user's policy on fixes of violated requirements. */
export interface Policy {
  /** True to propose a lower version where only a lower version satisfies all requirements. */
  readonly downgrades: boolean
}

/** One requirement on a package, with all requirements on the same package. */
interface Case extends Pick<Context, 'index' | 'policy' | 'together'> {
  readonly own: DependentRequirement
  readonly all: RequirementsOn
}

/** Returns the finding of a requirement on a package; undefined when the requirement is fulfilled. One accepted install is enough. */
function judgePackage(each: Case): Finding | undefined {
  const { installs } = each.own.requirement.package
  const found = installs.map((install) => judgePresent(each, install))
  if (installs.length === 0) return judgeAbsent(each)
  return found.includes(undefined) ? undefined : found[0]
}

function judgePresent(each: Case, install: Install): Finding | undefined {
  const { digest, range } = each.own.requirement
  if (digest !== undefined) return install.digest === digest ? undefined : digestConflict(each, install)
  if (range === undefined) return undefined
  if (install.version === undefined && install.digest !== undefined) return digestConflict(each, install)
  if (install.version !== undefined)
    return range.accepts(install.version) ? undefined : versionConflict(each, install, range, install.version)
  if (install.text === '') return unknownVersion(each, install)
  return conflict(each, install, `it is not known if that fits: ${quote(install.text)} is no version`)
}

function versionConflict(each: Case, install: Install, range: Range, installed: Version): Finding {
  const { own, all, index, policy } = each
  const together = () => each.together(own.requirement.package, install)
  const { text, move } = proposeFix({ own, range, all, installed, compare: index.compare, together })
  const proposed = move !== undefined && (move.direction === 'up' || policy.downgrades) ? install.fieldFor(move.to.text) : undefined
  return conflict(each, install, text, proposed)
}

function conflict(each: Case, install: Install, outcome: string, proposedValue?: JsonValue): Finding {
  return {
    rule: 'dependency-conflict',
    ...(each.own.requirement.optional && { severity: 'warning' as const }),
    message: `${describeBoth(each, install)}: ${outcome}`,
    place: install.place,
    proposedValue,
    tags: tagsOf(each),
  }
}

function digestConflict(each: Case, install: Install): Finding {
  const wantsDigest = each.own.requirement.digest !== undefined
  const outcome = wantsDigest ? 'a digest is met by that digest alone' : 'a digest is in no range'
  return { ...conflict(each, install, outcome), rule: 'digest-conflict', place: each.own.requirement.place }
}

function unknownVersion(each: Case, install: Install): Finding {
  return {
    rule: 'dependency-unverified',
    message: `${describeRequirement(each.own)}; which version of it is installed (${formatPlace(install.place)}) is not known`,
    place: install.place,
    tags: tagsOf(each),
  }
}

/** Returns the words of a conflict: `P V requires D "PDV" (AT), installed is DV (AT); X requires "XDV" (AT)`. */
function describeBoth(each: Case, install: Install): string {
  const { shown, more } = someOthers(each, each.all.wanting)
  const parents = shown.map((text) => `; ${text}`).join('')
  const rest = more > 0 ? `; and ${more} more` : ''
  return `${describeRequirement(each.own)}, installed is ${install.text} (${formatPlace(install.place)})${parents}${rest}`
}

/** Returns the first other requirements in words, `X requires "XDV" (AT)`, and the number of the rest. */
function someOthers(
  { own, all }: Case,
  listed: readonly DependentRequirement[],
): { readonly shown: readonly string[]; readonly more: number } {
  const first = listed.slice(0, MOST_LISTED + 1).filter(({ requirement }) => requirement !== own.requirement)
  const shown = first.slice(0, MOST_LISTED)
  return {
    shown: shown.map(({ dependent, requirement }) => `${dependent.id} requires${describeWanted(requirement)}`),
    more: listed.length - (all.has(own.requirement) ? 1 : 0) - shown.length,
  }
}

function judgeAbsent(each: Case): Finding | undefined {
  const { own, index } = each
  const { requirement } = own
  if (index.isProvided(requirement.package)) return undefined
  if (requirement.optional) return absent(each, 'optional-unfulfilled', 'which is optional and not installed')
  if (requirement.digest !== undefined) return absentDigest(each)
  if (requirement.package.versions.length > 0) return absentKnown(each)
  const near =
    index.elsewhere?.(requirement.package) || index.suggest(requirement.package.id, own.dependent.package?.id ?? own.dependent.id)
  if (index.closed) return absent(each, index.unknownMissing, `which is not installed; no version of it is known${near}`)
  return {
    ...absent(each, 'dependency-unverified', `which is not seen to be installed; no version of it is known${near}`),
    severity: 'warning',
  }
}

function absentDigest(each: Case): Finding {
  const { wanting, digests, ranged } = each.all
  const differing =
    digests.size > 1 || ranged.length > 0
      ? wanting.find(({ requirement }) => requirement.digest !== each.own.requirement.digest)
      : undefined
  if (differing === undefined) return absent(each, 'dependency-missing', 'which is not installed')
  const other = `${differing.dependent.id} requires${describeWanted(differing.requirement)}`
  return absent(each, 'digest-conflict', `which is not installed; ${other}`)
}

function absentKnown(each: Case): Finding {
  const { package: pkg, range, validateOnly } = each.own.requirement
  const because = (rule: Finding['rule'], why: string) => absent(each, rule, `which is not installed; ${why}`)
  const selected = pkg.known.filter(({ version }) => range === undefined || range.selects(version))
  if (selected.length === 0) return because('no-version-available', `no known version is in that range: ${trail(each.own.requirement)}`)
  const suits = ({ version }: KnownVersion): boolean => each.all.allSelect(version)
  const best = selected.find((known) => suits(known) && unmetPlatform(known) === undefined) ?? selected.find(suits)
  if (best === undefined)
    return because('dependency-conflict', `the ranges do not overlap: ${someOthers(each, each.all.ranged).shown.join(', ')}`)
  const unmet = unmetPlatform(best)
  if (unmet !== undefined) return because('no-version-available', `${pkg.id} ${best.version.text} requires ${unmet.wants}`)
  const missing = validateOnly ? 'which is not installed, and nothing is installed for it (install: false)' : 'which is not installed'
  const satisfies = `${`${pkg.id} ${best.version.text}`.trim()} satisfies every requirement on it`
  const found = absent(each, 'dependency-missing', `${missing}: ${satisfies}${each.index.elsewhere?.(pkg) ?? ''}`)
  return { ...found, tags: { ...found.tags, candidate: best.version.text } }
}

/** Returns the first requirement on the platform that a version does not meet. */
function unmetPlatform({ requirements = [] }: KnownVersion): PlatformRequirement | undefined {
  return requirements.find((each): each is PlatformRequirement => each.type === 'platform' && !each.met)
}

// Returns the trail of a failed selection, as kapp-controller prints it.
function trail({ package: pkg, range }: PackageRequirement): string {
  const accepted = pkg.versions.filter((version) => range?.accepts(version))
  const steps = [
    `all=${listVersions(pkg.versions.map(({ text }) => text))}`,
    `after-constraints-filter=${listVersions(accepted.map(({ text }) => text))}`,
  ]
  return (accepted.length === 0 ? steps : [...steps, 'after-prereleases-filter=[]']).join(' -> ')
}

function listVersions(texts: readonly string[]): string {
  const more = texts.length - MOST_LISTED
  return `[${texts.slice(0, MOST_LISTED).join(', ')}${more > 0 ? `, and ${more} more` : ''}]`
}

function absent(each: Case, rule: Finding['rule'], what: string): Finding {
  const { own } = each
  return { rule, message: `${describeRequirement(own)}, ${what}`, place: own.requirement.place, tags: tagsOf(each) }
}

function tagsOf({ index, own }: Case): FindingTags {
  const { requirement, dependent } = own
  const required = requirement.digest ?? requirement.range?.text
  const installed = requirement.package.installs[0]?.text
  return {
    ...kindTags({ index, dependent }),
    dependency: requirement.package.id,
    ...(required !== undefined && { required }),
    ...(installed !== undefined && installed !== '' && { installed }),
  }
}
