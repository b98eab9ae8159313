import type { KrmObject } from '../resource-list/krm-object.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { rootKptfileShare, subpackageKptfileShare } from './kptfile-share.ts'
import { mergeResource } from './merge-documents.ts'
import type { MergedFile } from './merged-file.ts'

/**
 * Merges the Kptfile of the package or of a subpackage. If upstream removed the Kptfile, upstream's content is removed from the
 * downstream's.
 */
export function mergeKptfile(
  path: string,
  { base, theirs }: { readonly base: KrmObject | undefined; readonly theirs: KrmObject | undefined },
  ours: KrmObject,
): MergedFile {
  const sides = { base, theirs, ours }
  const share = path === KPTFILE ? rootKptfileShare() : subpackageKptfileShare(sides)
  const { object, outcomes, results } = mergeResource(path, sides, share)
  return { path, content: object && [object], outcomes, results }
}
