import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differ, differByField } from '../difference.ts'
import { lostLines } from '../mutations/kept-lines.ts'
import { faultOf, ownMarks, type RenderAnswer, renderTwice, type Texts, textsOf } from '../render-folder.ts'
import { isResourceFile, mergeCommentOf, resourcesIn, type WrittenResource } from '../written-resource.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { type CloneVector, readClone, readClones } from './vector.ts'

/**
 * Clones that kpt and Porch made of the same packages, beside those that `krm-variants render` makes: files by their resources, the
 * comments by which updates go, and the other files by their bytes. No line of upstream that need not change may be lost, and a second run
 * must change nothing.
 */
export const PORCH_CLONE: Adapter = {
  folder: 'porch/clone',
  cases: readClones,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readClone(vector)),
}

async function compare({ order, upstream, expected }: CloneVector): Promise<readonly Difference[]> {
  const [first, second] = await renderTwice(order)
  const { error } = expected
  const fault = faultOf(first)
  if (fault !== undefined || error !== undefined)
    return fault !== undefined && error !== undefined ? [] : [{ what: 'fault', expected: error, actual: fault }]
  const files = textsOf(first)
  return [...compareFiles(files, expected), ...lostComments(files, upstream), ...compareSecond(first, second)]
}

function compareFiles(files: Texts, expected: Texts): readonly Difference[] {
  const paths = [...new Set([...Object.keys(files), ...Object.keys(expected)])].sort()
  return paths.flatMap((path) => {
    const [ours, theirs] = [meaningOf(path, files[path]), meaningOf(path, expected[path])]
    return Array.isArray(ours) && Array.isArray(theirs) ? differByField(path, ours, theirs) : differ(path, ours, theirs)
  })
}

/** The meaning of a file: of resources their values, and the comments by which updates go; of all else the text. */
function meaningOf(path: string, text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  const resources = isResourceFile(path) ? resourcesIn(path, text) : undefined
  return resources?.map(meaningOfResource) ?? text
}

function meaningOfResource(resource: WrittenResource): JsonRecord {
  const comment = mergeCommentOf(resource)
  const value = resource.kind === 'Kptfile' ? withoutEmptyLists(ownMarks(resource.value).left) : resource.value
  return { value, ...(comment !== undefined && { comment }) }
}

/** kpt writes its own type of a Kptfile, which has no place for them. */
function withoutEmptyLists(record: JsonRecord): JsonRecord {
  const entries = Object.entries(record).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
  return Object.fromEntries(entries.map(([key, value]) => [key, isRecord(value) ? withoutEmptyLists(value) : value]))
}

/** Lines and comments of upstream that did not have to go. */
function lostComments(files: Texts, upstream: Texts): readonly Difference[] {
  return Object.entries(files).flatMap(([path, text]) => {
    const after = resourcesIn(path, text) ?? []
    const before = resourcesIn(path, upstream[path] ?? '') ?? []
    if (!isResourceFile(path) || after.length !== before.length) return []
    return before.flatMap((resource, index) =>
      lostLines(withoutMark(resource), withoutMark(after[index])).map((line) => ({ what: `${path}: line`, expected: line })),
    )
  })
}

/** A line that got a merge comment is still the line it was. */
function withoutMark(resource: WrittenResource | undefined): string {
  return (resource?.text ?? '').replace(/^(metadata:)(?:[ \t]+# kpt-merge: .*?)?[ \t]*(\r?)$/m, '$1$2')
}

function compareSecond(first: RenderAnswer, second: RenderAnswer): readonly Difference[] {
  return differ('a second run', { ...textsOf(second) }, { ...textsOf(first) })
}
