import type { PackageVariantSet, Upstream } from '../kinds/package-variant-set.ts'
import { revisionNumber, writtenRevision } from '../kinds/revision.ts'
import type { Result } from '../result.ts'
import { type FleetObject, packageKey, type SetSurroundings } from './fleet.ts'
import { type AskedRevisionName, upstreamNotFound } from './upstream-not-found.ts'

/** The PackageRevision that a set derives from, or why there is none. Neither: it cannot be looked up, and need not be. */
export interface SetUpstreamLookup {
  readonly revision?: FleetObject
  readonly faults: readonly Result[]
}

/**
 * Finds the upstream PackageRevision in the set's namespace: by revision if one is given, else by workspaceName.
 *
 * Porch takes the first that has either, so a workspaceName finds any draft; this finds what was asked for (docs/porch.md 5).
 * A list without any PackageRevision has nothing to look up, unless lookups are required.
 */
export function findUpstream(set: PackageVariantSet, { fleet, namespace, lookups }: SetSurroundings): SetUpstreamLookup {
  const revisions = fleet.revisions()
  if (revisions.size === 0 && lookups === 'optional') return { faults: [] }
  const candidates = revisions.get(packageKey(namespace, set.upstream.repo, set.upstream.package)) ?? []
  const asked = askedFor(set.upstream)
  const revision = candidates.find((candidate) => isAskedFor(candidate, asked))
  if (revision !== undefined) return { revision, faults: [] }
  const packages = [...revisions.values()].map(([first]) => first)
  return { faults: [upstreamNotFound({ set, namespace, asked, candidates, packages })] }
}

/** `3` and `v3` are revision 3, any other text a workspaceName (docs/porch.md 3). */
function askedFor({ revision, workspaceName }: Upstream): AskedRevisionName {
  const number = revisionNumber(revision)
  if (number !== undefined && number !== 0) return { revision: number }
  return { workspaceName: typeof revision === 'string' ? revision : (workspaceName ?? '') }
}

function isAskedFor({ object }: FleetObject, asked: AskedRevisionName): boolean {
  if ('revision' in asked) return revisionNumber(writtenRevision(object)) === asked.revision
  return object.get(['spec', 'workspaceName']) === asked.workspaceName
}
