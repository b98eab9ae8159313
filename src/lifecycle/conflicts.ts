import { compareText } from '../field-path.ts'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { foldedPath, isSafePath } from '../folder/safe-path.ts'
import { groupBy } from '../group-by.ts'
import { LONGEST_NAME, longPart } from '../kubernetes/names.ts'
import { formatResourceRef, type Result } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import type { SourcePackage } from '../upstream/source-package.ts'
import { namespacedName } from '../variant/find-variant.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'
import type { DownstreamPlace, DownstreamPlaces, LeftoverStep, VariantStep } from './package-steps.ts'

const DOWNSTREAM = ['spec', 'downstream']

/**
 * Returns an error for each variant whose folder is that of another variant, or inside it: each would overwrite the other. Folders that
 * differ in case alone count as the same.
 */
export function downstreamConflicts(variants: readonly FleetVariant[], folderOf: DownstreamPlaces['folderOf']): readonly Result[] {
  const byFolder = groupBy(variants, (variant) => foldedPath(folderOf(variant)))
  const folders = [...byFolder].sort(([a], [b]) => compareText(a, b))
  return folders.flatMap(([folded, [first, ...others]]) => [
    ...others.map((other) => conflict('downstream-duplicate', other, sharedFolder(other, first, folderOf))),
    ...around(folded, byFolder).map((outer) =>
      conflict('path-nested', first, `must not be inside the package of ${named(outer)}: ${quoteText(folderOf(first))}`),
    ),
  ])
}

/** Returns the message about two folders that are the same, or the same on some file systems. */
function sharedFolder(other: FleetVariant, first: FleetVariant, folderOf: DownstreamPlaces['folderOf']): string {
  const [folder, taken] = [folderOf(other), folderOf(first)]
  const near = folder === taken ? '' : `, which some file systems take for ${quoteText(taken)}`
  return `must not be that of ${named(first)} as well: ${quoteText(folder)}${near}`
}

/**
 * Returns an error for each variant whose folder is inside the package of a gone variant: the folder would be removed with that
 * package, or become a part of it.
 */
export function insideLeftovers(steps: readonly VariantStep[], leftovers: readonly LeftoverStep[]): readonly Result[] {
  const gone = new Map(leftovers.map(({ place }) => [place.folder, place]))
  return steps.flatMap(({ folder, variant }) =>
    foldersAbove(folder).flatMap((above) => {
      const owner = `PackageVariant ${gone.get(above)?.owner?.variant ?? ''}`
      return gone.has(above)
        ? [conflict('path-nested', variant, `must not be inside the package ${quoteText(above)} of ${owner}, which is gone`)]
        : []
    }),
  )
}

/** Returns the variants of the folders above a folder. */
function around(folder: string, byFolder: ReadonlyMap<string, readonly [FleetVariant, ...FleetVariant[]]>): readonly FleetVariant[] {
  return foldersAbove(folder).flatMap((above) => byFolder.get(above)?.slice(0, 1) ?? [])
}

function foldersAbove(folder: string): readonly string[] {
  return folder.split('/').map((_, depth, steps) => steps.slice(0, depth).join('/'))
}

function conflict(rule: RuleId, { object }: FleetVariant, message: string): Result {
  return faultToResult(object, { severity: 'error', rule, path: DOWNSTREAM, message })
}

function named({ object }: FleetVariant): string {
  return formatResourceRef(object.ref)
}

/**
 * Returns the faults of a downstream that is no safe folder of its own: outside of the folder of all packages, inside `.git`, or a
 * second spelling of another folder. Porch has no folders, and no Repository with such a name.
 */
export function downstreamPathFaults({ object, downstream }: FleetVariant): readonly Result[] {
  const { repo, package: packageName } = downstream
  const fault = (field: keyof typeof downstream, message: string): Result =>
    faultToResult(object, { severity: 'error', rule: 'package-path', path: ['spec', 'downstream', field], message })
  const isFolder = isSafePath(repo) && !repo.includes('/')
  const bytes = Buffer.byteLength(repo)
  const mustBe =
    bytes > LONGEST_NAME
      ? `must be the name of a folder of at most ${LONGEST_NAME} bytes, has ${bytes}`
      : `must be the name of a folder, without '/' and not '.', '..' or '.git'`
  return [
    ...(isFolder ? [] : [fault('repo', `${mustBe}, got ${quoteText(repo)}`)]),
    ...(isSafePath(packageName)
      ? []
      : [fault('package', longPart(packageName) ?? `must be a package path, ${ALLOWED}, got ${quoteText(packageName)}`)]),
  ]
}

const ALLOWED = "parts joined by '/' and none of them empty, '.', '..' or '.git'"

/** A step with the upstream package that it is made from. */
type MadeStep = VariantStep & { readonly upstream: { readonly source: Pick<SourcePackage, 'place' | 'disk'> } }

/**
 * Returns an error for each package that the run removes or moves away although a variant of the run is made from it: the next run would
 * not find the upstream of that variant.
 */
export function inputsRemoved(
  steps: readonly MadeStep[],
  leftovers: readonly LeftoverStep[],
  places: Pick<DownstreamPlaces, 'locate' | 'at'>,
): readonly Result[] {
  const removed = leftovers.flatMap(({ op, place }) => (op === 'remove' ? [place] : []))
  const moved = steps.flatMap(({ movedFrom }) => (movedFrom === undefined ? [] : (places.at(movedFrom) ?? [])))
  if (removed.length === 0 && moved.length === 0) return []
  const inputs = new Map(steps.map(({ upstream: { source }, variant }) => [source.disk ?? source.place, variant]))
  return [...removed, ...moved].flatMap((place) => {
    const own = places.locate?.(place.folder) ?? place.folder
    const found = [...inputs].find(([input]) => input === own || input.startsWith(`${own}/`) || own.startsWith(`${input}/`))
    return found === undefined ? [] : [inputInUse(place, found[1])]
  })
}

function inputInUse(place: DownstreamPlace, user: FleetVariant): Result {
  const kptfile = place.kptfile()
  const message = `must not name PackageVariant ${place.owner?.variant ?? ''}, which does not want ${quoteText(place.folder)} any more: the package would go, and PackageVariant ${namespacedName(user.object)} is made from it; remove the annotation to keep the package as an upstream package`
  const rule = 'upstream-in-use'
  if (kptfile === undefined) return { severity: 'error', message, tags: { rule } }
  return faultToResult(kptfile, { severity: 'error', rule, path: ['metadata', 'annotations', VARIANT_ANNOTATION], message })
}
