import { compareText } from '../field-path.ts'
import { mergeFile, untouched } from './merge-file.ts'
import { outcomeResults } from './merge-results.ts'
import type { MergedFile } from './merged-file.ts'
import type { MergedPackage, MergeRequest } from './merged-package.ts'
import type { PackageContent } from './package-files.ts'
import { fateAbove, type SubpackageFate, subpackageFates } from './subpackages.ts'
import type { ThreeWay } from './three-way.ts'

/** Merges the edits of both sides, field by field (kpt pkg/lib/update/resource-merge.go). */
export function resourceMerge(request: MergeRequest): MergedPackage {
  const { base, theirs, ours } = request
  const fates = subpackageFates(request)
  const paths = [...new Set([...ours.keys(), ...base.keys(), ...theirs.keys()])].sort(compareText)
  const merged = paths.map((path) => {
    const sides = { base: base.get(path), theirs: theirs.get(path), ours: ours.get(path) }
    return settled(path, sides, fateAbove(fates, path)) ?? mergeFile(path, sides)
  })
  const told = [...fates.values(), ...merged]
  const outcomes = told.flatMap((each) => each.outcomes)
  return {
    files: new Map(merged.flatMap(({ path, content }) => (content === undefined ? [] : [[path, content] as const]))),
    outcomes,
    results: [...told.flatMap((each) => each.results), ...outcomeResults(outcomes, request)],
  }
}

/** Returns a file below a subpackage whose files are not merged; undefined for any other file. */
function settled(path: string, { ours }: ThreeWay<PackageContent>, fate: SubpackageFate | undefined): MergedFile | undefined {
  if (fate === undefined || fate.fate === 'merged') return undefined
  return fate.fate === 'left' ? untouched(path, ours) : untouched(path, undefined)
}
