import { pathKey } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { scalarText } from '../../json.ts'
import { UPSTREAM_PATH } from '../../kinds/upstream-rules.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { PORCH_CONFIG_GROUP } from '../../well-known.ts'
import { countOf, inLine, nameFirst } from '../../wording.ts'
import { downstreamFrom, downstreamKey, downstreamOf, type VariantDownstream } from '../downstream.ts'
import type { FleetPlan, SetPlan } from '../plan-fan-out.ts'
import { type RevisionField, revisionFieldOf, revisionName, ringedUpstreams } from './ring-revisions.ts'

/** A downstream package with the revision that it gets, and the field that has the revision. */
interface Placed {
  readonly namespace: string
  readonly downstream: VariantDownstream
  /** REPOSITORY/PACKAGE of the upstream. */
  readonly upstream: string
  readonly revision: string
  readonly at: RevisionField
  /** The set that makes the variant; undefined for a variant that no set makes. */
  readonly set?: SetPlan
  /** The name of the ring. */
  readonly ring?: string
}

const NAMED = 3

/**
 * Returns an error (`ring-left`) for each revision that reaches packages which leave their ring in the same change: their matrix, its
 * rings, the ring or the upstream is gone or renamed, or another ring with a new revision takes them. Packages are compared by their
 * downstream, whatever makes their variant. A package that stays in its ring is left to `judgeRingsSince`, and one that moves to another
 * ring may get the revision that this ring had.
 *
 * @param earlier  the plan of the earlier state of the fleet
 */
export function judgeRingsLeft(plan: Pick<FleetPlan, 'sets' | 'fleet'>, earlier: Pick<FleetPlan, 'sets' | 'fleet'>): readonly Result[] {
  const former = plannedPackages(earlier)
  const findNow = finder([...plannedPackages(plan), ...writtenPackages(plan)], [...former, ...writtenPackages(earlier)])
  const left = former.flatMap((before) => {
    const now = before.ring === undefined ? undefined : findNow(before)
    if (now === undefined || now.revision === before.revision || isJudgedByRing(before, now)) return []
    return [{ before, now }]
  })
  const byObject = groupBy(left, ({ now }) => now.at.object)
  return [...byObject.values()].flatMap((ofObject) => {
    const byField = groupBy(ofObject, ({ before, now }) => JSON.stringify([pathKey(now.at.path), now.revision, nameOf(before.set)]))
    return [...byField.values()].map(leaves)
  })
}

interface Left {
  readonly before: Placed
  readonly now: Placed
}

function leaves(left: readonly [Left, ...Left[]]): Result {
  const [{ before, now }] = left
  const { revision, at } = now
  const named = nameFirst(left, NAMED, ({ before: { downstream, ring = '', revision } }) => {
    const folder = `${inLine(downstream.repo)}/${inLine(downstream.package)}`
    return `${folder} (ring ${quoteText(ring)}, ${inLine(revision)})`
  })
  const packages = `${countOf(left.length, 'package')} of the rings of matrix ${quoteText(before.set?.owner.name ?? '')}`
  const verb = left.length === 1 ? 'leaves its ring' : 'leave their rings'
  const message = `must not be ${quoteText(revision)} in the change in which ${packages} ${verb}, ${named}: change the rings first, and the revision in another change`
  return faultToResult(at.object, { severity: 'error', rule: 'ring-left', path: at.path, message })
}

/** Returns true if a package stays in its ring, or moves to another ring of its matrix and gets the revision that this ring had. */
function isJudgedByRing(before: Placed, now: Placed): boolean {
  const isSameUpstream = nameOf(now.set) === nameOf(before.set) && now.upstream === before.upstream
  if (!isSameUpstream || now.ring === undefined || before.set === undefined) return false
  if (now.ring === before.ring) return true
  const rings = ringedUpstreams(before.set).filter(({ upstream }) => `${upstream.repo}/${upstream.package}` === before.upstream)
  return rings.some((each) => each.rings.some(({ ring, revision }) => ring.name === now.ring && revision === now.revision))
}

function nameOf(set: SetPlan | undefined): string {
  return set === undefined ? '' : JSON.stringify([set.owner.namespace, set.owner.name])
}

/**
 * Returns a function that finds a package after the change: in its namespace, else in one that did not have it before. The first of
 * several counts: planned variants come before written ones, which fan-out replaces.
 */
function finder(packages: readonly Placed[], former: readonly Placed[]): (before: Placed) => Placed | undefined {
  const inNamespace = ({ namespace, downstream }: Placed): string => JSON.stringify([namespace, downstreamKey(downstream)])
  const known = new Set(former.map(inNamespace))
  const byDownstream = groupBy(packages, ({ downstream }) => downstreamKey(downstream))
  return (before) => {
    const found = byDownstream.get(downstreamKey(before.downstream)) ?? []
    return found.find(({ namespace }) => namespace === before.namespace) ?? found.find((each) => !known.has(inNamespace(each)))
  }
}

function plannedPackages({ sets }: Pick<FleetPlan, 'sets'>): readonly Placed[] {
  return sets.flatMap((set) =>
    set.changes.flatMap(({ op, namespace, why }): readonly Placed[] => {
      const downstream = op === 'remove' ? undefined : downstreamFrom(why?.repo, why?.package)
      if (downstream === undefined || why === undefined) return []
      const { upstream } = why.place.upstream
      const { name } = why.place.ring ?? {}
      const revision = revisionName(upstream)
      const at = upstream.revisionAt ?? revisionFieldOf(upstream)
      const ring = name === undefined ? {} : { ring: name }
      return [{ namespace, downstream, upstream: `${upstream.repo}/${upstream.package}`, revision, at, set, ...ring }]
    }),
  )
}

/** Returns the packages of the PackageVariants that are written in the fleet. */
function writtenPackages({ fleet }: Pick<FleetPlan, 'fleet'>): readonly Placed[] {
  return fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').flatMap((variant): readonly Placed[] => {
    const { namespace, object } = variant
    const downstream = downstreamOf(variant)
    if (downstream === undefined) return []
    const read = (field: string) => object.get([...UPSTREAM_PATH, field])
    const revision = scalarText(read('revision')) || undefined
    const named = revisionName({ ...(revision !== undefined && { revision }), workspaceName: scalarText(read('workspaceName')) })
    const upstream = `${scalarText(read('repo'))}/${scalarText(read('package'))}`
    const at = { object, path: [...UPSTREAM_PATH, revision === undefined ? 'workspaceName' : 'revision'] }
    return [{ namespace, downstream, upstream, revision: named, at }]
  })
}
