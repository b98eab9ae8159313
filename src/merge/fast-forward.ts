import type { Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'
import { isCloneFile, localChanges } from './local-changes.ts'
import type { MergedPackage, MergeRequest } from './merged-package.ts'
import { keptContent } from './package-files.ts'
import { replacePackage } from './replace-package.ts'

/**
 * Upstream's files, provided that the downstream changed none (kpt pkg/lib/update/fastforward.go). What a clone writes by itself is no
 * change: in kpt, a clone for deployment can never be fast-forwarded, because of its package context.
 */
export function fastForward(request: MergeRequest): MergedPackage {
  const changed = localChanges(request.original, request.downstream)
  if (changed.length > 0) return { files: new Map(), outcomes: [], results: [refusal(changed)] }
  const merged = replacePackage(request)
  const files = new Map(merged.files)
  for (const [path, content] of request.downstream) {
    if (isCloneFile(path, content) && !files.has(path)) files.set(path, keptContent(content, 'downstream'))
  }
  return { ...merged, files }
}

function refusal(paths: readonly string[]): Result {
  return {
    severity: 'error',
    message: `\`strategy\` must not be 'fast-forward' for a package that was changed since it was cloned, found changes in ${quoteNames(paths)}`,
    tags: { rule: 'local-changes' },
  }
}
