import type { JsonValue } from '../json.ts'
import { classify } from './classify.ts'
import { type DemandsOn, describeDemand, describeWanted, type PackageDemand } from './demands.ts'
import { type Finding, type FindingTags, MOST_LISTED, quote } from './finding.ts'
import type { JointUpdate } from './joint-update.ts'
import { formatPlace } from './place.ts'
import type { Install, KnownVersion, PackageRequirement, PackageTarget, PlatformRequirement, Universe } from './universe.ts'

/** The user's policy on fixes of violated requirements. */
export interface Policy {
  /** True to propose a lower version where only a lower version satisfies all requirements. */
  readonly downgrades: boolean
}

/** One requirement on a package, with all demands on the same package. */
export interface Case {
  readonly universe: Universe
  readonly demand: PackageDemand
  readonly demands: DemandsOn
  readonly policy: Policy
  /** Returns the updates that fix a violation where an update of the package alone does not. */
  readonly together: (target: PackageTarget, install: Install) => JointUpdate | undefined
}

/** Returns the finding of a requirement on a package; undefined when the requirement is fulfilled. One accepted install is enough. */
export function judgePackage(each: Case): Finding | undefined {
  const { installs } = each.demand.requirement.target
  const found = installs.map((install) => judgePresent(each, install))
  if (installs.length === 0) return judgeAbsent(each)
  return found.includes(undefined) ? undefined : found[0]
}

function judgePresent(each: Case, install: Install): Finding | undefined {
  const { digest, range } = each.demand.requirement
  if (digest !== undefined) return install.digest === digest ? undefined : digestConflict(each, install)
  if (range === undefined) return undefined
  if (install.version === undefined && install.digest !== undefined) return digestConflict(each, install)
  if (install.version === undefined) return install.text === '' ? unknownVersion(each, install) : noVersion(each, install)
  return range.accepts(install.version) ? undefined : versionConflict(each, install)
}

function versionConflict(each: Case, install: Install): Finding {
  const { demand, demands, universe, policy } = each
  const { range } = demand.requirement
  if (range === undefined || install.version === undefined) return noVersion(each, install)
  const together = () => each.together(demand.requirement.target, install)
  const { text, move } = classify({ demand, range, demands, installed: install.version, compare: universe.compare, together })
  const proposed = move !== undefined && (move.direction === 'up' || policy.downgrades) ? install.fieldFor(move.to.text) : undefined
  return conflict(each, install, text, proposed)
}

function noVersion(each: Case, install: Install): Finding {
  return conflict(each, install, `cannot tell: ${quote(install.text)} is no version`)
}

function conflict(each: Case, install: Install, outcome: string, proposedValue?: JsonValue): Finding {
  return {
    rule: 'dependency-conflict',
    ...(each.demand.requirement.optional && { severity: 'warning' as const }),
    message: `${describeBoth(each, install)}: ${outcome}`,
    place: install.place,
    proposedValue,
    tags: tagsOf(each),
  }
}

function digestConflict(each: Case, install: Install): Finding {
  const wantsDigest = each.demand.requirement.digest !== undefined
  const outcome = wantsDigest ? 'a digest is met by that digest alone' : 'a digest is in no range'
  return { ...conflict(each, install, outcome), rule: 'digest-conflict', place: each.demand.requirement.place }
}

function unknownVersion(each: Case, install: Install): Finding {
  return {
    rule: 'dependency-unverified',
    message: `${describeDemand(each.demand)}; which version of it is installed (${formatPlace(install.place)}) is not known`,
    place: install.place,
    tags: tagsOf(each),
  }
}

/** Returns the words of a conflict: `P V requires D "PDV" (AT), installed is DV (AT); X requires "XDV" (AT)`. */
function describeBoth(each: Case, install: Install): string {
  const { shown, more } = someOthers(each, each.demands.wanting)
  const parents = shown.map((text) => `; ${text}`).join('')
  const rest = more > 0 ? `; and ${more} more` : ''
  return `${describeDemand(each.demand)}, installed is ${install.text} (${formatPlace(install.place)})${parents}${rest}`
}

/** Returns the first other demands in words, `X requires "XDV" (AT)`, and the number of the rest. */
function someOthers(
  { demand, demands: all }: Case,
  demands: readonly PackageDemand[],
): { readonly shown: readonly string[]; readonly more: number } {
  const first = demands.slice(0, MOST_LISTED + 1).filter(({ requirement }) => requirement !== demand.requirement)
  const shown = first.slice(0, MOST_LISTED)
  return {
    shown: shown.map(({ dependent, requirement }) => `${dependent.id} requires${describeWanted(requirement)}`),
    more: demands.length - (all.has(demand.requirement) ? 1 : 0) - shown.length,
  }
}

function judgeAbsent(each: Case): Finding | undefined {
  const { demand, universe } = each
  const { requirement } = demand
  if (requirement.optional) return absent(each, 'optional-unfulfilled', 'which is optional and not installed')
  if (requirement.digest !== undefined) return absentDigest(each)
  if (requirement.target.versions.length > 0) return absentKnown(each)
  const near = universe.suggest(requirement.target.id)
  if (!universe.closed) return absent(each, 'dependency-unverified', `which is not seen to be installed; no version of it is known${near}`)
  return absent(each, universe.unknownMissing, `which is not installed; no version of it is known${near}`)
}

function absentDigest(each: Case): Finding {
  const { wanting, digests, ranged } = each.demands
  const differing =
    digests.size > 1 || ranged.length > 0
      ? wanting.find(({ requirement }) => requirement.digest !== each.demand.requirement.digest)
      : undefined
  if (differing === undefined) return absent(each, 'dependency-missing', 'which is not installed')
  return absent(
    each,
    'digest-conflict',
    `which is not installed; ${differing.dependent.id} requires${describeWanted(differing.requirement)}`,
  )
}

function absentKnown(each: Case): Finding {
  const { target, range, validateOnly } = each.demand.requirement
  const selected = target.known.filter(({ version }) => range === undefined || range.selects(version))
  if (selected.length === 0)
    return absent(
      each,
      'no-version-available',
      `which is not installed; no known version is in that range: ${trail(each.demand.requirement)}`,
    )
  const suits = ({ version }: KnownVersion): boolean => each.demands.allSelect(version)
  const best = selected.find((known) => suits(known) && unmetPlatform(known) === undefined) ?? selected.find(suits)
  if (best === undefined)
    return absent(
      each,
      'dependency-conflict',
      `which is not installed; the ranges do not overlap: ${someOthers(each, each.demands.ranged).shown.join(', ')}`,
    )
  const unmet = unmetPlatform(best)
  if (unmet !== undefined)
    return absent(each, 'no-version-available', `which is not installed; ${target.id} ${best.version.text} requires ${unmet.wants}`)
  const missing = validateOnly ? 'which is not installed, and nothing is installed for it (install: false)' : 'which is not installed'
  const found = absent(each, 'dependency-missing', `${missing}: ${target.id} ${best.version.text} satisfies every requirement on it`)
  return { ...found, tags: { ...found.tags, candidate: best.version.text } }
}

/** Returns the first requirement on the platform that a version does not meet. */
function unmetPlatform({ requirements = [] }: KnownVersion): PlatformRequirement | undefined {
  return requirements.find((each): each is PlatformRequirement => each.type === 'platform' && !each.met)
}

// Returns the trail of a failed selection, as kapp-controller prints it.
function trail({ target, range }: PackageRequirement): string {
  const accepted = target.versions.filter((version) => range?.accepts(version))
  const steps = [
    `all=${listVersions(target.versions.map(({ text }) => text))}`,
    `after-constraints-filter=${listVersions(accepted.map(({ text }) => text))}`,
  ]
  return (accepted.length === 0 ? steps : [...steps, 'after-prereleases-filter=[]']).join(' -> ')
}

function listVersions(texts: readonly string[]): string {
  const more = texts.length - MOST_LISTED
  return `[${texts.slice(0, MOST_LISTED).join(', ')}${more > 0 ? `, and ${more} more` : ''}]`
}

function absent(each: Case, rule: Finding['rule'], what: string): Finding {
  const { demand } = each
  return { rule, message: `${describeDemand(demand)}, ${what}`, place: demand.requirement.place, tags: tagsOf(each) }
}

function tagsOf({ universe, demand }: Case): FindingTags {
  const { requirement, dependent } = demand
  const required = requirement.digest ?? requirement.range?.text
  const installed = requirement.target.installs[0]?.text
  return {
    ecosystem: universe.ecosystem,
    dialect: universe.dialect,
    package: dependent.id,
    dependency: requirement.target.id,
    ...(required !== undefined && { required }),
    ...(installed !== undefined && installed !== '' && { installed }),
  }
}
