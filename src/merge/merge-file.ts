import { withJsonKept } from '../folder/json-file.ts'
import { isKptfile } from '../resource-list/package-of.ts'
import { ifReadable, jsonResource } from './json-resource.ts'
import { mergeDocuments } from './merge-documents.ts'
import { mergeKptfile } from './merge-kptfile.ts'
import { type MergedFile, type MergeOutcome, wholeOutcome } from './merged-package.ts'
import { isBytes, keptContent, objectsIn, type PackageContent, type PackageFiles, type ThreeWay } from './package-files.ts'
import { isSameContent } from './same-content.ts'

/**
 * Merges the three sides of one file. If upstream did not change the file, it is not read further.
 *
 * @param upstream  as in a MergeRequest
 */
export function mergeFile(path: string, sides: ThreeWay<PackageContent>, upstream?: PackageFiles): MergedFile {
  const { base, theirs, ours } = sides
  if (isBytes(base) || isBytes(theirs) || isBytes(ours)) return mergeWholeFile(path, sides)
  if (isSameContent(base, theirs)) return untouched(path, ours)
  const objects = { base: objectsIn(base), theirs: objectsIn(theirs), ours: objectsIn(ours) }
  const kptfiles = { base: objects.base[0], theirs: objects.theirs[0], ours: objects.ours[0] }
  if (isKptfile(path) && kptfiles.ours !== undefined) return mergeKptfile(path, { ...kptfiles, ours: kptfiles.ours }, upstream)
  return mergeDocuments(path, objects, upstream)
}

/** Returns a file as the downstream has it; no content if the downstream lacks the file. */
export function untouched(path: string, content: PackageContent | undefined): MergedFile {
  return { path, content: content && keptContent(content, 'ours'), outcomes: [], results: [] }
}

/**
 * Merges a file that holds no resources on at least one side as one value (kpt pkg/lib/update/resource-merge.go ReplaceNonKRMFiles):
 * upstream's if the downstream did not change it, else the downstream's. Of a resource in JSON the changes of both sides are kept. A file
 * that the downstream deleted is restored, as in kpt.
 */
function mergeWholeFile(path: string, sides: ThreeWay<PackageContent>): MergedFile {
  const { base, theirs, ours } = sides
  const isUntouched = isSameContent(base, ours)
  if (isSameContent(theirs, ours) || (!isUntouched && ours !== undefined)) {
    const contested = !isSameContent(base, theirs) && !isSameContent(theirs, ours)
    const content = contested ? mergeJson(path, sides) : undefined
    if (content !== undefined) return { path, content, outcomes: [fileOutcome('taken', path, sides)], results: [] }
    return {
      path,
      content: ours && keptContent(ours, 'ours'),
      outcomes: contested ? [fileOutcome('kept', path, sides)] : [],
      results: [],
    }
  }
  const outcomes = [fileOutcome(isUntouched ? 'taken' : 'lost', path, sides)]
  return { path, content: theirs && keptContent(theirs, 'theirs'), outcomes, results: [] }
}

function fileOutcome(result: MergeOutcome['result'], path: string, { theirs, ours }: ThreeWay<PackageContent>): MergeOutcome {
  const side = (content: PackageContent | undefined) => ({ object: undefined, exists: content !== undefined })
  return wholeOutcome({ result, contested: result !== 'taken', path }, side(ours), side(theirs))
}

/**
 * Returns a file of one resource in JSON with the changes of both sides, as JSON; undefined if the file is something else, or if both sides
 * changed a field in different ways: then the file is merged as a whole. kpt merges such files as a whole always.
 */
function mergeJson(path: string, { base, theirs, ours }: ThreeWay<PackageContent>): Uint8Array | undefined {
  if (!path.endsWith('.json')) return undefined
  return ifReadable(() => {
    const sides = { base: jsonResource(path, base), theirs: jsonResource(path, theirs), ours: jsonResource(path, ours) }
    if (Object.values(sides).some((side) => side.length === 0)) return undefined
    const { content, outcomes, results } = mergeDocuments(path, sides)
    if (content === undefined || isBytes(content) || results.length > 0 || outcomes.some(({ contested }) => contested)) return undefined
    const [merged, ...others] = content
    if (merged === undefined || others.length > 0) return undefined
    const text = merged.object.toText()
    return Buffer.from(withJsonKept({ path, before: undefined }, [text], text))
  })
}
