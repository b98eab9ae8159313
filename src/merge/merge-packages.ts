import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import { hasErrors, type Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'
import { isContextFile, localChanges } from './local-changes.ts'
import { mergeFile } from './merge-file.ts'
import type { MergedPackage, MergeRequest, MergeStrategy } from './merged-package.ts'
import { keptContent, type MergedContent, type PackageFiles } from './package-files.ts'
import { withoutRendering } from './rendering.ts'
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

/**
 * Upstream's files, provided that the downstream changed none (kpt pkg/lib/update/fastforward.go). What a clone writes by itself is no change, and
 * stays: in kpt, a clone for deployment can never be fast-forwarded, because of its package context.
 */
function fastForward(request: MergeRequest): MergedPackage {
  const { original, upstream, downstream } = request
  const changed = localChanges(original, downstream)
  if (changed.length > 0) return { files: new Map(), outcomes: [], results: [refusal(changed)] }
  const contexts = [...downstream.keys()].filter(isContextFile)
  const others = (files: PackageFiles) => new Map([...files].filter(([path]) => !contexts.includes(path)))
  const replaced = replacePackage({ ...request, original: others(original), upstream: others(upstream), downstream: others(downstream) })
  const files = new Map(replaced.files)
  const kptfile = files.get(KPTFILE)
  if (kptfile !== undefined) files.set(KPTFILE, withoutRendering(kptfile))
  for (const path of contexts) {
    const sides = { original: original.get(path), upstream: upstream.get(path), downstream: downstream.get(path) }
    const { content } = mergeFile(path, sides)
    if (content !== undefined && files.has(besideKptfile(path))) files.set(path, content)
  }
  return { ...replaced, files }
}

/** The Kptfile of the folder in which a file stands. */
function besideKptfile(path: string): string {
  const folder = folderOf(path)
  return folder === '' ? KPTFILE : `${folder}/${KPTFILE}`
}

function refusal(paths: readonly string[]): Result {
  return {
    severity: 'error',
    message: `\`strategy\` must not be 'fast-forward' for a package that was changed since it was cloned, found changes in ${quoteNames(paths)}`,
    tags: { rule: 'local-changes' },
  }
}
