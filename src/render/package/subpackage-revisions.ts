import { equalJson } from '../../json.ts'
import { type GitRevision, type KptfileUpstream, readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import { DEFAULT_NAMESPACE } from '../../kubernetes/kinds.ts'
import { objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { asksForUpdate } from '../../upstream/origin.ts'
import { kptfileDocumentFaults } from '../../upstream/upstream-faults.ts'
import type { UpstreamLibrary } from '../../upstream/upstream-library.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { originalMissing } from './update-findings.ts'

/** Returns true if upstream's package has a subpackage with the same upstream at the same revision. */
export function isCarried(kptfile: KrmObject, folder: string, upstream: PackageFiles): boolean {
  const [theirs] = objectsIn(upstream.get(`${folder}/${KPTFILE}`))
  return theirs !== undefined && ['upstream', 'upstreamLock'].every((field) => equalJson(theirs.get([field]), kptfile.get([field])))
}

/** The two revisions of an update: the one that a package is at, and the one that it is brought to. */
export interface Revisions {
  readonly base: UpstreamRevision
  readonly theirs: UpstreamRevision
}

/**
 * Returns the revisions of a subpackage that asks for another revision of an upstream of its own, or the errors because of which it cannot
 * get that; undefined if it asks for none.
 */
export function askedRevisions(
  kptfile: KrmObject,
  { folder, upstream, namespace = DEFAULT_NAMESPACE }: { folder: string; upstream: PackageFiles; namespace: string | undefined },
  upstreams: UpstreamLibrary,
): { readonly value: KptfileUpstream; readonly revisions: Revisions } | { readonly results: readonly Result[] } | undefined {
  if (kptfile.get(['upstream']) === undefined || isCarried(kptfile, folder, upstream)) return undefined
  const { value, faults } = readKptfileUpstream(kptfile)
  if (faults.length > 0) return { results: faults.map((fault) => faultToResult(kptfile, fault)) }
  if (!asksForUpdate(value)) return undefined
  const revisions = subpackageRevisions(kptfile, value, namespace, upstreams)
  return 'results' in revisions ? revisions : { value, revisions }
}

/** Returns both revisions of the update of a subpackage, or the errors of those that are missing. */
function subpackageRevisions(
  kptfile: KrmObject,
  { upstream, upstreamLock }: KptfileUpstream,
  namespace: string,
  upstreams: UpstreamLibrary,
): Revisions | { readonly results: readonly Result[] } {
  if (upstream === undefined || upstreamLock === undefined) return { results: [] }
  const [theirs, base] = [upstream, upstreamLock].map((written) => upstreams.named(written, namespace))
  if (theirs === undefined) return { results: [repositoryUnknown(kptfile, upstream, upstreamLock.ref)] }
  if ('fault' in theirs) {
    const message = `${theirs.fault.message}; the subpackage is at ${quoteText(upstreamLock.ref)}, as \`upstreamLock\` says`
    return { results: [faultToResult(kptfile, { ...theirs.fault, path: ['upstream', 'git', 'ref'], message })] }
  }
  // An old revision that cannot be read now may be there.
  if (base !== undefined && 'fault' in base && base.fault.rule === 'upstream-git')
    return { results: [faultToResult(kptfile, { ...base.fault, path: ['upstreamLock', 'git', 'repo'] })] }
  if (base === undefined || 'fault' in base)
    return { results: [originalMissing(kptfile, { upstream, upstreamLock }, base?.fault.message ?? 'must name a repository of the fleet')] }
  const revisions = { base: base.revision, theirs: theirs.revision }
  const { source } = revisions.theirs
  const faults = [...revisions.base.source.faults, ...source.faults, ...kptfileDocumentFaults(source.files)]
  return faults.length > 0 ? { results: faults } : revisions
}

/** Returns the error of a subpackage whose upstream is in no repository of the fleet. */
function repositoryUnknown(kptfile: KrmObject, { repo, ref }: GitRevision, at: string): Result {
  const message = `must be a repository that \`spec.repositories\` of a RenderVariants names, or a Repository object, to bring the subpackage from ${quoteText(at)} to ${quoteText(ref)}, got ${quoteText(repo)}; \`kpt pkg update\` needs neither, and \`upstream.git.ref\` ${quoteText(at)} leaves the subpackage as it is`
  return faultToResult(kptfile, { severity: 'error', rule: 'upstream-missing', path: ['upstream', 'git', 'repo'], message })
}
