import { wholeVariant } from '../../fleet/fleet-variants.ts'
import type { IsAsRead } from '../../folder/as-read.ts'
import type { NamedFolder } from '../../folder/named-folder.ts'
import { EMPTY_FOLDER, type WholeFile, type WholeFolder } from '../../folder/whole-folder.ts'
import { isBytes } from '../../merge/package-files.ts'
import type { Calls } from '../../pipeline/calls.ts'
import { FunctionError, hasErrors, type Result } from '../../result.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { changesAfterRun, packageChanges, unwritableFiles } from '../clone/package-changes.ts'
import { type MadePackages, type RenderedStep, upstreamNotMade } from '../made-packages.ts'
import { renderPackage } from '../package/render-package.ts'
import type { RenderPlan } from '../plan-render.ts'
import { type RenderedPackage, type RenderRequest, renderedBytes } from '../render-request.ts'
import { bitsOfPeople } from './bits-of-people.ts'
import { turnedHere, turnedMode, withTurned } from './file-modes.ts'
import { brokenLinks } from './links-of-people.ts'
import { type DownstreamPackage, readDownstream } from './read-downstream.ts'

/** The objects that all packages of a run are rendered with. */
export interface FolderRenderContext {
  readonly plan: RenderPlan
  /** True to read every file of each package. */
  readonly readsAll?: boolean
  /** Returns the folder of a package on disk, and its name in messages. */
  placeOf(folder: string): NamedFolder
  /** Returns all files of an existing package. */
  folderOf(folder: string): WholeFolder
  readonly made: MadePackages
}

const NO_BYTES = new Uint8Array()
const NOTHING_MADE: RenderedPackage = { files: new Map(), results: [], outcomes: [] }
/**
 * Renders the package of one step in memory; before it the package that its upstream is, if a variant of the fleet makes that and the run
 * did not yet. Faults of the package are among the results and are not thrown.
 */
export function* renderStep(planned: RenderedStep['step'], folderContext: FolderRenderContext): Calls<RenderedStep> {
  const { made } = folderContext
  const upstream = yield* made.upstreamOf(planned, (step) => renderStep(step, folderContext))
  const rendered = upstream === undefined ? withoutUpstream(planned) : yield* renderFrom({ ...planned, upstream }, folderContext)
  made.take(rendered)
  return rendered
}

/** Returns the findings of an upstream that this run made; those of other upstreams are found before the first step. */
function foundInMade({ maker, source }: UpstreamRevision): readonly Result[] {
  return maker === undefined ? [] : [...source.faults, ...source.results]
}

/** Returns the step of a package that cannot be made, since the package that it would be made from was not. */
function withoutUpstream(step: RenderedStep['step']): RenderedStep {
  return {
    step,
    made: NOTHING_MADE,
    results: [],
    functions: { outcome: 'failed', changed: new Map(), ran: [], results: [upstreamNotMade(step)] },
    changes: [],
    leftovers: [],
    bytesOf: () => NO_BYTES,
    before: () => undefined,
    isAsRead: () => undefined,
    modeOf: () => 0o644,
  }
}

/** Returns the test if a file is as it was read. The test holds nothing of the package in memory. */
function testOf(file: WholeFile | undefined): IsAsRead | undefined {
  return file?.isAsRead === undefined ? undefined : () => file.isAsRead?.() !== false
}

/** Renders a package from an upstream package that is made. */
function* renderFrom(step: RenderedStep['step'], folderContext: FolderRenderContext): Calls<RenderedStep> {
  const { upstream, folder, movedFrom, op } = step
  const variant = wholeVariant(step.variant)
  const { renderContext } = folderContext.plan
  const present = movedFrom ?? folder
  const disk = op === 'update' ? folderContext.folderOf(present) : EMPTY_FOLDER
  const place = folderContext.placeOf(present)
  const read = op === 'update' ? readSafely(disk, { variant, upstream }, place.shown, folderContext) : undefined
  const request = { variant, upstream, folder: folderContext.placeOf(folder).shown, isMoved: movedFrom !== undefined }
  const made: RenderedPackage = hasErrors(read?.results ?? [])
    ? NOTHING_MADE
    : yield* renderPackage({ ...request, ...(read !== undefined && readPart(read, disk)) }, renderContext)
  const before = (path: string): Uint8Array | undefined => disk.files.get(path)?.read()
  const { run } = made
  const differences = packageChanges(made.files, read?.files)
  const changed = changesAfterRun(differences, run?.changed ?? new Map(), before)
  const update = { read, made, upstream: upstream.source }
  const [bits, turned] = [bitsOfPeople(disk, changed, update, place.shown), turnedHere(disk, update)]
  const results = [
    ...foundInMade(upstream),
    ...(read?.results ?? []),
    ...resultsOf(made, read?.unreadable ?? new Map()),
    ...unwritableFiles(differences, existingPaths(disk), place.shown),
    ...bits.results,
    ...brokenLinks(disk, changed, update, place),
  ]
  const functions = run && withMisplaced(run, changed === differences ? [] : unwritableFiles(changed, existingPaths(disk), place.shown))
  const isWritten = !hasErrors(results) && functions?.outcome !== 'failed' && functions?.outcome !== 'unmatched'
  return {
    step,
    made,
    results,
    ...(functions !== undefined && { functions }),
    changes: isWritten ? withTurned(changed, turned) : [],
    leftovers: disk.leftovers,
    // Of an unread file that no function changed, only the permissions can change.
    bytesOf: (path) =>
      run?.changed.get(path) ?? renderedBytes(path, made, { upstream, ...read }, renderContext) ?? before(path) ?? NO_BYTES,
    before,
    isAsRead: (path) => testOf(disk.files.get(path)),
    modeOf: (path) => turned.get(path)?.mode ?? disk.files.get(path)?.mode ?? modeOfNew(path, made, upstream, bits.moved.get(path)),
  }
}

/** Returns a run of functions, failed if these wrote files where none can be. */
function withMisplaced(run: NonNullable<RenderedPackage['run']>, misplaced: readonly Result[]): NonNullable<RenderedPackage['run']> {
  return hasErrors(misplaced) ? { ...run, outcome: 'failed', results: [...run.results, ...misplaced] } : run
}

function existingPaths({ files, links }: WholeFolder): readonly string[] {
  return [...files.keys(), ...links]
}

/** Returns the permissions of a file that the package did not have, with the executable bit of people if they turned it. */
function modeOfNew(
  path: string,
  { modes }: Pick<RenderedPackage, 'modes'>,
  { source }: UpstreamRevision,
  executable: boolean | undefined,
): number {
  const mode = modes?.get(path)?.theirs ?? source.modes.get(path) ?? 0o644
  return executable === undefined ? mode : turnedMode(mode, executable)
}

function readSafely(
  disk: WholeFolder,
  { variant, upstream }: Pick<RenderRequest, 'variant' | 'upstream'>,
  place: string,
  folderContext: FolderRenderContext,
): DownstreamPackage {
  try {
    return readDownstream(disk, { ...folderContext, renderContext: folderContext.plan.renderContext, variant, upstream, place })
  } catch (error) {
    if (error instanceof FunctionError)
      return { files: new Map(), layouts: new Map(), results: error.results, unreadable: new Map(), base: undefined }
    throw error
  }
}

/** Returns what was read of a package, and the files that were not. */
function readPart({ files, layouts }: DownstreamPackage, disk: WholeFolder): Pick<RenderRequest, 'downstream' | 'layouts' | 'unread'> {
  return { downstream: files, layouts, unread: new Map([...disk.files].filter(([path]) => !files.has(path))) }
}

/**
 * Returns the findings of a package and those about files that cannot be read, without warnings that upstream changed or removed such a
 * file: the finding about the file says so.
 */
function resultsOf(made: RenderedPackage, unreadable: DownstreamPackage['unreadable']): readonly Result[] {
  const passedOver = new Set([...keptPaths(made, true), ...keptPaths(made, false)])
  const files = new Set([...unreadable].flatMap(([path, results]) => (passedOver.has(path) ? results.map(({ file }) => file?.path) : [])))
  const others = made.results.filter(({ tags, file }) => tags?.rule !== 'change-passed-over' || !files.has(file?.path))
  return [...carriedResults(unreadable, made), ...(files.size === 0 ? made.results : others)]
}

/** Returns the paths of files that the package keeps as they are, and that upstream changed, or removed where `exists` is false. */
function keptPaths({ outcomes }: RenderedPackage, exists: boolean): ReadonlySet<string> {
  return new Set(outcomes.filter(({ result, theirs }) => result === 'kept' && theirs.exists === exists).map(({ path }) => path))
}

/**
 * Returns the findings about files that cannot be read. A file that one of many teams broke must not keep the fleet from being
 * rendered: the file stays, with a warning. If upstream changed that file, the finding is an error, since the Kptfile would claim a
 * change that the package lacks. A file that the strategy replaces has no finding.
 */
function carriedResults(unreadable: DownstreamPackage['unreadable'], made: RenderedPackage): readonly Result[] {
  const { files } = made
  const [changed, removed] = [keptPaths(made, true), keptPaths(made, false)]
  const isReplaced = (path: string): boolean => files.has(path) && !isBytes(files.get(path))
  const left = (path: string) => (removed.has(path) ? 'it is left as it is, though upstream removed it' : 'it is left as it is')
  return [...unreadable].flatMap(([path, results]) =>
    isReplaced(path) ? [] : results.map((result) => (changed.has(path) ? atStake(result) : carried(result, left(path)))),
  )
}

function atStake(result: Result): Result {
  return { ...result, severity: 'error', message: `${result.message}; upstream changed this file, and that cannot be merged into it` }
}

function carried(result: Result, left: string): Result {
  return result.severity === 'error' ? { ...result, severity: 'warning', message: `${result.message}; ${left}` } : result
}
