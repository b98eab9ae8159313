import { isBytes } from '../../../merge/package-files.ts'
import type { NamedFolder } from '../../../package/named-folder.ts'
import { diskFolder, type WholeFolder } from '../../../package/whole-folder.ts'
import { KPTFILE } from '../../../resource-list/package-of.ts'
import { FunctionError, hasErrors, type Result } from '../../../result.ts'
import { wholeVariant } from '../../fleet-variants.ts'
import { type ContentChange, packageChanges, type UnwritableFiles } from '../../package/package-changes.ts'
import { type RenderedPackage, type RenderRequest, renderPackage } from '../../package/render-package.ts'
import type { RenderPlan } from '../../plan-render.ts'
import type { ClonedFilesLibrary } from './cloned-files.ts'
import { contentBytes } from './cloned-files.ts'
import { turnedHere, withTurned } from './file-modes.ts'
import { type DownstreamPackage, readDownstream } from './read-downstream.ts'
import type { UnreadFiles } from './unread-files.ts'

/** The objects that all packages of a run are rendered with. */
export interface FolderRenderContext {
  readonly plan: RenderPlan
  readonly clonedFiles: ClonedFilesLibrary
  readonly unreadFiles: Pick<UnreadFiles, 'between'>
  readonly unwritable: UnwritableFiles
  /** Returns the folder of a package on disk, and its name in messages. */
  placeOf(folder: string): NamedFolder
}

/** A rendered package, and the differences from its folder on disk. */
export interface RenderedOrder {
  readonly step: RenderPlan['steps'][number]
  readonly made: RenderedPackage
  /** Findings. With an error among them, the package must not be written. */
  readonly results: readonly Result[]
  readonly changes: readonly ContentChange[]
  /** Returns the bytes that a file of the package will have. */
  bytesOf(path: string): Uint8Array
  /** Temporary files that interrupted runs left in the package. */
  readonly leftovers: readonly string[]
  /** Returns the bytes that a file of the package has on disk; undefined if the file is missing. */
  before(path: string): Uint8Array | undefined
  modeOf(path: string): number
}

const NO_BYTES = new Uint8Array()
const NOTHING: WholeFolder = { files: new Map(), links: [], gitFolders: [], leftovers: [] }

/** Renders the package of one step in memory. Faults of the package are among the results and are not thrown. */
export function renderStep(step: RenderedOrder['step'], desk: FolderRenderContext): RenderedOrder {
  const { upstream, folder, movedFrom, op } = step
  const variant = wholeVariant(step.variant)
  const { workshop } = desk.plan
  const place = desk.placeOf(movedFrom ?? folder)
  const disk: WholeFolder = op === 'update' ? diskFolder(place.disk) : NOTHING
  const read = op === 'update' ? readSafely(disk, { variant, upstream }, place.shown, desk) : undefined
  const refused = hasErrors(read?.results ?? [])
  const order = { variant, upstream, folder: desk.placeOf(folder).shown, isMoved: movedFrom !== undefined }
  const made: RenderedPackage = refused
    ? { files: new Map(), results: [], outcomes: [] }
    : renderPackage({ ...order, ...(read !== undefined && { downstream: read.files }) }, workshop)
  const changed = packageChanges(made.files, read?.files)
  const results = [
    ...(read?.results ?? []),
    ...carriedResults(read?.unreadable ?? new Map(), made),
    ...made.results,
    ...desk.unwritable.faults(changed, [...disk.files.keys(), ...disk.links], place.shown),
  ]
  const turned = turnedHere(disk, { read, made, upstream: upstream.source })
  const before = (path: string): Uint8Array | undefined => disk.files.get(path)?.read()
  return {
    step,
    made,
    results,
    changes: hasErrors(results) ? [] : withTurned(changed, turned),
    leftovers: disk.leftovers,
    // Only the permissions of an unread file can change.
    bytesOf: (path) => (made.files.has(path) ? bytesOf(path, made, step, desk, read) : before(path)) ?? NO_BYTES,
    before,
    modeOf: (path) => turned.get(path)?.mode ?? disk.files.get(path)?.mode ?? upstream.source.modes.get(path) ?? 0o644,
  }
}

function readSafely(
  disk: WholeFolder,
  { variant, upstream }: Pick<RenderRequest, 'variant' | 'upstream'>,
  place: string,
  desk: FolderRenderContext,
): DownstreamPackage {
  try {
    return readDownstream(disk, { ...desk, workshop: desk.plan.workshop, variant, upstream, place })
  } catch (error) {
    if (error instanceof FunctionError)
      return { files: new Map(), layouts: new Map(), results: error.results, unreadable: new Map(), base: undefined }
    throw error
  }
}

/** Returns the bytes of a file. The bytes of a file that all clones share are made once. */
function bytesOf(
  path: string,
  { files }: RenderedPackage,
  { upstream: { source } }: RenderedOrder['step'],
  { plan: { workshop }, clonedFiles }: FolderRenderContext,
  downstream: DownstreamPackage | undefined,
): Uint8Array {
  const content = files.get(path) ?? NO_BYTES
  const clone = workshop.clones.of(source)
  if (path !== KPTFILE && content === clone.prepared.files.get(path)) {
    const bytes = clonedFiles.of(source, clone).bytes.get(path)
    if (bytes !== undefined) return bytes
  }
  return contentBytes(content, [downstream?.layouts.get(path), source.layouts.get(path)])
}

/**
 * Returns the findings about files that cannot be read. A file that one of many teams broke must not keep the fleet from being
 * rendered: the file stays, with a warning. If upstream changed that file, the finding is an error, since the Kptfile would claim a
 * change that the package lacks. A file that the strategy replaces has no finding.
 */
function carriedResults(unreadable: DownstreamPackage['unreadable'], { files, outcomes }: RenderedPackage): readonly Result[] {
  const passedOver = new Set(outcomes.filter(({ result, theirs }) => result === 'kept' && theirs.exists).map(({ path }) => path))
  const isReplaced = (path: string): boolean => files.has(path) && !isBytes(files.get(path))
  return [...unreadable].flatMap(([path, results]) => (isReplaced(path) ? [] : results.map(passedOver.has(path) ? atStake : carried)))
}

function atStake(result: Result): Result {
  return { ...result, severity: 'error', message: `${result.message}; upstream changed this file, and that cannot be merged into it` }
}

function carried(result: Result): Result {
  return result.severity === 'error' ? { ...result, severity: 'warning', message: `${result.message}; it is left as it is` } : result
}
