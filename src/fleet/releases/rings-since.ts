import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { readFleet } from '../fleet.ts'
import type { FleetPlan } from '../plan-fan-out.ts'
import { type FoundSet, findSets } from '../sets.ts'
import { packageLocks } from './behind.ts'
import { judgeRings, matrixOf, type RingChange } from './ring-order.ts'
import { isAnyLocked, type RingedUpstream, revisionName, ringedUpstreams, variantsInRing } from './ring-revisions.ts'

/**
 * Judges the revisions of rings that changed since an earlier state of a fleet, as `judgeRings` does. The packages of an earlier ring must
 * be at a revision before the change: the locks are those of the earlier state.
 *
 * @param earlier  the objects of the earlier state, with the Kptfiles of its packages
 */
export function judgeRingsSince(plan: Pick<FleetPlan, 'sets'>, earlier: readonly KrmObject[]): readonly Result[] {
  const fleet = readFleet(earlier)
  const before = new Map(findSets({ items: earlier, functionConfig: undefined }, fleet.kinds).map((found) => [keyOf(found), found]))
  const locks = packageLocks({ fleet, sets: plan.sets }, earlier)
  const known = isAnyLocked(plan, locks) ? locks : 'none'
  return plan.sets.flatMap((now) => {
    const then = before.get(keyOf(now))
    if (then?.set === undefined) return []
    const former = groupBy(ringedBefore(then), ({ upstream }) => `${upstream.repo}/${upstream.package}`)
    return ringedUpstreams(now).flatMap((each) => {
      const [old] = former.get(`${each.upstream.repo}/${each.upstream.package}`) ?? []
      if (old === undefined) return []
      const rings = each.rings.map(({ ring, revision, at }, index): RingChange => {
        const variants = variantsInRing(now, each.upstream, ring)
        const before = revisionBefore(each, index, old)
        return { name: ring.name, ...matrixOf(now, at), before, after: revision, at, upstream: each.upstream, variants }
      })
      return judgeRings(rings, known)
    })
  })
}

function keyOf({ owner: { namespace, name } }: Pick<FoundSet, 'owner'>): string {
  return JSON.stringify([namespace, name])
}

/** Returns the upstreams of a set, also of one without rings. */
function ringedBefore(found: FoundSet): readonly RingedUpstream[] {
  const ringed = ringedUpstreams(found)
  return ringed.length > 0 ? ringed : (found.set?.upstreams ?? []).map((upstream) => ({ upstream, rings: [] }))
}

/**
 * Returns the revision that the ring at an index had before: that of the ring of its name. A new ring had that of the first later ring
 * that is not new, else that of the upstream.
 */
function revisionBefore({ rings }: RingedUpstream, index: number, old: RingedUpstream): string {
  const names = rings.slice(index).map(({ ring }) => ring.name)
  const [found] = names.flatMap((name) => old.rings.find(({ ring }) => ring.name === name) ?? [])
  return found?.revision ?? revisionName(old.upstream)
}
