import { isKptfile } from '../resource-list/package-of.ts'
import { mergeDocuments } from './merge-documents.ts'
import { mergeKptfile } from './merge-kptfile.ts'
import type { MergeOutcome } from './merge-outcome.ts'
import { type MergedFile, wholeOutcome } from './merged-file.ts'
import { isBytes, keptContent, objectsIn, type PackageContent } from './package-files.ts'
import { isSameContent } from './same-content.ts'
import type { ThreeWay } from './three-way.ts'

/** Merges the three sides of one file. If upstream did not change the file, it is not read further. */
export function mergeFile(path: string, sides: ThreeWay<PackageContent>): MergedFile {
  const { original, upstream, downstream } = sides
  if (isBytes(original) || isBytes(upstream) || isBytes(downstream)) return mergeWholeFile(path, sides)
  if (isSameContent(original, upstream)) return untouched(path, downstream)
  const objects = { original: objectsIn(original), upstream: objectsIn(upstream), downstream: objectsIn(downstream) }
  const kptfiles = { original: objects.original[0], upstream: objects.upstream[0], downstream: objects.downstream[0] }
  return isKptfile(path) && kptfiles.downstream !== undefined
    ? mergeKptfile(path, kptfiles, kptfiles.downstream)
    : mergeDocuments(path, objects)
}

/** Returns a file as the downstream has it; no content if the downstream lacks the file. */
export function untouched(path: string, content: PackageContent | undefined): MergedFile {
  return { path, content: content && keptContent(content, 'downstream'), outcomes: [], results: [] }
}

/**
 * Merges a file that holds no resources on at least one side as one value (kpt pkg/lib/update/resource-merge.go ReplaceNonKRMFiles):
 * upstream's if the downstream did not change it, else the downstream's. A file that the downstream deleted is restored, as in kpt.
 */
function mergeWholeFile(path: string, sides: ThreeWay<PackageContent>): MergedFile {
  const { original, upstream, downstream } = sides
  const isUntouched = isSameContent(original, downstream)
  if (isSameContent(upstream, downstream) || (!isUntouched && downstream !== undefined)) {
    const contested = !isSameContent(original, upstream) && !isSameContent(upstream, downstream)
    return {
      path,
      content: downstream && keptContent(downstream, 'downstream'),
      outcomes: contested ? [told('kept', path, sides)] : [],
      results: [],
    }
  }
  if (upstream === undefined && downstream === undefined) return { path, content: undefined, outcomes: [], results: [] }
  const outcomes = isSameContent(original, upstream) && isUntouched ? [] : [told(isUntouched ? 'taken' : 'lost', path, sides)]
  return { path, content: upstream && keptContent(upstream, 'upstream'), outcomes, results: [] }
}

function told(result: MergeOutcome['result'], path: string, { upstream, downstream }: ThreeWay<PackageContent>): MergeOutcome {
  const side = (content: PackageContent | undefined) => ({ object: undefined, exists: content !== undefined })
  return wholeOutcome({ result, contested: result !== 'taken', path }, side(downstream), side(upstream))
}
