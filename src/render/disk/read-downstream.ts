import { findPackageFiles, IGNORE_FILE } from '../../folder/find-package-files.ts'
import type { PackageFile } from '../../folder/package.ts'
import { isInChart } from '../../folder/package-folders.ts'
import { mayHoldResources, objectsOf, readResources } from '../../folder/read-whole-package.ts'
import { treeOf, type WholeFile, type WholeFolder } from '../../folder/whole-folder.ts'
import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import { objectsIn, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import { hasErrors, type Result } from '../../result.ts'
import { asksForUpdate } from '../../upstream/origin.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { CONTEXT_FILE } from '../../variant/package-context.ts'
import { kptfileFaults } from '../package/update-findings.ts'
import { revisionChange, strategyOf } from '../package/update-package.ts'
import type { RenderContext } from '../render-request.ts'
import { asksForFiles, unreadFiles } from './unread-files.ts'

/** A downstream package as read from disk. */
export interface DownstreamPackage {
  /** The files that may change; files that need not be read are left out. */
  readonly files: PackageFiles
  /** The upstream package that this package was last made from; undefined if unknown. */
  readonly base: SourcePackage | undefined
  /** The text around the objects of each file. */
  readonly layouts: ReadonlyMap<string, PackageFile>
  /** Errors of the Kptfiles of the package and its subpackages: an update would take a Kptfile that it cannot read for a deleted one. */
  readonly results: readonly Result[]
  /** Other files that cannot be parsed and are kept as bytes, each with its findings. */
  readonly unreadable: ReadonlyMap<string, readonly Result[]>
}

/** The inputs of reading a downstream package. */
export interface DownstreamReading {
  readonly renderContext: RenderContext
  /** True to read every file. */
  readonly readsAll?: boolean
  readonly variant: PackageVariant
  readonly upstream: UpstreamRevision
  /** The folder, for findings. */
  readonly place: string
}

/**
 * Reads those files of a downstream package that an update or a mutation may change.
 *
 * @throws FunctionError  when the upstream package cannot be cloned
 */
export function readDownstream(folder: WholeFolder, reading: DownstreamReading): DownstreamPackage {
  const isChart = (path: string): boolean => isInChart(path, (each) => folder.files.has(each))
  const from = { ...reading, isResource: resourceTest(folder), isChart }
  const kptfile = folder.files.get(KPTFILE)
  const own = kptfile && readOwn(KPTFILE, kptfile, from)
  const [object] = objectsIn(own?.content)
  const base = object && baseOf(object, reading)
  const files = new Map<string, PackageContent>()
  const layouts = new Map<string, PackageFile>()
  const unreadable = new Map<string, readonly Result[]>()
  const ofKptfiles: Result[] = []
  const put = (path: string, { content, layout, results }: OwnFile) => {
    files.set(path, content)
    if (layout !== undefined) layouts.set(path, layout)
    if (isKptfile(path)) ofKptfiles.push(...results)
    else if (results.length > 0) unreadable.set(path, results)
  }
  if (own !== undefined) put(KPTFILE, own)
  const made = base && madeOf(base, reading)
  const read = (path: string, file: WholeFile) => put(path, made?.fileAsMade(path, file) ?? readOwn(path, file, from))
  const inner = [...folder.files].filter(([path]) => path !== KPTFILE && isKptfile(path))
  for (const [path, file] of inner) read(path, file)
  // A subpackage that is updated by itself is compared with its own upstream, of which each file may differ.
  const asking = inner.flatMap(([path]) =>
    objectsIn(files.get(path))
      .filter((each) => asksForUpdate(readKptfileUpstream(each).value))
      .map(() => folderOf(path)),
  )
  for (const [path, file] of folder.files) {
    const isAsking = asking.some((each) => path.startsWith(`${each}/`))
    if (!isKptfile(path) && (isAsking || made?.isLeftUnread(path, file) !== true)) read(path, file)
  }
  const isOfUpstream = (path: string) => reading.upstream.source.files.has(path) || base?.source.files.has(path) === true
  const results = [...ofKptfiles, ...unreadPlaces(folder, isOfUpstream, reading.place)]
  return { files, layouts, results, unreadable, base: base?.source }
}

/** Returns the errors of links in the place of files of upstream, and of what is no file: an update would take the file for deleted. */
export function unreadPlaces(
  { links, others = [] }: WholeFolder,
  isOfUpstream: (path: string) => boolean,
  place: string,
): readonly Result[] {
  const replaced = links.filter((path) => path === CONTEXT_FILE || isOfUpstream(path))
  return [...replaced.map((path) => linkInPlace(`${place}/${path}`)), ...others.map((path) => noFile(`${place}/${path}`))]
}

/** Returns the error of a link in the place of a file of upstream: links are not read, and the file would count as deleted. */
function linkInPlace(path: string): Result {
  const message =
    'must be a file, as in the upstream package, is a symbolic link, which is not read; put the file itself there, or remove the link'
  return { severity: 'error', message, file: { path, index: 0 }, tags: { rule: 'unreadable-file' } }
}

/** Returns the error of a pipe, a socket or a device in a package: the file of that name would count as deleted. */
function noFile(path: string): Result {
  const message = 'must be a file, a folder or a symbolic link, is a pipe, a socket or a device, which is not read; remove it'
  return { severity: 'error', message, file: { path, index: 0 }, tags: { rule: 'unreadable-file' } }
}

interface PackageReading extends DownstreamReading {
  /** Returns true if the resources of a file are to be read. */
  readonly isResource: (path: string) => boolean
  /** Returns true for a file in a chart. */
  readonly isChart: (path: string) => boolean
}

/** A file of a package, with the text around its objects if it holds resources. */
interface OwnFile {
  readonly content: PackageContent
  readonly layout: PackageFile | undefined
  readonly results: readonly Result[]
}

function readOwn(path: string, file: WholeFile, { isResource, isChart, place }: PackageReading): OwnFile {
  const bytes = file.read()
  const shown = `${place}/${path}`
  const { layout, results } = isResource(path) ? readResources(shown, bytes, () => isChart(path)) : { results: [] }
  const content = layout === undefined ? bytes : objectsOf(layout)
  if (!isKptfile(path) || !isResource(path)) return { content, layout, results }
  return { content, layout, results: hasErrors(results) ? results : [...results, ...kptfileFaults(objectsIn(content), path, shown)] }
}

/** Compares the files of a package with those of its clone. */
interface Made {
  isLeftUnread(path: string, file: WholeFile): boolean
  /** Returns the clone's content for a file whose bytes equal the clone's, so that the file is not parsed; undefined for another file. */
  fileAsMade(path: string, file: WholeFile): OwnFile | undefined
}

function madeOf({ source, isKept }: Base, { renderContext, readsAll = false, variant, upstream }: DownstreamReading): Made {
  const clone = renderContext.clones.of(source)
  const { bytes, layouts } = clone.files()
  const isLeftOut = isKept && !readsAll && !asksForFiles(variant)
  const unread = isLeftOut ? unreadFiles(source, upstream.source, renderContext) : undefined
  return {
    isLeftUnread: (path, file) => unread?.has(path) === true && file.size === bytes.get(path)?.length,
    fileAsMade: (path, file) => {
      const there = bytes.get(path)
      const content = there !== undefined && file.holds(there) ? clone.contents.get(path) : undefined
      return content && { content, layout: layouts.get(path), results: [] }
    },
  }
}

/** The upstream package that a downstream package was last made from. */
interface Base {
  readonly source: SourcePackage
  /** If true, files that upstream did not change stay as people have them. */
  readonly isKept: boolean
}

/** Returns the base of a package by its Kptfile; undefined if the Kptfile names none or the revision is missing. */
function baseOf(kptfile: KrmObject, { variant, upstream, renderContext }: DownstreamReading): Base | undefined {
  const { value } = readKptfileUpstream(kptfile)
  if (revisionChange(value, upstream.origin) !== 'merged') return { source: upstream.source, isKept: true }
  const original = renderContext.upstreams.original(value, variant)
  if (original === undefined || 'fault' in original) return undefined
  // A function may write another value into any file, although upstream did not change the file.
  const isKept = renderContext.functions === undefined && strategyOf(value, renderContext.options) === 'resource-merge'
  return { source: original.revision.source, isKept }
}

/** Returns a test for files that hold resources: by their name, unless a `.krmignore` excludes the file. */
function resourceTest(folder: WholeFolder): (path: string) => boolean {
  const { files } = folder
  const hasIgnoreFile = [...files.keys()].some((path) => path === IGNORE_FILE || path.endsWith(`/${IGNORE_FILE}`))
  const known = hasIgnoreFile ? new Set(findPackageFiles(treeOf(folder))) : undefined
  return (path) => mayHoldResources(path) && known?.has(path) !== false
}
