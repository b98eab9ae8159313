import type { VariantNames } from '../fleet/fleet-variants.ts'
import type { PackageFile } from '../folder/package.ts'
import type { WholeFile } from '../folder/whole-folder.ts'
import type { PackageVariant } from '../kinds/package-variant.ts'
import type { MergeOutcome } from '../merge/merged-package.ts'
import type { PackageFiles } from '../merge/package-files.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import type { FilePermissions } from '../upstream/source-package.ts'
import type { UpstreamLibrary } from '../upstream/upstream-library.ts'
import type { UpstreamRevision } from '../upstream/upstream-search.ts'
import type { InjectionSources } from '../variant/injection/injection-source.ts'
import type { ClonedPackage, CloneLibrary } from './clone/clone-library.ts'
import { contentBytes } from './clone/cloned-files.ts'
import type { MergeScopes } from './clone/merge-scope.ts'
import type { FunctionRun, RenderedFiles } from './clone/rendered-package.ts'
import type { RenderOptions } from './options.ts'
import type { PackageFunctions } from './runs/package-functions.ts'

/** The fleet-wide objects that every package is rendered with. */
export interface RenderContext {
  readonly options: RenderOptions
  readonly upstreams: UpstreamLibrary
  readonly clones: CloneLibrary
  /** Runs the functions of packages; undefined to leave that to kpt or Porch. */
  readonly functions?: PackageFunctions
  readonly scopes: MergeScopes
  readonly sources: InjectionSources
  readonly variantNames: VariantNames
}

/** A variant, its upstream, and its package until now. */
export interface RenderRequest {
  readonly variant: PackageVariant
  readonly upstream: UpstreamRevision
  /** The folder of the package, for findings. */
  readonly folder: string
  /** The package as the folder or list holds it; undefined for a package that is to be created. */
  readonly downstream?: PackageFiles
  /** The text around the objects of `downstream`, by path. */
  readonly layouts?: ReadonlyMap<string, PackageFile>
  /** The files of the package that `downstream` leaves out, since no update and no mutation changes them. */
  readonly unread?: ReadonlyMap<string, Pick<WholeFile, 'read'>>
  /** If true, the package was in another folder until now, and may have that folder's name. */
  readonly isMoved?: boolean
}

/** A subpackage by its folder in the package, and the refs of the revisions that it was at and is at. */
export interface RaisedFolder {
  readonly folder: string
  readonly from: string
  readonly to: string
}

/** A package after rendering. With an error among the results, nothing must be written. */
export interface RenderedPackage {
  readonly files: RenderedFiles
  readonly results: readonly Result[]
  /** The outcome of an update for each field. */
  readonly outcomes: readonly MergeOutcome[]
  /** The text around objects that an update took from upstream after functions ran, by path. */
  readonly layouts?: ReadonlyMap<string, PackageFile>
  /** The permissions of the files of updated subpackages in both revisions of their upstreams, by path. */
  readonly modes?: ReadonlyMap<string, FilePermissions>
  /** The subpackages that got another revision of an upstream of their own. */
  readonly raised?: readonly RaisedFolder[]
  /** The changes that the functions of the package made to `files`; undefined if none had to run. */
  readonly run?: FunctionRun
  /** Returns true if the next render would change nothing in the package as its functions left it. Unset for a package with errors. */
  isSettled?(): boolean
}

/**
 * Returns the bytes of a file before its functions run; undefined for a file that was left out. The bytes that clones share are made once.
 */
export function renderedBytes(
  path: string,
  { files, layouts: taken }: Pick<RenderedPackage, 'files' | 'layouts'>,
  { upstream: { source }, layouts }: Pick<RenderRequest, 'upstream' | 'layouts'>,
  { clones }: RenderContext,
): Uint8Array | undefined {
  const content = files.get(path)
  if (content === undefined) return undefined
  const clone = clones.of(source)
  const bytes = isCloned(path, files, clone) ? clone.files().bytes.get(path) : undefined
  return bytes ?? contentBytes(path, content, [layouts?.get(path), taken?.get(path), source.layouts.get(path)])
}

/** Returns true for a file that is as every new package of the upstream has it. */
export function isCloned(path: string, files: RenderedFiles, { prepared }: ClonedPackage): boolean {
  return path !== KPTFILE && files.has(path) && files.get(path) === prepared.files.get(path)
}
