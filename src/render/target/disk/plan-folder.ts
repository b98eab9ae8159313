import { describeRead } from '../../../fleet/what-was-read.ts'
import type { GitPlaces } from '../../../package/git-cache.ts'
import type { NamedFolder } from '../../../package/named-folder.ts'
import { locateFolder, readText } from '../../../package/whole-folder.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { FunctionError } from '../../../result.ts'
import { isPackageVariant } from '../../../variant/find-variant.ts'
import { readVariants, setFinder } from '../../fleet-variants.ts'
import type { RenderOptions } from '../../options.ts'
import { emptySelection, type SelectionTerms, selectVariants } from '../../selection.ts'
import { diskPackageSource } from '../../source/disk-package-source.ts'
import { fleetItems } from '../list/fleet-items.ts'
import { ListFolders } from '../list/list-folders.ts'
import { diskPlaces } from './disk-places.ts'
import type { FolderRequest } from './render-to-folder.ts'

/** A fleet in a folder, with the options of its caller. */
export interface FleetFolder {
  /** The objects in the fleet's folder, and the variants that its sets make. */
  readonly items: readonly KrmObject[]
  readonly dir: NamedFolder
  readonly out: NamedFolder
  readonly options: RenderOptions
  /** If true, upstream packages may be in folders outside of `dir`. */
  readonly allowOutside: boolean
  readonly git: Omit<GitPlaces, 'base'>
  readonly terms: SelectionTerms
}

/**
 * Returns what to render of a fleet: its own objects, its upstreams in folders and git, and its packages below a folder.
 *
 * @throws FunctionError  when the fleet has no variant and no rendered package, or the terms select no variant
 */
export function planFolder({ items, dir, out, options, allowOutside, git, terms }: FleetFolder): Omit<FolderRequest, 'look' | 'isDryRun'> {
  const own = fleetItems(items, new ListFolders(items, dir.shown === '.' ? '' : dir.shown), options)
  const places = diskPlaces(out, (path) => readText(locateFolder(out.disk, path)))
  const hasVariants = own.some(isPackageVariant)
  if (!hasVariants && places.marked.length === 0) throw noVariant(own)
  if (hasVariants && terms.only.length > 0) requireSelected(own, terms)
  const selection = selectVariants(terms, setFinder(own))
  return {
    items: own,
    options,
    dir,
    out,
    shelves: diskPackageSource(dir, { ...git, base: dir.disk, allowOutside }, options.clone),
    places,
    ...(selection !== undefined && { selection }),
  }
}

function noVariant(items: readonly KrmObject[]): FunctionError {
  const message = `\`items\` must hold a PackageVariant, or a PackageVariantSet that makes one; read ${describeRead(items)}`
  return new FunctionError([{ severity: 'error', message, tags: { rule: 'no-variant' } }])
}

function requireSelected(items: readonly KrmObject[], terms: SelectionTerms): void {
  const reason = emptySelection(terms, readVariants(items.filter(isPackageVariant)).variants, setFinder(items))
  if (reason === undefined) return
  throw new FunctionError([{ severity: 'error', message: `\`only\` must select a PackageVariant: ${reason}`, tags: { rule: 'selection' } }])
}
