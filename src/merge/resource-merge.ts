import { compareText } from '../field-path.ts'
import { mergeDocuments } from './merge-documents.ts'
import { mergeKptfile } from './merge-kptfile.ts'
import { outcomeResults } from './merge-results.ts'
import { mergeWholeFile } from './merge-whole-file.ts'
import type { MergedFile } from './merged-file.ts'
import type { MergedPackage, MergeRequest } from './merged-package.ts'
import { isBytes, isKptfile, keptContent, objectsIn, type PackageContent } from './package-files.ts'
import { isSameContent } from './same-content.ts'
import type { Sides } from './sides.ts'
import { fateAbove, type SubpackageFate, subpackageFates } from './subpackages.ts'

/** The strategy that keeps the edits of both sides, field by field (kpt pkg/lib/update/resource-merge.go). */
export function resourceMerge(request: MergeRequest): MergedPackage {
  const { original, upstream, downstream } = request
  const fates = subpackageFates(request)
  const paths = [...new Set([...downstream.keys(), ...original.keys(), ...upstream.keys()])].sort(compareText)
  const merged = paths.map((path) => {
    const sides = { original: original.get(path), upstream: upstream.get(path), downstream: downstream.get(path) }
    return settled(path, sides, fateAbove(fates, path)) ?? mergeFile(path, sides)
  })
  const told = [...fates.values(), ...merged]
  const outcomes = told.flatMap((each) => each.outcomes)
  return {
    files: new Map(merged.flatMap(({ path, content }) => (content === undefined ? [] : [[path, content] as const]))),
    outcomes,
    results: [...told.flatMap((each) => each.results), ...outcomeResults(outcomes)],
  }
}

/** A file below a subpackage that is not merged. */
function settled(path: string, { downstream }: Sides<PackageContent>, fate: SubpackageFate | undefined): MergedFile | undefined {
  if (fate === undefined || fate.fate === 'merged') return undefined
  return fate.fate === 'left' ? untouched(path, downstream) : untouched(path, undefined)
}

function untouched(path: string, content: PackageContent | undefined): MergedFile {
  return { path, content: content && keptContent(content, 'downstream'), outcomes: [], results: [] }
}

function mergeFile(path: string, sides: Sides<PackageContent>): MergedFile {
  const { original, upstream, downstream } = sides
  if (isBytes(original) || isBytes(upstream) || isBytes(downstream)) return mergeWholeFile(path, sides)
  if (isSameContent(original, upstream)) return untouched(path, downstream)
  const objects = { original: objectsIn(original), upstream: objectsIn(upstream), downstream: objectsIn(downstream) }
  const kptfiles = { original: objects.original[0], upstream: objects.upstream[0], downstream: objects.downstream[0] }
  return isKptfile(path) && kptfiles.downstream !== undefined
    ? mergeKptfile(path, kptfiles, kptfiles.downstream)
    : mergeDocuments(path, objects)
}
