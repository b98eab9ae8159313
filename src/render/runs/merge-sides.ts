import type { PackageFile } from '../../folder/package.ts'
import { mayHoldResources, objectsOf, readResources } from '../../folder/read-whole-package.ts'
import { mergeFields } from '../../merge/merge-fields.ts'
import { isBytes, objectsIn, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import { equalBytes } from '../../merge/same-content.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { CONTEXT_FILE } from '../../variant/package-context.ts'
import type { CloneLibrary } from '../clone/clone-library.ts'
import type { FunctionRun } from '../clone/rendered-package.ts'
import { type RenderedContent, type RenderedFiles, unchanged } from '../clone/rendered-package.ts'

/** An upstream revision as the side of a merge: as a new package of the variant would be, after its functions ran. */
export interface MergeSide {
  readonly files: PackageFiles
  readonly rendered: RenderedFiles
  /** The text around the objects of each file. */
  readonly layouts: ReadonlyMap<string, PackageFile>
  /** The package's own Kptfile and package context, as the variant and the functions of the package write them. */
  readonly own: RenderedFiles
}

/** Both upstream sides of a merge. */
export interface MergeSides {
  readonly base: MergeSide
  readonly theirs: MergeSide
}

interface Clones {
  readonly clones: CloneLibrary
}

/** A new package of a revision, and the run of its functions. */
export interface NewPackage {
  readonly files: RenderedFiles
  readonly run: FunctionRun
  readonly source: SourcePackage
  /** Returns the place of a file in upstream, for messages; unset if all files are below the place of `source`. */
  readonly placeOf?: (path: string) => string
}

/**
 * Returns two revisions as the sides of a merge.
 *
 * @param readsAll  true to read every file; else a file that the functions left equal in both revisions is carried as bytes, since the
 *                  merge leaves the file as the downstream has it
 */
export function mergeSides(base: NewPackage, theirs: NewPackage, context: Clones, readsAll: boolean): MergeSides {
  const equal = readsAll || hasSubpackage(base) || hasSubpackage(theirs) ? new Map<string, Uint8Array>() : equalFiles(base.run, theirs.run)
  const former = mergeSide(base, context, equal)
  // The first label and annotation go where functions put them into the merged file.
  const sides = { base: former, theirs: mergeSide(theirs, context, equal, former.files) }
  const hasContext = Object.values(sides).some(({ files }) => files.has(CONTEXT_FILE))
  return hasContext ? { base: withContext(sides.base), theirs: withContext(sides.theirs) } : sides
}

/** Returns a side with its package context, which upstream may lack: what a function wrote there would count as removed with the file. */
function withContext(side: MergeSide): MergeSide {
  const context = side.own.get(CONTEXT_FILE)
  if (side.files.has(CONTEXT_FILE) || context === undefined || isBytes(context)) return side
  const files = new Map([...side.files, [CONTEXT_FILE, context.map(({ object }) => object)]])
  return { ...side, files, rendered: new Map([...side.rendered, [CONTEXT_FILE, context]]) }
}

/** Returns true for a package with a subpackage, whose files are merged together. */
function hasSubpackage({ files }: NewPackage): boolean {
  return [...files.keys()].some((path) => path !== KPTFILE && isKptfile(path))
}

/** Returns the files that two runs wrote with the same bytes. */
function equalFiles(base: FunctionRun, theirs: FunctionRun): ReadonlyMap<string, Uint8Array> {
  const equal = new Map<string, Uint8Array>()
  for (const [path, bytes] of base.changed) {
    const other = theirs.changed.get(path)
    if (bytes !== undefined && other !== undefined && equalBytes(bytes, other)) equal.set(path, bytes)
  }
  return equal
}

/**
 * Returns a new package as the side of a merge. Its Kptfile and package context are those of the upstream, with what functions wrote:
 * people and upstream are compared there, and the variant writes its own part afterwards.
 *
 * @param former  the old revision; labels and annotations that it lacks are left to the functions. Absent for the old revision itself
 */
export function mergeSide(
  { files, run, source, placeOf = (path) => `${source.place}/${path}` }: NewPackage,
  { clones }: Clones,
  unread: ReadonlyMap<string, Uint8Array> = new Map(),
  former?: PackageFiles,
): MergeSide {
  const clone = clones.of(source)
  const rendered = new Map(files)
  const contents = new Map<string, PackageContent>()
  const layouts = new Map(clone.files().layouts)
  const put = (path: string, content: PackageContent | undefined): void => {
    rendered.delete(path)
    contents.delete(path)
    if (content === undefined) return
    rendered.set(path, unchanged(content, 'theirs'))
    contents.set(path, content)
  }
  for (const [path, content] of files) contents.set(path, contentOf(path, content, clone))
  for (const [path, bytes] of run.changed) {
    const isRead = bytes !== undefined && mayHoldResources(path) && !unread.has(path)
    const { layout } = isRead ? readResources(placeOf(path), bytes) : { layout: undefined }
    put(path, layout === undefined ? (unread.get(path) ?? bytes) : objectsOf(layout))
    if (layout !== undefined) layouts.set(path, layout)
  }
  const own = new Map<string, RenderedContent>()
  for (const path of [KPTFILE, CONTEXT_FILE]) {
    const now = rendered.get(path)
    if (now !== undefined) own.set(path, now)
    put(path, withWritten(source.files.get(path), files.get(path), now, former && objectsIn(former.get(path))))
  }
  return { files: contents, rendered, layouts, own }
}

/**
 * Returns a file of upstream with the values that functions wrote into the file of a new package.
 *
 * @example  upstream `labels: {}`, before `labels: {site: a}`, after `labels: {site: a, team: x}` → `labels: {team: x}`
 */
function withWritten(
  content: PackageContent | undefined,
  before: RenderedContent | undefined,
  after: RenderedContent | undefined,
  former: readonly KrmObject[] | undefined,
): PackageContent | undefined {
  if (after === before || after === undefined || before === undefined || isBytes(after) || isBytes(before)) return content
  if (content === undefined || isBytes(content)) return content ?? after.map(({ object }) => object)
  if (content.length !== before.length || content.length !== after.length) return content
  return content.map((object, at) => {
    const [base, theirs] = [before[at], after[at]].map((one) => one?.object.toJson())
    const { value } = mergeFields({ base, theirs, ours: object.toJson() }, undefined)
    const draft = object.draft()
    if (value !== undefined) draft.set([], value)
    for (const path of [
      ['metadata', 'labels'],
      ['metadata', 'annotations'],
    ]) {
      const isNew = former !== undefined && former[at]?.get(path) === undefined && object.get(path) === undefined
      if (isNew && draft.get(path) !== undefined) draft.delete(path)
    }
    return draft
  })
}

/** Returns the objects of a file. A file that all clones share keeps its identity, so that two sides are compared fast. */
function contentOf(path: string, content: RenderedContent, clone: ReturnType<CloneLibrary['of']>): PackageContent {
  if (isBytes(content)) return content
  const shared = clone.prepared.files.get(path) === content ? clone.contents.get(path) : undefined
  return shared ?? content.map(({ object }) => object)
}
