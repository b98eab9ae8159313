import { KPTFILE } from '../resource-list/package-of.ts'
import type { MergedPackage, MergeRequest } from './merged-package.ts'
import { keptContent, type MergedContent } from './package-files.ts'

/**
 * Everything as upstream has it, but for the Kptfile of the package itself (kpt pkg/lib/update/replace.go). Every other change of the
 * downstream is gone, with the files that only it has.
 */
export function replacePackage({ upstream, downstream }: MergeRequest): MergedPackage {
  const files = new Map<string, MergedContent>()
  for (const [path, content] of upstream) files.set(path, keptContent(content, 'upstream'))
  const kptfile = downstream.get(KPTFILE)
  if (kptfile !== undefined) files.set(KPTFILE, keptContent(kptfile, 'downstream'))
  return { files, outcomes: [], results: [] }
}
