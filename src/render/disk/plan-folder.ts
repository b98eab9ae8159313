import { readVariants, setFinder } from '../../fleet/fleet-variants.ts'
import { describeRead } from '../../fleet/what-was-read.ts'
import type { NamedFolder } from '../../folder/named-folder.ts'
import type { FleetNames } from '../../git/fleet-identity.ts'
import type { GitPlaces } from '../../git/git-cache.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { UnreadObjects } from '../../resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../result.ts'
import { diskPackageSource } from '../../upstream/disk-package-source.ts'
import { isPackageVariant, namespacedName } from '../../variant/find-variant.ts'
import { fleetItemsIn } from '../list/fleet-items.ts'
import type { RenderOptions } from '../options.ts'
import { emptySelection, type SelectionTerms, selectVariants, shardOf } from '../selection.ts'
import { type DiskPlaces, diskPlaces } from './disk-places.ts'
import type { FolderRequest } from './folder-request.ts'
import type { PackageSearch } from './packages-elsewhere.ts'

/** A fleet in a folder, with the options of its caller. */
export interface FleetFolder {
  /** The objects in the fleet's folder, and the variants that its sets make. */
  readonly items: readonly KrmObject[]
  readonly dir: NamedFolder
  readonly out: NamedFolder
  readonly options: RenderOptions
  /** The names of the fleet; if unset, the one of the options. */
  readonly names?: FleetNames
  /** If true, upstream packages may be in folders outside of `dir`. */
  readonly allowOutside: boolean
  readonly git: Omit<GitPlaces, 'base'>
  readonly terms: SelectionTerms
  /** The rest of a fleet of which `items` has one shard. */
  readonly elsewhere?: OtherShards
  readonly search?: PackageSearch
  readonly passedOver?: readonly Result[] | undefined
  readonly setAside?: UnreadObjects['setAside']
  /** Returns true for a folder below `out` that is known to be a package; the others are found by their Kptfiles. */
  readonly isPackage?: (folder: string) => boolean
}

/** The variants of a fleet that are in other shards. */
export interface OtherShards {
  readonly count: number
  /** Names that begin with the name of a variant of this shard. */
  readonly names: readonly string[]
  /** Returns the variants with one of the names `NAMESPACE/NAME`. */
  variantsNamed(names: ReadonlySet<string>): readonly KrmObject[]
}

/**
 * Returns what to render of a fleet: its own objects, its upstreams in folders and git, and its packages below a folder.
 *
 * @throws FunctionError  when the fleet has no variant and no rendered package, or the terms select no variant
 */
export function planFolder(fleet: FleetFolder): Omit<FolderRequest, 'look' | 'isDryRun'> {
  const { items, dir, out, options, names, allowOutside, git, terms, elsewhere, isPackage, search, passedOver, setAside } = fleet
  const found = fleetItemsIn(dir, items, options)
  const { shard } = terms
  const isSearched = elsewhere && shard ? (repo: string) => shardOf(repo, shard.of) === shard.part : () => true
  const places = diskPlaces(out, { isSearched, ...(isPackage && { isPackage }) })
  const hasVariants = elsewhere !== undefined || found.some(isPackageVariant)
  if (!hasVariants && places.owned.length === 0) throw noVariant(found)
  if (hasVariants && terms.only.length > 0) requireSelected(found, terms)
  const own = elsewhere === undefined ? found : [...found, ...ownersElsewhere(found, places, elsewhere)]
  const selection = selectVariants(terms, setFinder(own))
  return {
    items: own,
    options: names ? { ...options, fleet: names.name } : options,
    ...(names && { hadName: names.hadName, keepsName: names.keepsName }),
    dir,
    out,
    packageSource: diskPackageSource(dir, { ...git, base: dir.disk, allowOutside }, options.clone),
    places,
    ...(search && { search }),
    passedOver,
    setAside,
    ...(selection !== undefined && { selection }),
    ...(elsewhere !== undefined && { elsewhere }),
  }
}

/** Returns the variants of other shards that own packages in the repositories of this one. */
function ownersElsewhere(own: readonly KrmObject[], { owned }: DiskPlaces, elsewhere: OtherShards): readonly KrmObject[] {
  const known = new Set(own.filter(isPackageVariant).map(namespacedName))
  return elsewhere.variantsNamed(
    new Set(owned.flatMap(({ owner }) => (owner === undefined || known.has(owner.variant) ? [] : [owner.variant]))),
  )
}

function noVariant(items: readonly KrmObject[]): FunctionError {
  const message = `the input must hold a PackageVariant, or a PackageVariantSet that makes one; read ${describeRead(items)}`
  return new FunctionError([{ severity: 'error', message, tags: { rule: 'no-variant' } }])
}

function requireSelected(items: readonly KrmObject[], terms: SelectionTerms): void {
  const reason = emptySelection(terms, readVariants(items.filter(isPackageVariant)).variants, setFinder(items))
  if (reason === undefined) return
  throw new FunctionError([{ severity: 'error', message: `\`only\` must select a PackageVariant: ${reason}`, tags: { rule: 'selection' } }])
}
