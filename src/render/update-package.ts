import type { UpdateStrategy } from '../kinds/kptfile-upstream.ts'
import { mergePackages } from '../merge/merge-packages.ts'
import type { MergedPackage } from '../merge/merged-package.ts'
import { isBytes, type PackageContent, type PackageFiles } from '../merge/package-files.ts'
import { withoutRendering } from '../merge/rendering.ts'
import { identityIn, mergeComment } from '../merge/upstream-identity.ts'
import { isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import { contextPath } from './clone/clone-context.ts'
import type { ClonedPackage } from './clone/clone-library.ts'
import { markBlueprint } from './clone/clone-package.ts'
import type { CloneFlavour } from './clone/flavour.ts'
import { markUpstream } from './clone/upstream-mark.ts'
import { withContexts, withoutContexts } from './kept-context.ts'
import { type MergeScope, only } from './merge-scope.ts'
import { draftOf, type RenderedContent, type RenderedFiles, type RenderedObject, unchanged } from './rendered-package.ts'

/** A downstream package that is to follow its upstream from one revision to another. */
export interface PackageUpdate {
  readonly original: PackageFiles
  readonly upstream: PackageFiles
  readonly downstream: PackageFiles
  readonly strategy: UpdateStrategy
  /** Its folder, for findings. */
  readonly place: string
  readonly flavour: CloneFlavour
  /** What differs between the two revisions. */
  readonly scope: MergeScope
  /** The clones of the two revisions: a file that nobody touched since it was cloned becomes what a new clone has. */
  readonly clones: { readonly original: ClonedPackage; readonly upstream: ClonedPackage }
}

/** A package after an update; with an error among the results, as it was. */
export interface UpdatedPackage extends Pick<MergedPackage, 'outcomes' | 'results'> {
  readonly files: RenderedFiles
}

/**
 * Brings a downstream package from one revision of its upstream to another, as `kpt pkg update` does, but for `upstream` and `upstreamLock`.
 * None of the objects that are given is changed.
 */
export function updatePackage(update: PackageUpdate): UpdatedPackage {
  const { strategy, scope, flavour } = update
  // Strategies that do not merge would take the package context away, or give it the upstream's name.
  const downstream = strategy === 'resource-merge' ? update.downstream : withoutContexts(update.downstream)
  const untouched = strategy === 'resource-merge' ? untouchedFiles(update) : new Map<string, RenderedContent | undefined>()
  const isMerged = (path: string): boolean => strategy !== 'resource-merge' || (scope.has(path) && !untouched.has(path))
  const {
    files: mergedFiles,
    outcomes,
    results,
  } = mergePackages({
    strategy,
    place: update.place,
    original: only(update.original, isMerged),
    upstream: only(update.upstream, isMerged),
    downstream: only(downstream, isMerged),
  })
  const merged = new Map<string, RenderedContent>()
  for (const [path, content] of downstream) if (!isMerged(path) && !untouched.has(path)) merged.set(path, unchanged(content, 'downstream'))
  for (const [path, content] of untouched) if (content !== undefined) merged.set(path, content)
  for (const [path, content] of mergedFiles) merged.set(path, marked(path, content, { flavour, upstream: update.upstream.get(path) }))
  for (const [path, context] of newContexts(update, merged)) merged.set(path, context)
  const kptfile = merged.get(KPTFILE)
  if (kptfile !== undefined) merged.set(KPTFILE, withoutRendering(kptfile))
  return { files: withContexts(merged, update.downstream), outcomes, results }
}

/** Files that nobody touched since they were cloned, with what they become; undefined where upstream has them no more. */
function untouchedFiles({ downstream, scope, clones }: PackageUpdate): ReadonlyMap<string, RenderedContent | undefined> {
  const isUntouched = (path: string): boolean => downstream.get(path) === clones.original.contents.get(path)
  const paths = [...downstream.keys()].filter((path) => path !== KPTFILE && scope.has(path) && !scope.isPassing(path) && isUntouched(path))
  return new Map(paths.map((path) => [path, clones.upstream.prepared.files.get(path)]))
}

/** The package contexts of subpackages that upstream added, as a new clone has them; kpt leaves such subpackages without. */
function newContexts({ downstream, clones }: PackageUpdate, merged: RenderedFiles): RenderedFiles {
  const isNew = (path: string): boolean => isKptfile(path) && path !== KPTFILE && !downstream.has(path)
  const paths = [...merged.keys()].filter(isNew).map(contextPath)
  return new Map(
    paths.flatMap((path) => {
      const context = merged.has(path) ? undefined : clones.upstream.prepared.files.get(path)
      return context === undefined ? [] : [[path, context] as const]
    }),
  )
}

interface Marking {
  readonly flavour: CloneFlavour
  /** The file as upstream has it. */
  readonly upstream: PackageContent | undefined
}

/** An update ends with the marks of a clone on the resources that upstream has; kpt marks all others as well (kpt update.go). */
function marked(path: string, content: RenderedContent, { flavour, upstream }: Marking): RenderedContent {
  if (isBytes(content) || isBytes(upstream) || upstream === undefined || (isKptfile(path) && flavour === 'kpt')) return content
  if (content.every(({ object }) => mergeComment(object) !== undefined)) return content
  const known = new Set(upstream.map(identityIn))
  return content.map((one) => (known.has(identityIn(one.object)) ? withMark(one, flavour) : one))
}

/** A resource that upstream added is marked as in a new clone. */
function withMark(one: RenderedObject, flavour: CloneFlavour): RenderedObject {
  const object = draftOf(one)
  markUpstream(object)
  if (one.from === 'upstream' && flavour === 'kpt') markBlueprint(object)
  return { ...one, object }
}
