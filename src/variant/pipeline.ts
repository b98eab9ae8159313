import type { FieldPath } from '../field-path.ts'
import { isRecord } from '../json.ts'
import { checkKptfileLists, kptfileEntries, PIPELINE_LISTS, type PipelineStage } from '../kinds/kptfile.ts'
import type { PackageVariant } from '../kinds/package-variant.ts'
import type { PipelineFunction } from '../kinds/pipeline-schema.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { lostComments } from '../resource-list/lost-comments.ts'
import { FunctionError, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { commentLost } from '../schema/document-faults.ts'
import { faultToResult } from '../schema/fault.ts'
import { type Owners, ownedMoves, prependOwned } from './owned-functions.ts'
import { configFiles, functionFaults, ownedFunction } from './pipeline-function.ts'
import { stateOf } from './state.ts'
import type { VariantPackage } from './variant-package.ts'

/** The functions to prepend, by stage, with the place in which the user wrote the functions. */
export interface PipelineChange extends Owners {
  readonly functions: Readonly<Record<PipelineStage, readonly PipelineFunction[]>>
  /** The object with the functions, and the path of the map with `mutators` and `validators` in the object. */
  readonly source: { readonly object: KrmObject; readonly path: FieldPath }
}

const STAGES: readonly PipelineStage[] = ['mutators', 'validators']

/** Returns the change of `spec.pipeline` of a variant. */
export function pipelineChangeOf({ name, pipeline, object }: PackageVariant, others: readonly string[]): PipelineChange {
  return { owner: name, others, functions: pipeline, source: { object, path: ['spec', 'pipeline'] } }
}

/**
 * Prepends a variant's functions to the pipeline of a package's Kptfile (seed 000, Kptfile Function Pipeline Editing). Removes lists and
 * a pipeline that end up empty (docs/porch.md 32).
 *
 * @returns an info with the reached state, and a warning about each comment of people that is lost with a function of the variant
 * @throws FunctionError  with every function that kpt would refuse; for a Kptfile whose pipeline has another shape
 */
export function changePipeline(pkg: VariantPackage, change: PipelineChange): readonly Result[] {
  refuseFaults(pkg, change)
  checkKptfileLists(pkg.kptfile, Object.values(PIPELINE_LISTS))
  const ours = pkg.kptfile.draft()
  for (const stage of STAGES) writeStage(pkg.kptfile, stage, change)
  dropEmptyPipeline(pkg.kptfile)
  // A variant writes no comments, so each comment is one of people.
  const lost = lostComments(pkg.kptfile, { base: undefined, ours })
  return [reached(pkg.kptfile, change), ...lost.map((comment) => commentLost(ours, comment))]
}

function reached(kptfile: KrmObject, { functions, owner }: PipelineChange): Result {
  const counts = STAGES.flatMap((stage) => {
    const all = kptfileEntries(kptfile, PIPELINE_LISTS[stage]).length
    return all === 0 ? [] : [`${functions[stage].length} of ${all} ${stage}`]
  })
  const own = counts.length === 0 ? 'no function of the pipeline comes' : `${counts.join(' and ')} of the pipeline come`
  return stateOf(kptfile, 'prepend-pipeline', `${own} from PackageVariant ${quoteText(owner)}`)
}

function refuseFaults(pkg: VariantPackage, { functions, source }: PipelineChange): void {
  const files = configFiles(() => pkg.files())
  const faults = STAGES.flatMap((stage) =>
    functions[stage].flatMap((fn, position) => functionFaults(fn, [...source.path, stage, position], files)),
  )
  if (faults.length > 0) throw new FunctionError(faults.map((fault) => faultToResult(source.object, fault)))
}

function writeStage(kptfile: KrmObject, stage: PipelineStage, change: PipelineChange): void {
  const list = PIPELINE_LISTS[stage]
  const existing = kptfileEntries(kptfile, list)
  const wanted = change.functions[stage].map((fn, position) => ownedFunction(fn, change.owner, position))
  const after = prependOwned(existing, wanted, change)
  if (after.length === 0) {
    if (existing.length > 0) kptfile.delete(list.path)
    else dropEmpty(kptfile, list.path)
    return
  }
  const { dropped, moves } = ownedMoves(existing, wanted, change)
  for (const position of [...dropped].reverse()) kptfile.delete([...list.path, position])
  for (const { from, to } of moves) kptfile.move(list.path, from, to)
  kptfile.set(list.path, after)
}

function dropEmptyPipeline(kptfile: KrmObject): void {
  const pipeline = kptfile.get(['pipeline'])
  if (pipeline === null || (isRecord(pipeline) && Object.keys(pipeline).length === 0)) dropEmpty(kptfile, ['pipeline'])
}

/**
 * Removes an empty list or map unless the removal would lose a comment: people wrote the comment, and kpt reads an empty value as a
 * missing one. `pipeline: {} # filled by the region` is kept.
 */
function dropEmpty(kptfile: KrmObject, path: FieldPath): void {
  const hasComments = kptfile.get(path) !== undefined && kptfile.toText().includes('#')
  const without = hasComments ? kptfile.draft() : kptfile
  without.delete(path)
  if (hasComments && countComments(without) === countComments(kptfile)) kptfile.takeText(without.toText())
}

function countComments(object: KrmObject): number {
  return object.toText().match(/(?:^|\s)#/gm)?.length ?? 0
}
