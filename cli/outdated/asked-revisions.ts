import { readVariants } from '../../src/fleet/fleet-variants.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { NewestOf } from '../../src/fleet/releases/behind.ts'
import { Followers } from '../../src/fleet/releases/followers.ts'
import { type LoneVariant, type NewerRevision, newerRevisions, type UpstreamRevisions } from '../../src/fleet/releases/newer-revisions.ts'
import { UPSTREAM_PATH, writtenUpstream } from '../../src/kinds/upstream-rules.ts'
import { DEFAULT_NAMESPACE } from '../../src/kubernetes/kinds.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FloatingTag } from '../../src/upstream/floating-tag.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import type { Host } from '../host.ts'
import { type RingFleet, readRingFleet } from '../rings/read-rings.ts'
import { unknownName } from '../usage-error.ts'

/** The sets, the ring and the floating tag that the user asks for: all sets and rings, and the newest revisions, where one is not given. */
export interface AskedRevisions {
  readonly set?: readonly string[]
  readonly ring?: string
  readonly tag?: string
}

/** Returns the upstreams of the sets of a fleet that have a newer revision in its folders. @throws as `outdated` */
export async function newerUpstreams(dir: string, host: Host): Promise<readonly NewerRevision[]> {
  return revisionsOf(await readRingFleet('outdated', dir, { offline: true }, host), {}).newer
}

/** Returns the newer revisions of what was asked for. @throws UsageError for a set, ring or tag that is not there */
export function revisionsOf({ plan, known, reading }: RingFleet, { set, ring, tag }: AskedRevisions): UpstreamRevisions {
  const sets = set === undefined ? plan.sets : [...new Set(set.flatMap((name) => namedSets(name, plan.sets)))]
  const rings = [...new Set(sets.flatMap((each) => each.set?.rings.map(({ name }) => name) ?? []))]
  if (ring !== undefined && !rings.includes(ring)) throw unknownName('ring', ring, rings)
  const upstreams = reading.library(plan)
  const published = upstreams.library
  const library = tag === undefined ? published : new FloatingTag(tag, upstreams)
  const followers = new Followers(plan, (upstream, namespace) => published.isPublished(upstream, namespace))
  // No --force passes over a fleet whose packages are elsewhere.
  const locks = known === 'unknown' || (typeof known === 'object' && 'noFolder' in known) ? 'none' : known
  const newestOf: NewestOf = (upstream, namespace) => library.newest(upstream, namespace)
  const alone = set === undefined ? loneVariants(plan, reading.read.list.items) : []
  const search = { sets, alone, ring, newestOf, followers, isCeiling: tag !== undefined, locks }
  const found = newerRevisions(plan, search)
  const tags = library instanceof FloatingTag ? library.instead : undefined
  if (tag !== undefined && tags !== undefined) throw unknownName('floating tag', tag, tags)
  return found
}

/** Returns the PackageVariants that no set owns. Faults of variants are not reported: `render` and `check` report them. */
function loneVariants({ sets }: FleetPlan, items: readonly KrmObject[]): readonly LoneVariant[] {
  const owned = new Set(sets.flatMap(({ changes }) => changes.flatMap(({ existing }) => existing?.object ?? [])))
  return readVariants(items.filter((item) => isPackageVariant(item) && !owned.has(item))).variants.map((variant) => {
    const { object, name, namespace = DEFAULT_NAMESPACE, upstream } = variant
    return {
      variant: { op: 'unchanged', name, namespace },
      upstream: { ...upstream, written: writtenUpstream(upstream), object, path: UPSTREAM_PATH },
    }
  })
}

function namedSets(name: string, sets: readonly SetPlan[]): readonly SetPlan[] {
  const found = sets.filter(({ owner }) => name === owner.name || name === `${owner.namespace}/${owner.name}`)
  const known = sets.map(({ owner }) => owner.name)
  if (found.length === 0) throw unknownName('set', name, known)
  return found
}
