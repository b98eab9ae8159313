import type { PackageVariantSet, Upstream } from '../kinds/package-variant-set.ts'
import { revisionNumber, writtenRevision } from '../kinds/revision.ts'
import type { Result } from '../result.ts'
import { type FleetObject, packageKey, type SetSurroundings } from './fleet.ts'
import { type AskedRevisionName, upstreamNotFound } from './upstream-not-found.ts'

/**
 * The PackageRevision that is the upstream of a set, or the faults of the lookup. Neither, if the lookup is optional and the list has no
 * PackageRevision.
 */
export interface SetUpstreamLookup {
  readonly revision?: FleetObject
  readonly faults: readonly Result[]
}

/**
 * Finds the upstream PackageRevision in the namespace of the set: by revision if the set has one, else by workspaceName.
 *
 * Porch uses the first PackageRevision with either, so that a workspaceName finds any draft; this function finds only the requested one
 * (docs/porch.md 5). If the list has no PackageRevision, no lookup is made unless lookups are required.
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

/** Returns the requested revision: `3` and `v3` are revision 3, any other text is a workspaceName (docs/porch.md 3). */
function askedFor({ revision, workspaceName }: Upstream): AskedRevisionName {
  const number = revisionNumber(revision)
  if (number !== undefined && number !== 0) return { revision: number }
  return { workspaceName: typeof revision === 'string' ? revision : (workspaceName ?? '') }
}

function isAskedFor({ object }: FleetObject, asked: AskedRevisionName): boolean {
  if ('revision' in asked) return revisionNumber(writtenRevision(object)) === asked.revision
  return object.get(['spec', 'workspaceName']) === asked.workspaceName
}
