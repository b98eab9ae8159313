import type { JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { DIALECTS } from '../versions/dialects.ts'
import { parseInt64 } from '../versions/go-text.ts'
import type { Version } from '../versions/version.ts'

/**
 * Returns the number of a revision of a PackageRevision or an upstream: 3 for 3, `3` and `v3` (Porch pkg/repository, Revision2Int).
 * Returns undefined for any other text, which can only be a workspaceName.
 */
export function revisionNumber(revision: JsonValue | undefined): number | undefined {
  if (typeof revision === 'number') return revision
  if (typeof revision !== 'string') return undefined
  const number = Number(parseInt64(revision.replace(/^v/, '')))
  return Number.isSafeInteger(number) ? number : undefined
}

/**
 * Returns the version that the name of a revision stands for: 3.0.0 for `v3`, Porch's third revision, and 1.2.0 for `v1.2.0`. Returns
 * undefined for a name without an order, such as `main`.
 */
export function revisionVersion(name: string): Version | undefined {
  if (!/^v?[0-9]+(\.[0-9]+){0,2}([-+].+)?$/.test(name)) return undefined
  const parsed = DIALECTS.kpt.parseVersion(name)
  return parsed.ok ? parsed.value : undefined
}

/** Compares the versions of two revisions: below 0 if `a` is older. */
export function compareRevisions(a: Version, b: Version): number {
  return DIALECTS.kpt.compare(a, b)
}

/**
 * Returns the revision of a PackageRevision as written: `spec.revision` of porch.kpt.dev/v1alpha1, else `status.revision` of v1alpha2
 * (the CRD's text). Returns undefined for a draft.
 */
export function writtenRevision(packageRevision: KrmObject): JsonValue | undefined {
  return packageRevision.get(['spec', 'revision']) ?? packageRevision.get(['status', 'revision']) ?? undefined
}
