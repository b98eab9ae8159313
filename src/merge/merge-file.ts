import { isKptfile } from '../resource-list/package-of.ts'
import { mergeDocuments } from './merge-documents.ts'
import { mergeKptfile } from './merge-kptfile.ts'
import type { MergeOutcome } from './merge-outcome.ts'
import { type MergedFile, wholeOutcome } from './merged-file.ts'
import { isBytes, keptContent, objectsIn, type PackageContent } from './package-files.ts'
import { isSameContent } from './same-content.ts'
import type { ThreeWay } from './three-way.ts'

/** The three-way merge of one file. Where upstream changed nothing, nothing is looked into. */
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

/** A file as the downstream has it, if at all. */
export function untouched(path: string, content: PackageContent | undefined): MergedFile {
  return { path, content: content && keptContent(content, 'downstream'), outcomes: [], results: [] }
}

/**
 * A file that holds no resources on one side at least is one value (kpt pkg/lib/update/resource-merge.go ReplaceNonKRMFiles): upstream's where
 * the downstream left it alone, else the downstream's. What the downstream deleted comes back, as in kpt.
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
