import { DELETION_ANNOTATION } from '../../lifecycle/owner-annotation.ts'
import type { DownstreamPlace, LeftoverStep } from '../../lifecycle/package-steps.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { nameFirst } from '../../wording.ts'
import type { RenderContext } from '../render-request.ts'
import { type OwnedPackage, type UnexplainedFiles, unexplainedFiles } from './unexplained-files.ts'

/** A package whose variant is gone, with the paths of files that people made or edited: a removal would remove these too. */
export interface CheckedLeftover extends LeftoverStep {
  readonly edits: readonly string[]
  /** Returns the bytes of one of the files; undefined for a path without bytes, such as a link. */
  readonly read: WholeContent['read']
}

/** All content of a package that will be removed. */
export interface WholeContent {
  readonly files: PackageFiles
  /** The text around the objects of each file. */
  readonly layouts: OwnedPackage['layouts']
  /** Paths that a clone never creates: symbolic links and git folders. */
  readonly others: readonly string[]
  readonly read: (path: string) => Uint8Array | undefined
}

/** The packages to remove, and the findings about their edits. With an error among the results, no package must be removed. */
export interface CheckedLeftovers {
  readonly leftovers: readonly CheckedLeftover[]
  readonly results: readonly Result[]
}

const NAMED = 10
/** The beginning of a fault of `spec.upstream`, removed from the message here because the reader should not change that field. */
const MUST_NAME = /^must name an existing package, /

/** Returns an error for each package that would be removed together with people's files; with `discardEdits` a warning. */
export function checkDiscards(
  leftovers: readonly LeftoverStep[],
  renderContext: RenderContext,
  read: (place: DownstreamPlace) => WholeContent,
): CheckedLeftovers {
  const checked = leftovers.map((step) => checkDiscard(step, renderContext, read))
  return { leftovers: checked.map(({ leftover }) => leftover), results: checked.flatMap(({ results }) => results) }
}

function checkDiscard(
  step: LeftoverStep,
  renderContext: RenderContext,
  read: (place: DownstreamPlace) => WholeContent,
): { readonly leftover: CheckedLeftover; readonly results: readonly Result[] } {
  const { op, place } = step
  if (op !== 'remove' || place.owner === undefined) return { leftover: { ...step, edits: [], read: () => undefined }, results: [] }
  const { files, layouts, others, ...content } = read(place)
  const unexplained = unexplainedFiles({ folder: place.folder, owner: place.owner, files, layouts }, renderContext)
  const edits = [...unexplained.paths, ...others].sort()
  const present = new Set([...files.keys(), ...others])
  const named = edits.map((path) => (present.has(path) ? quoteText(path) : `deleted: ${quoteText(path)}`))
  // After the removal nothing can be read any more.
  const bytes = new Map(edits.map((path) => [path, content.read(path)]))
  const leftover = { ...step, edits, read: (path: string) => bytes.get(path) }
  return { leftover, results: edits.length === 0 ? [] : discardResult(place, named, unexplained, renderContext.options) }
}

function discardResult(
  place: DownstreamPlace,
  named: readonly string[],
  { reason }: UnexplainedFiles,
  { discardEdits }: { readonly discardEdits: boolean },
): readonly Result[] {
  const kptfile = place.kptfile()
  if (kptfile === undefined) return []
  const path = ['metadata', 'annotations', DELETION_ANNOTATION]
  const folder = quoteText(place.folder)
  const why =
    reason === undefined
      ? ''
      : `; all of it counts, since the upstream that it was made of cannot be read: ${reason.replace(MUST_NAME, '')}`
  const files = `${nameFirst(named, NAMED)}${why}`
  if (discardEdits)
    return [
      faultToResult(kptfile, {
        severity: 'warning',
        rule: 'edits-discarded',
        path,
        message: `is 'delete', and ${folder} is removed with what people made or changed in it: ${files}`,
      }),
    ]
  const message = `must be 'orphan' (deletionPolicy orphan) to leave ${folder} to itself, or \`discardEdits\` (--discard-edits) true to remove it with what people made or changed in it: ${files}`
  return [faultToResult(kptfile, { severity: 'error', rule: 'discard-edits', path, message })]
}
