import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { foldedPath } from '../../package/safe-path.ts'
import { formatResourceRef, type Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { FleetVariant } from '../fleet-variants.ts'
import type { DownstreamPlaces, LeftoverStep, VariantStep } from './package-steps.ts'

const DOWNSTREAM = ['spec', 'downstream']

/** Variants that want one folder, or one a folder inside another's: each would write over the other. Of folders that differ in case alone, too. */
export function downstreamConflicts(variants: readonly FleetVariant[], places: DownstreamPlaces): readonly Result[] {
  const byFolder = groupBy(variants, (variant) => foldedPath(places.folderOf(variant)))
  const folders = [...byFolder].sort(([a], [b]) => compareText(a, b))
  return folders.flatMap(([folded, [first, ...others]]) => [
    ...others.map((other) => conflict('downstream-duplicate', other, sharedFolder(other, first, places))),
    ...around(folded, byFolder).map((outer) =>
      conflict('path-nested', first, `must not be inside the package of ${named(outer)}: ${quoteText(places.folderOf(first))}`),
    ),
  ])
}

/** The folders are the same, or some file system takes them for the same. */
function sharedFolder(other: FleetVariant, first: FleetVariant, places: DownstreamPlaces): string {
  const [folder, taken] = [places.folderOf(other), places.folderOf(first)]
  const near = folder === taken ? '' : `, which some file systems take for ${quoteText(taken)}`
  return `must not be that of ${named(first)} as well: ${quoteText(folder)}${near}`
}

/** Variants that want a folder inside a package whose own variant is gone: it would go with that one, or be part of it. */
export function insideLeftovers(steps: readonly VariantStep[], leftovers: readonly LeftoverStep[]): readonly Result[] {
  const gone = new Map(leftovers.map(({ place }) => [place.folder, place]))
  return steps.flatMap(({ folder, variant }) =>
    foldersAbove(folder).flatMap((above) => {
      const mark = gone.get(above)?.mark
      const owner = `PackageVariant ${mark?.variant ?? ''}`
      return gone.has(above)
        ? [conflict('path-nested', variant, `must not be inside the package ${quoteText(above)} of ${owner}, which is gone`)]
        : []
    }),
  )
}

/** The variants of the folders above one. */
function around(folder: string, byFolder: ReadonlyMap<string, readonly [FleetVariant, ...FleetVariant[]]>): readonly FleetVariant[] {
  return foldersAbove(folder).flatMap((above) => byFolder.get(above)?.slice(0, 1) ?? [])
}

function foldersAbove(folder: string): readonly string[] {
  return folder.split('/').map((_, depth, steps) => steps.slice(0, depth).join('/'))
}

function conflict(rule: string, { object }: FleetVariant, message: string): Result {
  return faultToResult(object, { severity: 'error', rule, path: DOWNSTREAM, message })
}

function named({ object }: FleetVariant): string {
  return formatResourceRef(object.ref)
}
