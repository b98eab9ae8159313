import { type MergedFile, wholeOutcome } from './merged-file.ts'
import type { Outcome } from './outcome.ts'
import { keptContent, type PackageContent } from './package-files.ts'
import { isSameContent } from './same-content.ts'
import type { Sides } from './sides.ts'

/**
 * A file that holds no resources on one side at least is one value (kpt pkg/lib/update/resource-merge.go ReplaceNonKRMFiles): upstream's where
 * the downstream left it alone, else the downstream's. What the downstream deleted comes back, as in kpt.
 */
export function mergeWholeFile(path: string, sides: Sides<PackageContent>): MergedFile {
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

function told(result: Outcome['result'], path: string, { upstream, downstream }: Sides<PackageContent>): Outcome {
  const side = (content: PackageContent | undefined) => ({ object: undefined, exists: content !== undefined })
  return wholeOutcome({ result, contested: result !== 'taken', path }, side(downstream), side(upstream))
}
