import { isBytes } from '../../merge/package-files.ts'
import type { NamedFolder } from '../../package/named-folder.ts'
import { diskFolder, type WholeFolder } from '../../package/whole-folder.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { FunctionError, hasErrors, type Result } from '../../result.ts'
import { wholeVariant } from '../fleet-variants.ts'
import { type ContentChange, packageChanges } from '../package-changes.ts'
import type { RenderPlan } from '../plan-render.ts'
import { type RenderedPackage, type RenderRequest, renderPackage } from '../render-package.ts'
import type { UnwritableFiles } from '../unwritable-files.ts'
import type { ClonedFilesLibrary } from './cloned-files.ts'
import { turnedHere, withTurned } from './file-modes.ts'
import { contentBytes } from './package-text.ts'
import { type DownstreamPackage, readDownstream } from './read-downstream.ts'
import type { UnreadFiles } from './unread-files.ts'

/** What orders of one run have in common. */
export interface FolderRenderContext {
  readonly plan: RenderPlan
  readonly clonedFiles: ClonedFilesLibrary
  readonly unreadFiles: Pick<UnreadFiles, 'between'>
  readonly unwritable: UnwritableFiles
  /** The folder of a package on disk, and as people see it. */
  placeOf(folder: string): NamedFolder
}

/** A package that was rendered, beside what is on disk. */
export interface RenderedOrder {
  readonly step: RenderPlan['steps'][number]
  readonly made: RenderedPackage
  /** With an error among them, nothing is to be written. */
  readonly results: readonly Result[]
  readonly changes: readonly ContentChange[]
  /** The bytes that a file of the package is to have. */
  bytesOf(path: string): Uint8Array
  /** What interrupted runs left in the package. */
  readonly leftovers: readonly string[]
  /** Those that it has. */
  before(path: string): Uint8Array | undefined
  modeOf(path: string): number
}

const NO_BYTES = new Uint8Array()
const NOTHING: WholeFolder = { files: new Map(), links: [], gitFolders: [], leftovers: [] }

/** Renders the package of one step. */
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
    // Of a file that was left unread only the permissions can change.
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

/** What every clone has is laid out once. */
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
 * What there is to say of files that cannot be read. What one of many teams broke must not keep the fleet from being rendered: the file is left
 * as it is. Where upstream changed that file, its change would be lost for good, since the Kptfile would say that the package has it: an error.
 * Of one that a strategy replaces nothing is said.
 */
function carriedResults(unreadable: DownstreamPackage['unreadable'], { files, outcomes }: RenderedPackage): readonly Result[] {
  const passedOver = new Set(outcomes.filter(({ result, upstream }) => result === 'kept' && upstream.exists).map(({ path }) => path))
  const isReplaced = (path: string): boolean => files.has(path) && !isBytes(files.get(path))
  return [...unreadable].flatMap(([path, results]) => (isReplaced(path) ? [] : results.map(passedOver.has(path) ? atStake : carried)))
}

function atStake(result: Result): Result {
  return { ...result, severity: 'error', message: `${result.message}; upstream changed this file, and that cannot be merged into it` }
}

function carried(result: Result): Result {
  return result.severity === 'error' ? { ...result, severity: 'warning', message: `${result.message}; it is left as it is` } : result
}
