import { equalJson } from '../json.ts'
import { kptfileEntries, PIPELINE_LISTS } from '../kinds/kptfile.ts'
import type { UpdateStrategy } from '../kinds/kptfile-upstream.ts'
import { lostComments } from '../merge/lost-comments.ts'
import { mergePackages } from '../merge/merge-packages.ts'
import { commentLost } from '../merge/merge-results.ts'
import type { MergedPackage } from '../merge/merged-package.ts'
import { isBytes, type PackageContent, type PackageFiles } from '../merge/package-files.ts'
import { identityIn, mergeComment } from '../merge/upstream-identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { isOwned, type Owners } from '../variant/owned-functions.ts'
import type { ClonedPackage } from './clone/clone-library.ts'
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
  /** Whose functions stay out of the merge: they are put into the pipeline anew. */
  readonly owners: Owners
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
  const kptfile = withoutOwned(update)
  const {
    files: mergedFiles,
    outcomes,
    results,
  } = mergePackages({
    strategy,
    place: update.place,
    original: only(update.original, isMerged),
    upstream: only(update.upstream, isMerged),
    downstream: withKptfile(only(downstream, isMerged), kptfile?.draft),
  })
  const merged = new Map<string, RenderedContent>()
  for (const [path, content] of downstream) if (!isMerged(path) && !untouched.has(path)) merged.set(path, unchanged(content, 'downstream'))
  for (const [path, content] of untouched) if (content !== undefined) merged.set(path, content)
  for (const [path, content] of mergedFiles) {
    const given = isBytes(content) ? content : content.map((one) => fromGiven(one, kptfile))
    merged.set(path, marked(path, given, { flavour, upstream: update.upstream.get(path) }))
  }
  return { files: withContexts(merged, update.downstream), outcomes, results: [...results, ...commentsOnOwned(update, kptfile)] }
}

/** Files that nobody touched since they were cloned, with what they become; undefined where upstream has them no more. */
function untouchedFiles({ downstream, scope, clones }: PackageUpdate): ReadonlyMap<string, RenderedContent | undefined> {
  const isUntouched = (path: string): boolean => downstream.get(path) === clones.original.contents.get(path)
  const paths = [...downstream.keys()].filter((path) => path !== KPTFILE && scope.has(path) && !scope.isPassing(path) && isUntouched(path))
  return new Map(paths.map((path) => [path, clones.upstream.prepared.files.get(path)]))
}

/** The downstream's Kptfile, and a draft of it. */
interface DraftedKptfile {
  readonly source: KrmObject
  readonly draft: KrmObject
}

/** The Kptfile without the functions that are put in anew; undefined where upstream left its pipeline alone, so that nothing is at stake. */
function withoutOwned({ original, upstream, downstream, owners }: PackageUpdate): DraftedKptfile | undefined {
  const source = kptfileIn(downstream)
  if (source === undefined || equalJson(kptfileIn(original)?.get(['pipeline']), kptfileIn(upstream)?.get(['pipeline']))) return undefined
  const draft = source.draft()
  for (const list of Object.values(PIPELINE_LISTS)) {
    const names = kptfileEntries(draft, list).map(({ name }) => (typeof name === 'string' ? name : ''))
    for (const [position, name] of [...names.entries()].reverse()) if (isOwned(name, owners)) draft.delete([...list.path, position])
  }
  return { source, draft }
}

/** Functions that are put in anew come without the comments that people wrote on them. */
function commentsOnOwned({ original }: PackageUpdate, kptfile: DraftedKptfile | undefined): readonly Result[] {
  if (kptfile === undefined) return []
  const { source, draft } = kptfile
  const lost = lostComments(draft, { original: kptfileIn(original), downstream: source })
  return lost.map((comment) => commentLost(source, comment))
}

function kptfileIn(files: PackageFiles): KrmObject | undefined {
  const content = files.get(KPTFILE)
  return content === undefined || isBytes(content) ? undefined : content[0]
}

function withKptfile(files: PackageFiles, kptfile: KrmObject | undefined): PackageFiles {
  return kptfile === undefined || !files.has(KPTFILE) ? files : new Map<string, PackageContent>([...files, [KPTFILE, [kptfile]]])
}

/** What the merge began with the draft of a Kptfile, began with the Kptfile. */
function fromGiven(one: RenderedObject, kptfile: DraftedKptfile | undefined): RenderedObject {
  return one.source === kptfile?.draft ? { ...one, source: kptfile.source } : one
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
  return content.map((one) => (known.has(identityIn(one.object)) ? withMark(one) : one))
}

function withMark(one: RenderedObject): RenderedObject {
  const object = draftOf(one)
  markUpstream(object)
  return { ...one, object }
}
