import type { JsonValue } from '../json.ts'
import { compareRevisions, revisionNumber, revisionVersion } from '../kinds/revision.ts'
import { UPSTREAM_PATH } from '../kinds/upstream-rules.ts'
import type { Ring, Upstream } from '../kinds/variant-set.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { type NewestOf, upstreamFields } from './behind.ts'
import type { VariantChange } from './change.ts'
import type { Fleet } from './fleet.ts'
import type { FleetPlan, SetPlan } from './plan-fan-out.ts'
import { workspaceOfRevision } from './upstream.ts'

/** An upstream of a set of which a newer revision exists. */
export interface NewerRevision {
  readonly set: SetPlan
  readonly upstream: Upstream
  /** The names of the revision that the set asks for and of the newest one. */
  readonly from: string
  readonly to: string
  /** The value of the field `revision` that asks for the newest revision, written like the present value. */
  readonly revision: number | string
  /** The workspace of the newest revision, for an upstream that names the workspace beside the revision, as Porch needs it. */
  readonly workspaceName?: string
  /** The variants of this upstream. */
  readonly variants: readonly VariantChange[]
}

/** The upstreams of the sets of a fleet. */
export interface UpstreamRevisions {
  readonly newer: readonly NewerRevision[]
  /** The number of upstreams at their newest revision. */
  readonly current: number
  /** A finding for each upstream of which it is not known whether a newer revision exists, or where people give the revision to rings. */
  readonly unknown: readonly Result[]
}

/**
 * Compares the revision of each upstream of each set with the newest one.
 *
 * @param newestOf  returns the newest revision of an upstream, as `render` would find the upstream
 */
export function newerRevisions({ sets, fleet }: FleetPlan, newestOf: NewestOf): UpstreamRevisions {
  const newer: NewerRevision[] = []
  const unknown: Result[] = []
  let current = 0
  for (const plan of sets) {
    for (const upstream of plan.set?.upstreams ?? []) {
      const found = compareUpstream(plan, upstream, newestOf, fleet)
      if (found === undefined) current += 1
      else if ('message' in found) unknown.push(found)
      else newer.push(found)
    }
  }
  return { newer, current, unknown }
}

/** Returns the newer revision of an upstream, a finding if that is not known or for a ring, and undefined if there is none. */
function compareUpstream(set: SetPlan, upstream: Upstream, newestOf: NewestOf, fleet: Fleet): NewerRevision | Result | undefined {
  const { object, path, revision, workspaceName } = upstream
  if (revision === undefined || revisionNumber(revision) === 0)
    return unknownResult(upstream, ['workspaceName'], 'names a workspace, which has no order: revisions are compared by `revision` alone')
  const { asked, newest, fault } = newestOf(upstreamFields(upstream), set.owner.namespace)
  if (fault !== undefined) return faultToResult(object, { ...fault, path: [...path, ...fault.path.slice(UPSTREAM_PATH.length)] })
  const ring = set.set?.rings.find(({ revisions }) => revisions.has(upstream.package))
  if (ring !== undefined) return compareRing(upstream, ring, set.set?.object ?? object, newest)
  const [from = ''] = asked
  const [is, highest] = [revisionVersion(from), newest === undefined ? undefined : revisionVersion(newest)]
  if (is === undefined) return unknownResult(upstream, ['revision'], 'has no order: a newer revision is not known')
  if (newest === undefined || highest === undefined || compareRevisions(highest, is) <= 0) return undefined
  const written = object.get([...path, 'revision'])
  const variants = set.changes.filter(({ op, why }) => op !== 'remove' && why?.place.upstream.upstream === upstream)
  const workspace = workspaceName === undefined ? {} : { workspaceName: workspaceOfRevision(upstream, set.owner.namespace, newest, fleet) }
  return { set, upstream, from, to: newest, revision: writtenLike(written, newest), ...workspace, variants }
}

/**
 * Returns a finding if the first ring with a revision of its own is behind the newest revision. The newest revision is written for no ring:
 * the revision of the upstream is that of the last ring, and a new revision goes to the first ring first.
 */
function compareRing(upstream: Upstream, { path, name, revisions }: Ring, matrix: KrmObject, newest = ''): Result | undefined {
  const [is, highest] = [revisionVersion(`v${revisions.get(upstream.package)}`), revisionVersion(newest)]
  if (is === undefined || highest === undefined || compareRevisions(highest, is) <= 0) return undefined
  const message = `of ring ${quoteText(name)} must be raised by hand, ${quoteText(newest)} is the newest: a new revision goes from ring to ring`
  const field = [...path, 'revisions', upstream.package]
  return faultToResult(matrix, { severity: 'warning', rule: 'revision-of-ring', path: field, message })
}

function unknownResult({ object, path }: Upstream, field: readonly string[], message: string): Result {
  return faultToResult(object, { severity: 'warning', rule: 'revision-unordered', path: [...path, ...field], message })
}

/** Returns a revision in the spelling of another: for `v4`, 4 beside 3, '4' beside '3', and `v4` beside `v3`. */
function writtenLike(written: JsonValue | undefined, newest: string): number | string {
  const number = revisionNumber(newest)
  if (number === undefined) return newest
  if (typeof written !== 'string') return number
  return written.startsWith('v') ? `v${number}` : String(number)
}
