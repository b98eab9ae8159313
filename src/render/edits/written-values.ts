import { attempt } from '../../attempt.ts'
import type { FieldPath } from '../../field-path.ts'
import { resourcesOfBytes } from '../../folder/read-whole-package.ts'
import { groupBy } from '../../group-by.ts'
import { equalJson, type JsonValue, lookup, recordsOf, scalarText } from '../../json.ts'
import { PIPELINE_LISTS } from '../../kinds/kptfile.ts'
import type { MergeOutcome } from '../../merge/merged-package.ts'
import { isBytes } from '../../merge/package-files.ts'
import type { Calls } from '../../pipeline/calls.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, isKptfile, joinPath } from '../../resource-list/package-of.ts'
import { FunctionError, type Result } from '../../result.ts'
import { configFile } from '../../variant/pipeline-function.ts'
import { type FunctionRun, objectAt, type RenderedFiles } from '../clone/rendered-package.ts'

/** An updated package whose functions ran. */
export interface RanUpdate {
  readonly files: RenderedFiles
  readonly results: readonly Result[]
  readonly outcomes: readonly MergeOutcome[]
  readonly run: FunctionRun
  /** Runs the functions on other files of the package, for comparison. */
  again(files: RenderedFiles): Calls<FunctionRun>
}

/** A value of a field, at the position of its object in a file. */
export interface FieldValue {
  readonly path: string
  readonly index: number
  readonly field: FieldPath
  /** Undefined for a missing field. */
  readonly value: JsonValue | undefined
}

/** A lost edit of a field, at the object that has the field in the updated package. */
export interface LostEdit extends FieldValue {
  readonly result: Result
}

/** The findings of an update, and the lost edits that are left out of them. */
interface SettledFindings {
  readonly results: readonly Result[]
  /** Edits that upstream's change replaced, of fields that the functions write anyway. */
  readonly written: readonly LostEdit[]
}

/**
 * Returns the findings of an update without lost edits that upstream's change did not cause: the functions put the value back, or the
 * functions write the field, whatever people wrote into it. For the second, the functions run once more on the package with the edits.
 *
 * @example  People set `spec.replicas: 5` in a field that apply-setters fills; the functions write 3 over 5, so upstream replaced no edit.
 */
export function* withoutWrittenValues(update: RanUpdate): Calls<SettledFindings> {
  const lost = lostEdits(update).filter((edit) => !hasFieldValue(edit, update.files, update.run))
  const kept = update.results.filter(
    (result) => result.tags.rule !== 'edit-lost' || isWhole(result) || lost.some((edit) => edit.result === result),
  )
  const configs = configFiles(update.files)
  const asked = lost.filter(({ path }) => !configs.has(path))
  const edited = withEdits(update.files, asked)
  if (edited === undefined) return { results: kept, written: [] }
  const run = yield* update.again(edited)
  if (run.outcome !== 'done') return { results: kept, written: [] }
  const written = asked.filter((edit) => !hasFieldValue(edit, edited, run))
  return { results: kept.filter((result) => !written.some((edit) => edit.result === result)), written }
}

function isWhole({ field }: Result): boolean {
  return (field?.path ?? []).length === 0
}

/** Returns the lost edits of fields. An edit of an object that the package does not have any more is left out. */
function lostEdits({ files, results, outcomes }: RanUpdate): readonly LostEdit[] {
  return results.flatMap((result): LostEdit[] => {
    if (result.tags.rule !== 'edit-lost' || isWhole(result)) return []
    const outcome = outcomes.find(({ result: end, ours }) => end === 'lost' && ours.field === result.field?.path)
    const content = outcome && files.get(outcome.path)
    if (outcome === undefined || content === undefined || isBytes(content))
      return [{ result, path: '', index: -1, field: [], value: undefined }]
    const index = content.findIndex(({ source }) => source === outcome.ours.object)
    return [{ result, path: outcome.path, index, field: outcome.ours.field, value: outcome.ours.value }]
  })
}

/** Returns true if the field has the value after the functions ran. */
export function hasFieldValue({ path, index, field, value }: FieldValue, files: RenderedFiles, run: FunctionRun): boolean {
  const object = objectAfter(path, index, files, run)
  if (object === undefined) return false
  const now = object.get(field)
  return now === undefined || value === undefined ? now === value : equalJson(now, value)
}

function objectAfter(path: string, index: number, files: RenderedFiles, { changed }: FunctionRun): KrmObject | undefined {
  const bytes = changed.get(path)
  if (bytes !== undefined) return writtenObjects(path, bytes)[index]
  return changed.has(path) ? undefined : objectAt(files, path, index)
}

/** The objects of files that functions wrote: each of many fields of one file is looked up. */
const read = new WeakMap<Uint8Array, readonly KrmObject[]>()

/** Returns the objects of a file that functions wrote; none for a file that holds no resources. */
export function writtenObjects(path: string, bytes: Uint8Array): readonly KrmObject[] {
  return remember(read, bytes, () => resourcesOfBytes(path, bytes))
}

/** Returns the package with other values; undefined if none can be made. */
export function withEdits(files: RenderedFiles, edits: readonly FieldValue[]): RenderedFiles | undefined {
  const edited = new Map(files)
  for (const [path, own] of groupBy(edits, (edit) => edit.path)) {
    const content = edited.get(path)
    if (content === undefined || isBytes(content)) continue
    const byObject = groupBy(own, ({ index }) => index)
    const withOwn = (object: KrmObject, at: number): KrmObject =>
      (byObject.get(at) ?? []).reduce((draft, { field, value }) => withValue(draft, field, value), object)
    edited.set(
      path,
      content.map((one, at) => (byObject.has(at) ? { ...one, object: withOwn(one.object, at) } : one)),
    )
  }
  return edits.some(({ index }) => index >= 0) ? edited : undefined
}

/** Returns the object with a value; the object itself if the field cannot be written, for example behind an alias. */
function withValue(object: KrmObject, field: FieldPath, value: JsonValue | undefined): KrmObject {
  const draft = object.draft()
  const write = (): KrmObject => {
    if (value === undefined) draft.delete(field)
    else draft.set(field, value)
    return draft
  }
  return attempt(write, FunctionError) ?? object
}

/** Returns the paths of the files that configure functions: Kptfiles, and what their pipelines name by `configPath`. */
function configFiles(files: RenderedFiles): ReadonlySet<string> {
  const kptfiles = [...files.keys()].filter(isKptfile)
  const named = kptfiles.flatMap((path) => {
    const kptfile = objectAt(files, path)
    const functions = Object.keys(PIPELINE_LISTS).flatMap((list) => {
      return recordsOf(kptfile?.get(['pipeline', list]))
    })
    return functions.map((fn) => joinPath(folderOf(path), configFile(scalarText(lookup(fn, 'configPath')))))
  })
  return new Set([...kptfiles, ...named])
}
