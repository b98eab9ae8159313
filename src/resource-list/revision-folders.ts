import { distinctItems } from '../group-by.ts'
import { asList, type JsonValue, memberOf, scalarText } from '../json.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'
import type { KrmObject } from './krm-object.ts'
import { folderOf, foldersAbove, isKptfile, KPTFILE, locate, nearestFolder } from './package-of.ts'

/**
 * Returns the items of a list that declare its fleet, as `render` reads it: those outside of revisions of upstream packages, and of
 * packages that were made for variants.
 */
export function declaringItems(items: readonly KrmObject[]): readonly KrmObject[] {
  return outsideMade(outsideRevisions(items))
}

/**
 * Returns the items that are not in packages made for variants: what is in such a package declares nothing of the fleet. Packages without a
 * set or variant beside them are read as any folder.
 */
export function outsideMade(items: readonly KrmObject[]): readonly KrmObject[] {
  const kptfiles = items.filter((item) => item.mayHold(VARIANT_ANNOTATION) && item.kind === KPTFILE)
  const named = kptfiles.filter(({ annotations }) => annotations.has(VARIANT_ANNOTATION)).map((item) => folderOf(itemPath(item)))
  if (named.length === 0) return items
  const top = `${folderOfAll(items)}/`
  const isInside = insideTest(new Set(named.filter((folder) => !top.startsWith(`${folder}/`))))
  const outside = items.filter((item) => !isInside(itemPath(item)))
  return outside.some(({ kind = '' }) => NAMES_UPSTREAMS.test(kind)) ? outside : items
}

/**
 * Returns the items of a list without those in the packages of upstream revisions: `catalog/shop@v1/repo.yaml` belongs to the package if
 * `catalog/shop@v1/Kptfile` is an item, and a set or variant has the upstream `shop`, or another one of the repository `catalog`. A package
 * that holds all items is the list itself, as a fleet in a folder `job@2`, and counts for none. A CustomResourceDefinition in such a
 * package stays: it says which versions a kind has.
 */
export function outsideRevisions(items: readonly KrmObject[]): readonly KrmObject[] {
  // A search is quicker than reading the place of each item.
  const kptfiles = items.filter((item) => item.mayHold(KPTFILE))
  const named = kptfiles.flatMap((item) => revisionFolder(item) ?? [])
  if (named.length === 0) return items
  const top = `${folderOfAll(items)}/`
  const upstreams = upstreamPackages(items)
  const isUpstream = (folder: string) =>
    upstreams.some(({ repo, name }) => (repo !== '' && `/${folder}`.includes(`/${repo}/`)) || (name !== '' && isOfPackage(folder, name)))
  const folders = new Set(named.filter((folder) => !top.startsWith(`${folder}/`) && isUpstream(folder)))
  if (folders.size === 0) return items
  const isInside = insideTest(folders)
  const outside = items.filter((item) => item.kind === 'CustomResourceDefinition' || !isInside(itemPath(item)))
  return outside.some((item) => !isInside(itemPath(item))) ? outside : items
}

/** The kinds that name upstream packages. */
export const NAMES_UPSTREAMS = /^(?:PackageVariant(?:Set|Matrix)?|PackageRevisionSet)$/

/**
 * Returns the folders of the packages that are deployed whole, with their subpackages: those made for variants, and revisions of upstream
 * packages. A folder that is named for a revision and declares a fleet, as `job@2`, is none.
 */
export function deployedFolders(items: readonly KrmObject[]): ReadonlySet<string> {
  const kptfiles = items.filter((item) => item.mayHold(KPTFILE) && item.kind === KPTFILE)
  const made = kptfiles.filter(({ annotations }) => annotations.has(VARIANT_ANNOTATION)).map((item) => folderOf(itemPath(item)))
  const revisions = kptfiles.flatMap((item) => revisionFolder(item) ?? [])
  if (revisions.length === 0) return new Set(made)
  const naming = items.filter(({ kind = '' }) => NAMES_UPSTREAMS.test(kind))
  const declaring = new Set(naming.flatMap((item) => foldersAbove(itemPath(item))))
  return new Set([...made, ...revisions.filter((folder) => !declaring.has(folder))])
}

/** Returns the upstream packages that sets and variants name, each with its repository. */
function upstreamPackages(items: readonly KrmObject[]): readonly { readonly repo: string; readonly name: string }[] {
  const naming = items.filter(({ kind }) => NAMES_UPSTREAMS.test(kind ?? ''))
  const upstreams = naming.flatMap((item): readonly (JsonValue | undefined)[] => {
    const several = item.get(['spec', 'upstreams'])
    return [item.get(['spec', 'upstream']), ...asList(several)]
  })
  const named = upstreams.map((upstream) => ({
    repo: scalarText(memberOf(upstream, 'repo')),
    name: scalarText(memberOf(upstream, 'package')),
  }))
  return distinctItems(named)
}

/** Returns true for the folder of a revision of a package: `catalog/shop@v1` of `shop`. */
function isOfPackage(folder: string, name: string): boolean {
  return `/${folder.slice(0, folder.lastIndexOf('@'))}`.endsWith(`/${name}`)
}

/** Returns the deepest folder that holds all items, '' for the top or if an item has no file. */
function folderOfAll([first, ...others]: readonly KrmObject[]): string {
  let folder = first === undefined ? '' : folderOf(itemPath(first))
  for (const item of others) {
    if (folder === '') return ''
    const path = itemPath(item)
    while (folder !== '' && !path.startsWith(`${folder}/`)) folder = folderOf(folder)
  }
  return folder
}

/** Returns the path of an object's file from the folder that was read; '' without a file. */
export function itemPath({ file, packagePath }: KrmObject): string {
  return file === undefined ? '' : locate(file.path, packagePath)
}

/** Returns the folder of a Kptfile if the folder is named for a revision: `catalog/shop@v1`. */
function revisionFolder({ file, packagePath }: KrmObject): string | undefined {
  if (file === undefined || !isKptfile(file.path)) return undefined
  const folder = folderOf(locate(file.path, packagePath))
  return /[^/]@[^/]+$/.test(folder) ? folder : undefined
}

/** Returns a function that returns true for a path below one of the folders. */
export function insideTest(folders: ReadonlySet<string>): (path: string) => boolean {
  const folderAbove = nearestFolder(folders)
  return (path) => folderAbove(path) !== ''
}
