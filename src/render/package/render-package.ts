import { attempt } from '../../attempt.ts'
import { definedEntries } from '../../group-by.ts'
import type { JsonValue } from '../../json.ts'
import { type KptfileUpstream, readKptfileUpstream, type UpdateStrategy } from '../../kinds/kptfile-upstream.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import { ownerFor, readOwnerAnnotation, writeOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import { isContextFile } from '../../merge/edited-files.ts'
import { objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import { type Calls, known } from '../../pipeline/calls.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { FunctionError, hasErrors, type Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import { changesOf, mutate } from '../../variant/mutate.ts'
import { CONTEXT_FILE, CONTEXT_NAME, isPackageContext } from '../../variant/package-context.ts'
import { finishClone, setOrigin } from '../clone/clone-package.ts'
import { packageChanges } from '../clone/package-changes.ts'
import { type FunctionRun, type RenderedFiles, unchanged } from '../clone/rendered-package.ts'
import { WorkingPackage } from '../clone/working-package.ts'
import { lostCommentsBetween } from '../edits/comments-between.ts'
import { localEdits } from '../edits/local-edits.ts'
import { withoutOverwritten } from '../edits/overwritten-edits.ts'
import { recordVariantKeys } from '../edits/variant-keys.ts'
import type { RenderOptions } from '../options.ts'
import { type RenderContext, type RenderedPackage, type RenderRequest, renderedBytes } from '../render-request.ts'
import { type MergeSides, mergeSide, type NewPackage } from '../runs/merge-sides.ts'
import { finishedFiles, finishedFindings } from './finished-objects.ts'
import { lostFunctions } from './lost-functions.ts'
import { asFunctionsLeft, type LeftPackage, sidesAfterFunctions, sidesOfUpdate, updateEdited } from './revision-sides.ts'
import { type FormerRevision, packageToRun, runFunctions } from './run-functions.ts'
import type { Revisions } from './subpackage-revisions.ts'
import { comparedBefore, editsInTheWay, kptfileFaults, movedTag, originalMissing, placedBelow } from './update-findings.ts'
import { allowsEdits, type PackageUpdate, revisionChange, strategyOf } from './update-package.ts'
import { updateSubpackages } from './update-subpackages.ts'

/**
 * Returns the downstream package of a variant: cloned or updated, then mutated (seed 000, Order of Mutations). Then the functions of a new
 * or changed package run.
 *
 * Faults of the package are among the results and are not thrown.
 */
export function* renderPackage(request: RenderRequest, renderContext: RenderContext): Calls<RenderedPackage> {
  const made = yield* packageOf(request, renderContext)
  if (hasErrors(made.results)) return made
  const after = finishedFiles(made)
  const results = [...made.results, ...finishedFindings(after, made, request)]
  return { ...made, results, isSettled: () => isSettled(after, request, renderContext) }
}

/** Returns true if the next render would find nothing to do or to report in the Kptfile of a package, nor in what its variant writes. */
function isSettled(after: PackageFiles, request: RenderRequest, renderContext: RenderContext): boolean {
  const kptfiles = objectsIn(after.get(KPTFILE))
  const [kptfile] = kptfiles
  if (kptfile === undefined || kptfileFaults(kptfiles, KPTFILE, request.folder).length > 0) return false
  const { value: written, faults } = readKptfileUpstream(kptfile)
  if (faults.length > 0 || revisionChange(written, request.upstream.origin) !== 'none') return false
  const files: RenderedFiles = new Map([...after].map(([path, content]) => [path, unchanged(content, 'ours')]))
  const asLeft = { ...request, downstream: after, isMoved: false }
  const again = attempt(() => finish({ files, results: [], outcomes: [] }, asLeft, renderContext), FunctionError)
  return again !== undefined && again.results.length === 0 && packageChanges(again.files, after).length === 0
}

/** Returns the package as `renderPackage` does, without the findings about its finished objects. */
function* packageOf(request: RenderRequest, renderContext: RenderContext): Calls<RenderedPackage> {
  try {
    const { downstream } = request
    const started: StartedPackage =
      downstream === undefined ? create(request, renderContext) : yield* updateWhole({ ...request, downstream }, renderContext)
    if (hasErrors(started.results)) return started
    return yield* runFunctions(finish(started, request, renderContext), started.from, request, renderContext)
  } catch (error) {
    if (error instanceof FunctionError) return { files: new Map(), results: error.results, outcomes: [] }
    throw error
  }
}

function create({ variant, upstream }: RenderRequest, { options, clones }: RenderContext): RenderedPackage {
  const { prepared } = clones.of(upstream.source)
  const files = finishClone(prepared, {
    name: nameOf(variant, options),
    packagePath: variant.downstream.package,
    origin: upstream.origin,
    updateStrategy: options.updateStrategy ?? 'resource-merge',
  })
  return { files, results: [], outcomes: [] }
}

/** Returns the name of a package: in kpt the name of its folder, in Porch the name in the variant's downstream. */
function nameOf({ downstream }: PackageVariant, { clone }: Pick<RenderOptions, 'clone'>): string {
  return clone === 'kpt' ? downstream.package.slice(downstream.package.lastIndexOf('/') + 1) : downstream.package
}

type Update = RenderRequest & { readonly downstream: PackageFiles }

/** Updates a package, then its subpackages that have an upstream of their own. */
function* updateWhole(request: Update, renderContext: RenderContext): Calls<StartedPackage> {
  const started = yield* update(request, renderContext)
  if (hasErrors(started.results)) return started
  const former = started.former ?? request.upstream
  const newPackages = (upstream: UpstreamRevision) => newPackage(request, upstream, renderContext)
  return yield* updateSubpackages(started, { ...request, former }, newPackages, renderContext)
}

/** Merges the revision that a variant asks for into its package. A package at that revision stays unchanged. */
function* update(request: Update, renderContext: RenderContext): Calls<StartedPackage> {
  const kptfile = kptfileOf(request.downstream)
  const { value: written, faults } = readKptfileUpstream(kptfile)
  if (faults.length > 0) return refused(faults.map((fault) => faultToResult(kptfile, fault)))
  const change = revisionChange(written, request.upstream.origin)
  if (change === 'merged') return yield* merge(request, kptfile, written, renderContext)
  const files: RenderedFiles = new Map([...request.downstream].map(([path, content]) => [path, unchanged(content, 'ours')]))
  const from: FormerRevision = {
    base: () => lastRender(request, kptfile, renderContext),
    source: request.upstream.source.files,
    left: () => filesAsLeft(request, renderContext),
  }
  return { files, results: [], outcomes: [], from, ...(change === 'named' && { before: written }) }
}

/**
 * Returns a package as the last render left it, before people edited it: the revision that it is at, after the functions that its Kptfile
 * has. Undefined if they cannot run.
 */
function* lastRender(request: Update, kptfile: KrmObject, renderContext: RenderContext): Calls<PackageFiles | undefined> {
  const made = yield* madeAgain(request, renderContext, kptfile.get(['pipeline']) ?? {})
  if (made === undefined) return undefined
  return mergeSide({ ...made, source: request.upstream.source }, renderContext, definedEntries(made.run.changed)).files
}

/**
 * Returns the package of the revision that a package is at as a new one, after its functions ran; undefined if they cannot run.
 *
 * @param pipeline  the pipeline that runs, instead of that of the new package
 */
function* madeAgain(
  request: Update,
  renderContext: RenderContext,
  pipeline?: JsonValue,
): Calls<{ readonly files: RenderedFiles; readonly run: FunctionRun } | undefined> {
  const { downstream: _, layouts: __, unread: ___, ...rest } = request
  const asNew = { ...rest, isMoved: false }
  const made = finish(create(asNew, renderContext), asNew, renderContext)
  if (hasErrors(made.results)) return undefined
  const working = new WorkingPackage(made.files)
  if (pipeline !== undefined) working.kptfile.set(['pipeline'], pipeline)
  const files = working.contents
  const { functions } = renderContext
  if (functions === undefined) return undefined
  const run = yield* functions.forComparison.run(packageToRun({ files }, asNew, renderContext))
  return run.outcome === 'done' ? { files, run } : undefined
}

/** Returns the bytes of the package's files as a new clone of its revision has them; undefined if the functions of that cannot run. */
function* filesAsLeft(request: Update, renderContext: RenderContext): Calls<ReadonlyMap<string, Uint8Array> | undefined> {
  const made = yield* madeAgain(request, renderContext)
  if (made === undefined) return undefined
  const { files, run } = made
  const paths = [...new Set([...files.keys(), ...run.changed.keys()])]
  const bytesOf = (path: string) => (run.changed.has(path) ? run.changed.get(path) : renderedBytes(path, { files }, request, renderContext))
  return definedEntries(paths.map((path) => [path, bytesOf(path)]))
}

function* merge(request: Update, kptfile: KrmObject, written: KptfileUpstream, renderContext: RenderContext): Calls<StartedPackage> {
  const { variant, upstream, downstream } = request
  const { options, upstreams } = renderContext
  const moved = options.allowMoved ? undefined : movedTag(kptfile, written, upstream.origin)
  if (moved !== undefined) return refused([moved])
  const original = upstreams.original(written, variant)
  if (original === undefined || 'fault' in original) return refused([originalMissing(kptfile, written, original?.fault.message)])
  const { source } = original.revision
  if (source.faults.length > 0) return refused(source.faults)
  const strategy = strategyOf(written, options)
  const revisions = { base: original.revision, theirs: upstream }
  const left = { request, inner: '', base: original.revision }
  const newSide = (side: keyof Revisions) => newPackage(request, revisions[side], renderContext)
  const run = yield* sidesAfterFunctions(revisions, newSide, request, renderContext, strategy !== 'resource-merge')
  const refs = { base: original.revision.origin.ref, theirs: upstream.origin.ref }
  const found = yield* forbiddenEdits({ ...left, kptfile, strategy, sides: run?.sides }, renderContext)
  const gone = lostFunctions({ base: source.files, theirs: upstream.source.files, ours: downstream, variant: variant.object, refs })
  if (hasErrors([...found, ...gone])) return refused([...found, ...gone])
  const update: PackageUpdate = {
    ...sidesOfUpdate(revisions, run?.sides, renderContext),
    ours: downstream,
    ...(request.layouts && { layouts: request.layouts }),
    strategy,
    place: request.folder,
    variantKeys: [...variant.packageContext.data.keys(), ...variant.packageContext.removeKeys],
  }
  const { files, results, outcomes, base } = yield* updateEdited(update, left, renderContext)
  const from = run?.unrun === undefined ? { base: () => known(base), source: source.files } : undefined
  const notes = run?.unrun === undefined ? [] : [comparedBefore(kptfile, run.unrun)]
  // An unchanged file of the package is the object of the original revision.
  const placed = results.map((result) => placedBelow(result, source.place, request.folder))
  const merged = { files, ...(run?.sides && { layouts: run.sides.theirs.layouts }) }
  return {
    ...merged,
    results: [...gone, ...placed, ...commentsLost(merged, source, request, renderContext), ...notes],
    outcomes,
    before: written,
    former: original.revision,
    ...(from && { from }),
  }
}

function commentsLost(
  merged: Pick<RenderedPackage, 'files' | 'layouts'>,
  base: SourcePackage,
  request: Update,
  renderContext: RenderContext,
): readonly Result[] {
  const layouts = { base: base.layouts, theirs: request.upstream.source.layouts, ours: request.layouts ?? new Map() }
  return lostCommentsBetween(layouts, request, (path) => renderedBytes(path, merged, request, renderContext))
}

/** Returns the error of an edited package, if its strategy does not allow edits. */
function* forbiddenEdits(forbidding: Forbidding, renderContext: RenderContext): Calls<readonly Result[]> {
  const { kptfile, strategy, sides } = forbidding
  if (allowsEdits(strategy, renderContext.options)) return []
  const found = editsIn(forbidding, renderContext)
  if (found.length === 0) return []
  const again = sides && (yield* asFunctionsLeft(sides, found, forbidding, renderContext))
  const edits = again === undefined ? found : editsIn({ ...forbidding, sides: again }, renderContext)
  return edits.length === 0 ? [] : [editsInTheWay(kptfile, edits, strategy)]
}

/** Returns the files of a package that people edited. */
function editsIn({ request, base, sides }: Forbidding, renderContext: RenderContext): readonly string[] {
  const { variant, downstream } = request
  const owners = { owner: variant.name, others: renderContext.variantNames.beginningWith(variant.name) }
  const cloned = newFiles({ ...request, upstream: base }, sides, renderContext)
  const written = sides && new Set(localEdits(new Map([...cloned, ...sides.base.own]), downstream, { variant, owners }))
  const edits = localEdits(cloned, downstream, { variant, owners }).filter((path) => written?.has(path) !== false)
  // A package that was cloned without a package context has not lost one.
  return edits.filter((path) => downstream.has(path) || !isContextFile(path))
}

/** A package with a strategy that may forbid edits, and the sides of its update. */
interface Forbidding extends LeftPackage {
  readonly kptfile: KrmObject
  readonly strategy: UpdateStrategy
  readonly sides: MergeSides | undefined
}

/** Returns a new package of a revision with the run of its functions; undefined if it cannot be made or its functions cannot run. */
function* newPackage(
  { downstream: _, layouts: __, unread: ___, ...request }: Update,
  upstream: UpstreamRevision,
  renderContext: RenderContext,
): Calls<NewPackage | undefined> {
  const { functions } = renderContext
  const { files, run, results } = yield* packageOf(
    { ...request, isMoved: false, upstream },
    { ...renderContext, ...(functions && { functions: functions.forComparison }) },
  )
  return run?.outcome === 'done' && !hasErrors(results) ? { files, run, source: upstream.source } : undefined
}

/** Returns the files of a new package before the mutations of its variant, except for files that functions write. */
function newFiles(request: RenderRequest, sides: MergeSides | undefined, renderContext: RenderContext): RenderedFiles {
  const cloned = create(request, renderContext).files
  if (sides === undefined) return cloned
  return new Map([...sides.base.rendered, ...[...cloned].filter(([path]) => path === KPTFILE || path === CONTEXT_FILE)])
}

/** A cloned or updated package before the mutations of its variant. */
interface StartedPackage extends RenderedPackage {
  /** The upstream that its Kptfile records, if that record is outdated. */
  readonly before?: KptfileUpstream
  /** The revision that the package was at, with its functions; unset for a new package, and if the functions of the revision cannot run. */
  readonly from?: FormerRevision
  /** The revision that the package was at, if it is another one now. */
  readonly former?: UpstreamRevision
}

/** Writes the origin, the owner and the mutations of a variant into a package. */
function finish(
  { files, results, outcomes, layouts, modes, raised, before }: StartedPackage,
  request: RenderRequest,
  renderContext: RenderContext,
): RenderedPackage {
  const { variant, upstream, downstream, isMoved = false } = request
  const { options } = renderContext
  const working = new WorkingPackage(files)
  if (before !== undefined) setOrigin(working.kptfile, upstream.origin, strategyOf(before, options), options.clone)
  if (downstream === undefined) setMetadata(working.kptfile, variant)
  if (isMoved) rename(working, variant, options)
  const owner = readOwnerAnnotation(working.kptfile)
  const isRewritten = downstream === undefined || before !== undefined || isMoved || owner?.variant !== namespacedName(variant.object)
  // The name of the fleet alone is no reason to write a package, unless the package names another fleet.
  const isNamed = options.fleet !== undefined && (isRewritten || owner?.fleet !== undefined)
  writeOwnerAnnotation(working.kptfile, { ...ownerFor(variant), ...(isNamed && { fleet: options.fleet }) })
  recordVariantKeys(working.kptfile, variant)
  const mutated = mutate(working, changesOf(variant, renderContext.variantNames.beginningWith(variant.name)), renderContext.sources)
  const placed = mutated.map((result) => placedIn(result, request))
  return {
    files: working.contents,
    results: [...withoutOverwritten(results, variant, working, mutated), ...placed],
    outcomes,
    ...(layouts && { layouts }),
    ...(modes && { modes }),
    ...(raised && { raised }),
  }
}

/** Returns a finding with its file in the downstream package, if the file is in the upstream package and the package will be written. */
function placedIn(result: Result, request: RenderRequest): Result {
  return result.severity === 'error' ? result : placedBelow(result, request.upstream.source.place, request.folder)
}

/** Writes labels and annotations of the variant. Only at creation: people may change them afterwards (seed 000, Basic Spec Fields). */
function setMetadata(kptfile: KrmObject, { labels, annotations }: PackageVariant): void {
  for (const [key, value] of labels) kptfile.set(['metadata', 'labels', key], value)
  for (const [key, value] of annotations) kptfile.set(['metadata', 'annotations', key], value)
}

/** Renames a package that is named after its old folder, in the Kptfile and in the package context. */
function rename(working: WorkingPackage, variant: PackageVariant, options: RenderOptions): void {
  const { kptfile } = working
  const before = kptfile.name
  kptfile.set(['metadata', 'name'], nameOf(variant, options))
  for (const context of working.pick(CONTEXT_NAME, isPackageContext)) {
    if (context.get(['data', 'name']) === before) context.set(['data', 'name'], nameOf(variant, options))
    if (context.get(['data', 'package-path']) !== undefined) context.set(['data', 'package-path'], variant.downstream.package)
  }
}

/** Returns the Kptfile of a downstream package. Downstream packages are found by their Kptfile, so each has one. */
function kptfileOf(files: PackageFiles): KrmObject {
  const [kptfile] = objectsIn(files.get(KPTFILE))
  if (kptfile === undefined) throw new Error('a downstream package has a Kptfile')
  return kptfile
}

function refused(results: readonly Result[]): RenderedPackage {
  return { files: new Map(), results, outcomes: [] }
}
