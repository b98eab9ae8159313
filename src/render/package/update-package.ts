import type { PackageDocument, PackageFile } from '../../folder/package.ts'
import { definedEntries } from '../../group-by.ts'
import type { KptfileUpstream, UpdateStrategy } from '../../kinds/kptfile-upstream.ts'
import { identityIn, mergeComment } from '../../merge/clone-marks.ts'
import { mergePackages } from '../../merge/merge-packages.ts'
import type { MergedPackage } from '../../merge/merged-package.ts'
import { movesOfEdited } from '../../merge/moved-resources.ts'
import { isBytes, type PackageContent, type PackageFiles, type Packages } from '../../merge/package-files.ts'
import { withoutRendering } from '../../merge/rendering.ts'
import { isSameContent } from '../../merge/same-content.ts'
import { folderOf, isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import { bareFolder, bareRepo, type UpstreamOrigin } from '../../upstream/origin.ts'
import type { CloneFlavour } from '../../upstream/repository-options.ts'
import { contextPath, withoutContexts } from '../clone/clone-context.ts'
import type { ClonedPackage } from '../clone/clone-library.ts'
import { markBlueprint } from '../clone/clone-package.ts'
import { type MergeScope, only } from '../clone/merge-scope.ts'
import { contentsOf, draftOf, type RenderedContent, type RenderedFiles, type RenderedObject, unchanged } from '../clone/rendered-package.ts'
import { markUpstream } from '../clone/upstream-mark.ts'
import { forReplacement, withContexts } from '../edits/kept-context.ts'
import type { RenderOptions } from '../options.ts'
import type { MergeSides } from '../runs/merge-sides.ts'
import { arrivedObjects } from './arrived-objects.ts'

/** A downstream package (ours), and the two upstream revisions of its update (base and theirs). */
export interface PackageUpdate extends Packages {
  readonly strategy: UpdateStrategy
  /** The folder of the package, for findings. */
  readonly place: string
  readonly flavour: CloneFlavour
  /** The keys of the package context that the variant writes or removes. */
  readonly variantKeys: readonly string[]
  /** The files that differ between the two revisions. */
  readonly scope: MergeScope
  /** The clones of the two revisions. A file that is still as it was cloned becomes the file of a new clone. */
  readonly clones: { readonly base: ClonedPackage; readonly theirs: ClonedPackage }
  /** The files of the new upstream revision before functions ran: its resources get the marks of a clone. */
  readonly upstream: PackageFiles
  /** The two revisions after their functions ran, if `base` and `theirs` are these. */
  readonly sides?: MergeSides
  /** The text around the objects of `ours`, by path. */
  readonly layouts?: ReadonlyMap<string, PackageFile>
}

/** A package after an update. With an error among the results, the files must not be written. */
export interface UpdatedPackage extends Pick<MergedPackage, 'outcomes' | 'results'> {
  readonly files: RenderedFiles
}

/**
 * Merges a new upstream revision into a downstream package, as `kpt pkg update` does, except for `upstream` and `upstreamLock` of the
 * Kptfile. The given objects are not changed.
 */
export function updatePackage(update: PackageUpdate): UpdatedPackage {
  const { strategy, scope, flavour } = update
  const isReplaced = strategy === 'force-delete-replace' || strategy === 'copy-merge'
  const ours = isReplaced
    ? forReplacement(update.ours, { ...update, cloned: update.clones.base.contents })
    : withoutContexts(update.ours, (path) => strategy === 'fast-forward' && isGoing(path, update))
  const untouched = isReplaced ? new Map<string, RenderedContent | undefined>() : untouchedFiles(update)
  const isMerged = (path: string): boolean => isReplaced || (scope.has(path) && !untouched.has(path))
  const {
    files: mergedFiles,
    outcomes,
    results,
  } = mergePackages({
    // A package without edits has nothing to lose, except for comments on values that its variant wrote.
    strategy: strategy === 'fast-forward' ? 'resource-merge' : strategy,
    place: update.place,
    upstream: update.upstream,
    base: only(update.base, isMerged),
    theirs: only(update.theirs, isMerged),
    ours: only(ours, isMerged),
    whole: { base: update.base, ours },
    moves: scope.moves,
  })
  const merged = new Map<string, RenderedContent>()
  for (const [path, content] of ours) if (!isMerged(path) && !untouched.has(path)) merged.set(path, unchanged(content, 'ours'))
  for (const [path, content] of untouched) if (content !== undefined) merged.set(path, content)
  for (const [path, content] of mergedFiles) merged.set(path, marked(path, content, { flavour, theirs: update.upstream.get(path) }))
  for (const [path, context] of newContexts(update, merged)) merged.set(path, context)
  const kptfile = merged.get(KPTFILE)
  if (kptfile !== undefined) merged.set(KPTFILE, withoutRendering(kptfile))
  const files = withContexts(merged, update.ours)
  return {
    files,
    outcomes,
    results: [...results, ...arrivedObjects(update, contentsOf(files), (path) => `${update.place}/${path}`)],
  }
}

/** Returns true for a file of a subpackage that upstream deleted. */
function isGoing(path: string, { theirs }: PackageUpdate): boolean {
  const folder = folderOf(path)
  return folder !== '' && !theirs.has(`${folder}/${KPTFILE}`)
}

/**
 * Returns the files that are still as they were cloned, after their functions ran if the sides ran; each with its new content, undefined
 * where the new upstream lacks the file. A file that gets an edited resource from another file is merged.
 */
function untouchedFiles(update: PackageUpdate): ReadonlyMap<string, RenderedContent | undefined> {
  const { ours, scope, clones, sides, layouts } = update
  const moved = new Set(movesOfEdited(scope.moves, update).flatMap(({ from, to }) => [from, to]))
  const isUntouched = (path: string): boolean =>
    sides === undefined
      ? ours.get(path) === clones.base.contents.get(path)
      : isSameContent(ours.get(path), sides.base.files.get(path)) && isSameAround(layouts?.get(path), sides.base.layouts.get(path))
  const paths = [...ours.keys()].filter(
    (path) => path !== KPTFILE && scope.has(path) && !scope.isPassing(path) && !moved.has(path) && isUntouched(path),
  )
  const theirs = sides?.theirs.rendered ?? clones.theirs.prepared.files
  return new Map(paths.map((path) => [path, theirs.get(path)]))
}

/** Returns true if two files have the same text around their objects: separators, comments and documents without an object. */
function isSameAround(a: PackageFile | undefined, b: PackageFile | undefined): boolean {
  if (a === undefined || b === undefined || a.documents.length !== b.documents.length) return a === b || a === undefined || b === undefined
  return a.documents.every((document, at) => textAround(document) === textAround(b.documents[at]))
}

function textAround(document: PackageDocument | undefined): string {
  if (document === undefined) return ''
  const { separator, before, object, text, after } = document
  return [separator, before, object === undefined ? text : '', after].join('\0')
}

/** Returns the package contexts of subpackages that upstream added, as in a new clone; kpt adds no context there. */
function newContexts({ ours, clones }: PackageUpdate, merged: RenderedFiles): RenderedFiles {
  const isNew = (path: string): boolean => isKptfile(path) && path !== KPTFILE && !ours.has(path)
  const paths = [...merged.keys()].filter(isNew).map(contextPath)
  return definedEntries(paths.map((path) => [path, merged.has(path) ? undefined : clones.theirs.prepared.files.get(path)]))
}

interface Marking {
  readonly flavour: CloneFlavour
  /** The file in the new upstream revision. */
  readonly theirs: PackageContent | undefined
}

/** Returns a file with the marks of a clone on the resources that upstream has; kpt marks all others as well (kpt update.go). */
function marked(path: string, content: RenderedContent, { flavour, theirs }: Marking): RenderedContent {
  if (isBytes(content) || isBytes(theirs) || theirs === undefined || (isKptfile(path) && flavour === 'kpt')) return content
  // A resource of the downstream that has its comment has its annotation too, unless people removed it.
  if (content.every(({ from, object }) => from === 'ours' && mergeComment(object) !== undefined)) return content
  const known = new Set(theirs.map(identityIn))
  return content.map((one) => (known.has(identityIn(one.object)) ? withMark(one, flavour) : one))
}

/** Returns a resource with its mark; a resource that upstream added gets all marks of a new clone. */
function withMark(one: RenderedObject, flavour: CloneFlavour): RenderedObject {
  const object = draftOf(one)
  markUpstream(object)
  if (one.from === 'theirs' && flavour === 'kpt') markBlueprint(object)
  return { ...one, object }
}

/**
 * Returns how a package reaches a revision from the state that its Kptfile records: `none` if the package is at the revision, `named`
 * if the same commit has another name now, `merged` for another commit, or another tree of an upstream that a variant makes. If a commit is
 * unknown, repository, folder and ref are compared.
 */
export function revisionChange(written: KptfileUpstream, origin: UpstreamOrigin): 'none' | 'named' | 'merged' {
  const at = written.upstreamLock ?? written.upstream
  if (at === undefined || bareFolder(at.directory) !== bareFolder(origin.directory)) return 'merged'
  const isNamed = at.ref === origin.ref || at.ref === origin.resolvedRef
  const commit = written.upstreamLock?.commit ?? ''
  if (commit !== '' && origin.commit !== undefined) return commit !== origin.commit ? 'merged' : isNamed ? 'none' : 'named'
  return isNamed && isSameTree(written, origin) && bareRepo(at.repo) === bareRepo(origin.repo) ? 'none' : 'merged'
}

/** Returns true unless the trees differ. A revision that was published since then is not known to be the tree. */
function isSameTree({ tree }: KptfileUpstream, origin: UpstreamOrigin): boolean {
  return tree === origin.tree || (origin.tree === undefined && origin.commit === undefined)
}

/** Returns the update strategy of a package: from the options, else from its Kptfile, else `resource-merge`. */
export function strategyOf({ upstream }: KptfileUpstream, { updateStrategy }: Pick<RenderOptions, 'updateStrategy'>): UpdateStrategy {
  return updateStrategy ?? upstream?.updateStrategy ?? 'resource-merge'
}

/**
 * Returns true if an update by a strategy may meet edits: fast-forward refuses them, force-delete-replace does unless they may be
 * discarded.
 */
export function allowsEdits(strategy: UpdateStrategy, { discardEdits }: Pick<RenderOptions, 'discardEdits'>): boolean {
  return strategy !== 'fast-forward' && (strategy !== 'force-delete-replace' || discardEdits)
}
