import type { Ring, Upstream } from '../../kinds/variant-set.ts'
import { formatResult, type Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { VariantChange } from '../change.ts'
import type { SetPlan } from '../plan-fan-out.ts'
import {
  isSame,
  judgeEmptyRings,
  judgeRings,
  type KnownLocks,
  matrixOf,
  type RevisionEdit,
  type RingChange,
  ringRevisionsAfter,
} from './ring-order.ts'
import { type RevisionField, revisionFieldOf, ringedUpstreams, variantsInRing } from './ring-revisions.ts'

/** A new revision of one field, and what it changes. */
export interface Promotion {
  readonly edit: RevisionEdit
  readonly changes: readonly PromotedRing[]
  /** The reasons against the promotion, and what is not known. */
  readonly results: readonly Result[]
}

/** A ring, or a set without rings, whose variants get another revision. */
export interface PromotedRing {
  readonly set: SetPlan
  readonly upstream: Upstream
  /** Undefined for a set without rings. */
  readonly ring?: Ring
  readonly from: string
  readonly to: string
  readonly variants: readonly VariantChange[]
}

/**
 * Returns the field that gives a ring a revision: its own, which may not exist yet; for the last ring without one of its own that of the
 * upstream.
 */
export function fieldToPromote({ set, object }: SetPlan, upstream: Upstream, { name }: Ring): RevisionField {
  const ring = set?.rings.find((each) => each.name === name)
  const isOfUpstream = ring === undefined || (ring === set?.rings.at(-1) && !ring.revisions.has(upstream.package))
  return isOfUpstream ? revisionFieldOf(upstream) : { object: set?.object ?? object, path: [...ring.path, 'revisions', upstream.package] }
}

/** Plans a new revision of a field: the rings of all sets that get it, and what `judgeRings` says of them. */
export function planPromotion(sets: readonly SetPlan[], edit: RevisionEdit, locks: KnownLocks): Promotion {
  const changes: PromotedRing[] = []
  const results: Result[] = []
  for (const plan of sets) {
    const { set } = plan
    if (set === undefined) continue
    for (const { upstream, rings } of ringedUpstreams(plan)) {
      const after = ringRevisionsAfter(set, upstream, edit)
      const judged = rings.map(({ ring, revision, ...own }, index): RingChange & { readonly ring: Ring } => {
        const { at = own.at, revision: to = revision } = after[index] ?? {}
        const variants = variantsInRing(plan, upstream, ring)
        return { name: ring.name, ...matrixOf(plan, at), ring, before: revision, after: to, at, upstream, variants }
      })
      results.push(...judgeRings(judged, locks), ...judgeEmptyRings(judged))
      for (const { ring, before, after: to, variants } of judged)
        if (before !== to) changes.push({ set: plan, upstream, ring, from: before, to, variants })
    }
    if (set.rings.length === 0) changes.push(...withoutRings(plan, edit))
  }
  const distinct = [...new Map(results.map((result) => [formatResult(result), result])).values()]
  return { edit, changes, results: distinct }
}

/** Returns the upstreams of a set without rings that the edit changes: those of a PackageRevisionSet that several matrices name. */
function withoutRings(plan: SetPlan, { field, revision }: RevisionEdit): readonly PromotedRing[] {
  return (plan.set?.upstreams ?? []).flatMap((upstream) => {
    if (!isSame(revisionFieldOf(upstream), field)) return []
    const variants = plan.changes.filter(({ op, why }) => op !== 'remove' && why?.place.upstream.upstream === upstream)
    return [{ set: plan, upstream, from: String(upstream.revision), to: `v${revision}`, variants }]
  })
}

/** Returns the error of a field whose revision has no order: no number can follow it. */
export function unorderedRevision({ object, path }: RevisionField, found: string): Result {
  const message = `must be a number, got ${quoteText(found)}: only a number can be promoted`
  return faultToResult(object, { severity: 'error', rule: 'revision-unordered', path, message })
}
