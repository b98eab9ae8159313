import { readVariants } from '../../fleet/fleet-variants.ts'
import { type NamedFolder, rootOf } from '../../folder/named-folder.ts'
import { scalarText } from '../../json.ts'
import { readOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf } from '../../resource-list/package-of.ts'
import { insideTest, outsideRevisions } from '../../resource-list/revision-folders.ts'
import type { Result } from '../../result.ts'
import { bareFolder } from '../../upstream/origin.ts'
import { isPackageVariant } from '../../variant/find-variant.ts'
import { selectionOf } from '../../yaml/read/key-selection.ts'
import type { RenderOptions } from '../options.ts'
import { ListFolders } from './list-folders.ts'

/**
 * Returns the items that describe the fleet: sets, variants, targets, context objects. An item in an upstream package or in a package
 * that was made for a variant belongs to that package and is left out. The folder of an upstream package is named for a revision,
 * `shop@v1`, or in the folder of a repository that variants or options name.
 */
export function fleetItems(
  items: readonly KrmObject[],
  folders: ListFolders,
  { repositories }: Pick<RenderOptions, 'repositories'>,
): readonly KrmObject[] {
  const kptfiles = folders.kptfiles()
  const made = new Set(kptfiles.filter(({ kptfile }) => readOwnerAnnotation(kptfile) !== undefined).map(({ folder }) => folder))
  const ofRevisions = outsideRevisions(items)
  const isMade = insideTest(made)
  const outside = made.size === 0 ? ofRevisions : ofRevisions.filter((item) => !isMade(folders.pathOf(item)))
  const isInRepository = insideTest(repositoryFolders(outside, repositories))
  const upstream = new Set(kptfiles.filter(({ folder }) => isInRepository(folder)).map(({ folder }) => folder))
  const isUpstream = insideTest(upstream)
  return upstream.size === 0 ? outside : outside.filter((item) => !isUpstream(folders.pathOf(item)))
}

/** Returns the items of `fleetItems` of a list that was read from a folder. */
export function fleetItemsIn(
  dir: NamedFolder,
  items: readonly KrmObject[],
  options: Pick<RenderOptions, 'repositories'>,
): readonly KrmObject[] {
  return fleetItems(items, new ListFolders(items, rootOf(dir)), options)
}

/** Returns the folders of the repositories that hold upstream packages. */
function repositoryFolders(items: readonly KrmObject[], repositories: RenderOptions['repositories']): ReadonlySet<string> {
  const named = new Set(items.filter(isPackageVariant).map(upstreamRepoOf))
  const options = [...repositories].flatMap(([name, { path, revisions }]) => [
    path ?? name,
    ...[...revisions.values()].flatMap((revision) => (revision.path === undefined ? [] : [folderOf(bareFolder(revision.path))])),
  ])
  return new Set([...named, ...options].map(bareFolder))
}

const UPSTREAM_REPO = selectionOf({ path: ['spec', 'upstream'], keys: ['repo'] })

/** Returns the text of `spec.upstream.repo`. A document was checked as a whole, so the rest of it is not read here. */
function upstreamRepoOf(variant: KrmObject): string {
  if (!variant.isDocument) return scalarText(variant.get(['spec', 'upstream', 'repo']))
  const [upstream] = variant.pick(UPSTREAM_REPO)
  return scalarText(upstream?.repo)
}

/** Returns the faults of the variants of a fleet, so that they can be reported together with faults of its options. */
export function variantFaults(items: readonly KrmObject[], root?: string): readonly Result[] {
  const own = fleetItems(items, new ListFolders(items, root), { repositories: new Map() })
  return readVariants(own.filter(isPackageVariant)).results
}
