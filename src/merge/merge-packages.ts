import { hasErrors } from '../result.ts'
import { fastForward } from './fast-forward.ts'
import type { MergedPackage, MergeRequest, MergeStrategy } from './merged-package.ts'
import { keptContent, type MergedContent, type PackageFiles } from './package-files.ts'
import { copyMerge, replacePackage } from './replace-package.ts'
import { resourceMerge } from './resource-merge.ts'

/**
 * Brings a downstream package up to date, as `kpt pkg update` does. It is pure: objects that change are drafts of those that were given.
 * What a clone writes (merge comments, `upstream`, `upstreamLock`, the Kptfile's name) is left to whoever calls it; a merge comment that is
 * there tells resources apart, as in kpt.
 *
 * Whatever is the user's fault (a type change, an alias, two resources of one identity, a local change that forbids to fast-forward)
 * is an error in the results.
 */
export function mergePackages(request: MergeRequest): MergedPackage {
  const merged = STRATEGIES[request.strategy](request)
  if (!hasErrors(merged.results)) return merged
  return { files: untouched(request.downstream), outcomes: [], results: merged.results.filter(({ severity }) => severity === 'error') }
}

const STRATEGIES: Readonly<Record<MergeStrategy, (request: MergeRequest) => MergedPackage>> = {
  'resource-merge': resourceMerge,
  'fast-forward': fastForward,
  'force-delete-replace': replacePackage,
  'copy-merge': copyMerge,
}

function untouched(downstream: PackageFiles): ReadonlyMap<string, MergedContent> {
  return new Map([...downstream].map(([path, content]) => [path, keptContent(content, 'downstream')]))
}
