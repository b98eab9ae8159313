import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import { isBytes, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import { findPackageFiles, IGNORE_FILE } from '../../package/find-package-files.ts'
import type { PackageFile } from '../../package/package.ts'
import { mayHoldResources, objectsOf, readResources } from '../../package/read-whole-package.ts'
import { treeOf, type WholeFile, type WholeFolder } from '../../package/whole-folder.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import type { Workshop } from '../render-package.ts'
import { revisionChange } from '../revision-change.ts'
import type { SourcePackage } from '../upstream/source-package.ts'
import type { UpstreamRevision } from '../upstream/upstream-library.ts'
import type { ClonedFiles, ClonedFilesLibrary } from './cloned-files.ts'

/** A downstream package as it stands on disk. */
export interface Downstream {
  readonly files: PackageFiles
  /** The text around its objects. */
  readonly layouts: ReadonlyMap<string, PackageFile>
  /** Errors of its own Kptfile. */
  readonly results: readonly Result[]
  /** Other files that cannot be read and are carried as bytes, each with what is wrong. */
  readonly unreadable: ReadonlyMap<string, readonly Result[]>
}

/** What a downstream package is read with. */
export interface DownstreamReading {
  readonly workshop: Workshop
  readonly clonedFiles: ClonedFilesLibrary
  readonly variant: PackageVariant
  readonly upstream: UpstreamRevision
  /** The folder, for findings. */
  readonly place: string
}

/**
 * Reads a downstream package. A file that is as its clone was made is not looked into: it is the clone's, objects and all.
 *
 * @throws FunctionError  when the upstream package cannot be cloned
 */
export function readDownstream(folder: WholeFolder, reading: DownstreamReading): Downstream {
  const files = new Map<string, PackageContent>()
  const layouts = new Map<string, PackageFile>()
  const unreadable = new Map<string, readonly Result[]>()
  const isResource = resourceTest(folder)
  const readOwn = (path: string, bytes: Uint8Array): PackageContent => {
    const read = isResource(path) ? readResources(`${reading.place}/${path}`, bytes) : { results: [] }
    if (read.results.length > 0) unreadable.set(path, read.results)
    if (read.layout === undefined) return bytes
    layouts.set(path, read.layout)
    return objectsOf(read.layout)
  }
  const kptfile = folder.files.get(KPTFILE)
  if (kptfile !== undefined) files.set(KPTFILE, readOwn(KPTFILE, kptfile.read()))
  const base = baseOf(files.get(KPTFILE), reading)
  const clone = base && reading.workshop.clones.of(base)
  const made = base && clone && reading.clonedFiles.of(base, clone)
  for (const [path, file] of folder.files) {
    if (path === KPTFILE) continue
    const shared = made !== undefined && isAsMade(path, file, made) ? clone?.contents.get(path) : undefined
    files.set(path, shared ?? readOwn(path, file.read()))
    const layout = shared === undefined ? undefined : made?.layouts.get(path)
    if (layout !== undefined) layouts.set(path, layout)
  }
  const results = unreadable.get(KPTFILE) ?? []
  unreadable.delete(KPTFILE)
  return { files, layouts, results, unreadable }
}

/** The upstream package that a downstream package was last made of, if its Kptfile says so. */
function baseOf(kptfile: PackageContent | undefined, { variant, upstream, workshop }: DownstreamReading): SourcePackage | undefined {
  if (kptfile === undefined || isBytes(kptfile) || kptfile[0] === undefined) return undefined
  const { value } = readKptfileUpstream(kptfile[0])
  if (revisionChange(value, upstream.origin) !== 'merged') return upstream.source
  const original = workshop.upstreams.original(value, variant)
  return original !== undefined && 'revision' in original ? original.revision.source : undefined
}

function isAsMade(path: string, file: WholeFile, { bytes: made }: ClonedFiles): boolean {
  const there = made.get(path)
  return there !== undefined && file.holds(there)
}

/** Whether a file takes part by its resources: by its name, and because no `.krmignore` says otherwise. */
function resourceTest(folder: WholeFolder): (path: string) => boolean {
  const { files } = folder
  const hasIgnoreFile = [...files.keys()].some((path) => path === IGNORE_FILE || path.endsWith(`/${IGNORE_FILE}`))
  const known = hasIgnoreFile ? new Set(findPackageFiles(treeOf(folder))) : undefined
  return (path) => mayHoldResources(path) && known?.has(path) !== false
}
