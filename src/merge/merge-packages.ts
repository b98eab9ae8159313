import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import { hasErrors, type Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'
import { editedFiles, isContextFile } from './edited-files.ts'
import { mergeFile } from './merge-file.ts'
import type { MergedPackage, MergeRequest, MergeStrategy } from './merged-package.ts'
import { keptContent, type MergedContent, type PackageFiles } from './package-files.ts'
import { withoutRendering } from './rendering.ts'
import { copyMerge, replacePackage } from './replace-package.ts'
import { resourceMerge } from './resource-merge.ts'

/**
 * Merges a new upstream revision into a downstream package, as `kpt pkg update` does. The given packages are not changed: a changed
 * object is a draft. The marks of a clone (merge comments, `upstream`, `upstreamLock`, the Kptfile's name) are left to the caller. An
 * existing merge comment identifies its resource, as in kpt.
 *
 * Faults of the user are errors in the results: a type change, an alias, two resources of one identity, a local change that forbids
 * fast-forward.
 */
export function mergePackages(request: MergeRequest): MergedPackage {
  const merged = STRATEGIES[request.strategy](request)
  if (!hasErrors(merged.results)) return merged
  return { files: untouched(request.ours), outcomes: [], results: merged.results.filter(({ severity }) => severity === 'error') }
}

const STRATEGIES: Readonly<Record<MergeStrategy, (request: MergeRequest) => MergedPackage>> = {
  'resource-merge': resourceMerge,
  'fast-forward': fastForward,
  'force-delete-replace': replacePackage,
  'copy-merge': copyMerge,
}

function untouched(ours: PackageFiles): ReadonlyMap<string, MergedContent> {
  return new Map([...ours].map(([path, content]) => [path, keptContent(content, 'ours')]))
}

/**
 * Returns upstream's files if the downstream changed none (kpt pkg/lib/update/fastforward.go). Content that a clone writes is no
 * change, and stays: in kpt, a clone for deployment can never be fast-forwarded, because of its package context.
 */
function fastForward(request: MergeRequest): MergedPackage {
  const { base, theirs, ours } = request
  const changed = editedFiles(base, ours)
  if (changed.length > 0) return { files: new Map(), outcomes: [], results: [refusal(changed)] }
  const contexts = [...ours.keys()].filter(isContextFile)
  const others = (files: PackageFiles) => new Map([...files].filter(([path]) => !contexts.includes(path)))
  const replaced = replacePackage({ ...request, base: others(base), theirs: others(theirs), ours: others(ours) })
  const files = new Map(replaced.files)
  const kptfile = files.get(KPTFILE)
  if (kptfile !== undefined) files.set(KPTFILE, withoutRendering(kptfile))
  for (const path of contexts) {
    const sides = { base: base.get(path), theirs: theirs.get(path), ours: ours.get(path) }
    const { content } = mergeFile(path, sides)
    if (content !== undefined && files.has(besideKptfile(path))) files.set(path, content)
  }
  return { ...replaced, files }
}

/** Returns the path of the Kptfile in the folder of a file. */
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
