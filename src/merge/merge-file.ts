import { isKptfile } from '../resource-list/package-of.ts'
import { mergeDocuments } from './merge-documents.ts'
import { mergeKptfile } from './merge-kptfile.ts'
import { mergeWholeFile } from './merge-whole-file.ts'
import type { MergedFile } from './merged-file.ts'
import { isBytes, keptContent, objectsIn, type PackageContent } from './package-files.ts'
import { isSameContent } from './same-content.ts'
import type { Sides } from './sides.ts'

/** The three-way merge of one file. Where upstream changed nothing, nothing is looked into. */
export function mergeFile(path: string, sides: Sides<PackageContent>): MergedFile {
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
