import type { FieldPath } from '../field-path.ts'
import { deletionLimit, isMostOf, optionPath } from '../fleet/deletion-guard.ts'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import type { DeletionOptions } from '../fleet/options.ts'
import { groupBy } from '../group-by.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { Result } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'
import { nameFirst } from '../wording.ts'
import type { OwnerAnnotation } from './owner-annotation.ts'
import type { DownstreamPlace, DownstreamPlaces, LeftoverStep } from './package-steps.ts'
import type { FormerPlace } from './renames.ts'

const DOWNSTREAM = ['spec', 'downstream']
const ADOPTION = ['spec', 'adoptionPolicy']

/** Returns the warning about a package that this variant did not make, or about files without a Kptfile; both stay unchanged. */
export function notAdopted(variant: FleetVariant, { folder, owner, isPackage }: DownstreamPlace): Result {
  if (!isPackage) {
    const message = `must be free or a package, but there are files and no Kptfile, or an empty one, at ${quoteText(folder)}; they are left as they are`
    return warningAt(variant, 'not-adopted', DOWNSTREAM, message)
  }
  const whose = owner === undefined ? 'which no variant made' : `of PackageVariant ${owner.variant}`
  return warningAt(
    variant,
    'not-adopted',
    ADOPTION,
    `must be 'adoptExisting' to take over what is at ${quoteText(folder)}, ${whose}; it is left as it is`,
  )
}

/** A variant whose folder holds a package of another fleet. */
export interface ForeignPackage {
  readonly variant: FleetVariant
  readonly place: DownstreamPlace
}

/**
 * Returns an error for each other fleet that has packages in folders of variants, at the first variant; the fleet may also have changed its
 * name.
 */
export function otherFleets(packages: readonly ForeignPackage[], { fleet = '' }: { readonly fleet?: string }): readonly Result[] {
  return [...groupBy(packages, ({ place }) => place.owner?.fleet ?? '')].map(([other, group]) => {
    const [{ variant, place }] = group
    const name = quoteText(other)
    const which =
      group.length === 1
        ? `must not be the package of another fleet: ${quoteText(place.folder)} is of ${name}`
        : `must not be packages of another fleet: ${group.length} packages, ${nameFirst(group, 3, (each) => quoteText(each.place.folder))}, are of ${name}`
    const message = `${which}, this fleet is ${quoteText(fleet)}; ${waysOut(other, fleet)}`
    return faultToResult(variant.object, { severity: 'error', rule: 'other-fleet', path: DOWNSTREAM, message })
  })
}

/** Returns what to do about packages of another fleet, which may be the same fleet under the name that it had before. */
function waysOut(other: string, fleet: string): string {
  const name = quoteText(other)
  const why = whyRenamed(other, fleet)
  const elsewhere = 'take another folder for the packages, or adoptionPolicy adoptExisting'
  if (why === undefined) return `${elsewhere}, or, where both are one fleet that has moved, \`fleet\` ${name} in its RenderVariants`
  return `${why}: where both are one fleet, write \`spec.fleet\` ${name} into the RenderVariants in its folder; else ${elsewhere}`
}

/**
 * Returns why a fleet has another name than its packages: `X//h` and `X//fl` are two folders of one repository. Returns undefined if it is
 * not known.
 */
function whyRenamed(other: string, fleet: string): string | undefined {
  const [before, now] = [other, fleet].map((name) => /^(.+?)\/\/(.*)$/s.exec(name))
  if (before && fleet.startsWith('folder:')) return 'there is no git repository here, whose name the packages have'
  if (!before || !now || before[1] !== now[1]) return undefined
  return `the fleet moved from ${quoteText(`//${before[2]}`)} to ${quoteText(`//${now[2]}`)}`
}

/** Returns the error of a variant whose folder holds files without a Kptfile. */
export function occupied({ object }: FleetVariant, { folder }: DownstreamPlace): Result {
  const message = `must be free or a package to be taken over, but no Kptfile, or an empty one, says what the files at ${quoteText(folder)} are`
  return faultToResult(object, { severity: 'error', rule: 'downstream-occupied', path: DOWNSTREAM, message })
}

/**
 * Returns the error of a downstream that is a symbolic link or below one: files would be written to the link's target, most often outside
 * of the folder of all packages.
 */
export function throughLink(variant: FleetVariant, places: DownstreamPlaces): readonly Result[] {
  const link = places.linkOnWayTo(places.folderOf(variant))
  if (link === undefined) return []
  const message = `must not lead through a symbolic link, as ${quoteText(link)} is`
  return [faultToResult(variant.object, { severity: 'error', rule: 'downstream-occupied', path: DOWNSTREAM, message })]
}

export function adopted(variant: FleetVariant, { folder }: DownstreamPlace): Result {
  return inform(variant, 'adopted', ADOPTION, `takes over the package at ${quoteText(folder)}`)
}

export function takenOver(variant: FleetVariant, { folder }: DownstreamPlace, owner: OwnerAnnotation): Result {
  return inform(
    variant,
    'adopted',
    DOWNSTREAM,
    `takes over the package at ${quoteText(folder)} from PackageVariant ${owner.variant}, which is gone`,
  )
}

/**
 * Returns the warning about a variant whose package lies in another place, since its downstream was changed or its folder moved: a new
 * package is created, without the edits of the old one.
 */
export function renamed(variant: FleetVariant, { folder, owner }: DownstreamPlace, to: string): Result {
  const fate = owner?.deletionPolicy === 'orphan' ? 'is left to itself' : 'is removed'
  const message = `is ${quoteText(to)}, and the package lies in ${quoteText(folder)}: it is made anew, and the one there, with what people did to it, ${fate}; followRenames moves it instead; a folder that was only moved goes back by \`git mv\``
  return warningAt(variant, 'downstream-renamed', DOWNSTREAM, message)
}

/**
 * Returns the error of a variant whose upstream package was renamed, and its downstream with it: the user must choose if the package
 * moves or stays.
 */
export function upstreamRenamed({ object, upstream, downstream }: FleetVariant, { place, upstreamPackage = '' }: FormerPlace): Result {
  const message = `must not change from ${quoteText(place.folder)} unsaid when the upstream package ${quoteText(upstreamPackage)} becomes ${quoteText(upstream.package)}: followRenames (--follow-renames) moves that package to ${quoteText(`${downstream.repo}/${downstream.package}`)} with what people did to it, \`template.downstream.package\` of the set lets it stay where it is`
  return faultToResult(object, { severity: 'error', rule: 'downstream-renamed', path: DOWNSTREAM, message })
}

export function moved(variant: FleetVariant, { folder }: DownstreamPlace, to: string): Result {
  return inform(
    variant,
    'downstream-moved',
    DOWNSTREAM,
    `moves the package from ${quoteText(folder)} to ${quoteText(to)}, with what people did to it`,
  )
}

/** Returns the info about a package whose variant is gone. */
export function removedResult({ op, place }: LeftoverStep): Result {
  const { folder, owner } = place
  const kptfile = place.kptfile()
  const fate = op === 'remove' ? 'is removed (deletionPolicy delete)' : 'is left to itself (deletionPolicy orphan)'
  return {
    severity: 'info',
    message: `package ${quoteText(folder)} ${fate}: PackageVariant ${owner?.variant ?? ''} does not want it any more`,
    ...(kptfile && objectPlace(kptfile)),
    tags: { rule: op === 'remove' ? 'package-removed' : 'package-orphaned' },
  }
}

/**
 * Returns the warning about a second package with the owner annotation of one variant: it may be a copy with people's edits, so it
 * stays.
 */
export function copyFound(place: DownstreamPlace, folder: string): readonly Result[] {
  const kptfile = place.kptfile()
  if (kptfile === undefined) return []
  const message = `must not name PackageVariant ${place.owner?.variant ?? ''}, whose package is ${quoteText(folder)}: this one is left as it is; remove the annotation if it is meant to stay, else the folder`
  return [
    faultToResult(kptfile, { severity: 'warning', rule: 'package-copied', path: ['metadata', 'annotations', VARIANT_ANNOTATION], message }),
  ]
}

function warningAt({ object }: FleetVariant, rule: RuleId, path: FieldPath, message: string): Result {
  return faultToResult(object, { severity: 'warning', rule, path, message })
}

function inform({ object }: FleetVariant, rule: RuleId, path: FieldPath, message: string): Result {
  return faultToResult(object, { severity: 'info', rule, path, message })
}

const LISTED = 20

/** The removals that a run plans, and the counts to judge them by. */
interface Removals {
  /** The number of variants. */
  readonly variants: number
  /** The number of packages that were made for variants. */
  readonly existing: number
  /** True if a package belongs to an existing variant, if other fleets cannot have packages here, or if there are no leftovers. */
  readonly hasOwn: boolean
  readonly leftovers: readonly Leftover[]
}

/** A package that stays behind without a variant, as far as its removal is judged. */
interface Leftover extends Pick<LeftoverStep, 'op'> {
  readonly place: Pick<LeftoverStep['place'], 'folder' | 'owner'>
}

/**
 * Refuses surprising removals: of all packages because there is no variant, of packages of which none belongs to a variant of this
 * fleet, and of more packages than `maxDeletions` allows. Orphaned packages count only in the second case, where they would lose their
 * owner annotations.
 */
export function refuseRemovals({ variants, existing, hasOwn, leftovers }: Removals, options: DeletionOptions): readonly Result[] {
  const removed = leftovers.filter(({ op }) => op === 'remove').map(({ place }) => place.folder)
  if (variants > 0 && leftovers.length > 0 && !hasOwn && !options.allowEmpty) return [strangers(leftovers, options)]
  if (removed.length === 0) return []
  const names = nameFirst(removed, LISTED)
  if (variants === 0 && !options.allowEmpty) {
    return [refusal('allowEmpty', `must be true to remove the packages of all variants: there is no PackageVariant (${names})`, options)]
  }
  const limit = deletionLimit(existing, options.maxDeletions)
  if (removed.length <= limit) {
    if (!isMostOf(existing, removed.length, options)) return []
    const message = `${removed.length} of ${existing} packages are removed (${names}): no PackageVariant wants them any more`
    return [{ severity: 'warning', message, tags: { rule: 'deletion-guard' } }]
  }
  const byDefault = options.maxDeletions === undefined ? ' by default' : ''
  const message = `must be at least ${removed.length} to remove so many of ${existing} packages, is ${limit}${byDefault} (${names})`
  return [refusal('maxDeletions', message, options)]
}

/** Returns the error for packages of which none belongs to this fleet: most likely they belong to another. */
function strangers(leftovers: readonly Leftover[], options: DeletionOptions): Result {
  const names = nameFirst(leftovers, LISTED, ({ place }) => `${place.folder} of ${place.owner?.variant ?? ''}`)
  const message = `must be true to remove every package of the folder: none belongs to a PackageVariant of this fleet; another folder for its packages keeps them (${names})`
  return refusal('allowEmpty', message, options)
}

/** Returns the error about an option, at its place in the functionConfig if that is in a file. */
function refusal(option: string, message: string, { config }: DeletionOptions): Result {
  if (config?.file === undefined || config.kind === 'PackageVariant') {
    const text = `\`${option}\` ${message}; a RenderVariants sets it, \`spec.${option}\``
    return { severity: 'error', message: text, tags: { rule: 'deletion-guard' } }
  }
  return faultToResult(config, { severity: 'error', rule: 'deletion-guard', path: optionPath(config, option), message })
}
