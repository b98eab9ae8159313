import { revisionNumber, revisionVersion } from '../../kinds/revision.ts'
import { UPSTREAM_PATH } from '../../kinds/upstream-rules.ts'
import type { Ring, Upstream } from '../../kinds/variant-set.ts'
import { printable } from '../../printable.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { shellWord } from '../../shell-word.ts'
import { inLine } from '../../wording.ts'
import type { VariantChange } from '../change.ts'
import type { Fleet } from '../fleet.ts'
import type { FleetPlan, SetPlan } from '../plan-fan-out.ts'
import type { PlannedVariant } from '../planned-variants.ts'
import { type NewestOf, upstreamFields } from './behind.ts'
import type { Followers } from './followers.ts'
import { fieldToPromote, planPromotion } from './promotion.ts'
import { isSame, type KnownLocks } from './ring-order.ts'
import {
  compareRevisionNames,
  newUpstream,
  type RevisionField,
  type RingRevision,
  revisionFieldOf,
  ringedUpstreams,
  variantsInRing,
  type WrittenRevision,
} from './ring-revisions.ts'

/** An upstream of a set, of one ring of a matrix, or of a PackageVariant without a set, of which a newer revision exists. */
export interface NewerRevision {
  /** The set, or the PackageVariant without a set. */
  readonly set: { readonly owner: Pick<SetPlan['owner'], 'name' | 'namespace'> }
  readonly upstream: Upstream
  /** The ring that is behind; undefined for a set without rings. */
  readonly ring?: Ring
  /** The names of the revision that the set or ring asks for and of the newer one. */
  readonly from: string
  readonly to: string
  /** The field with the revision. A ring may have none yet. */
  readonly field: RevisionField
  /** The text to write that asks for the newer revision; undefined if a ring cannot have the revision. */
  readonly written?: WrittenRevision
  /** The variants of this upstream, in the ring if there is one. */
  readonly variants: readonly VariantChange[]
  /** The variants whose packages follow those of `variants` (docs/chains.md). */
  readonly followers: readonly PlannedVariant[]
  /** The reasons why the field must not be written now, as warnings: an earlier ring comes first. */
  readonly held: readonly Result[]
}

/** The upstreams of the sets of a fleet. */
export interface UpstreamRevisions {
  readonly newer: readonly NewerRevision[]
  /** The number of upstreams at their newest revision, in all rings. */
  readonly current: number
  /** The number of upstreams that follow the package of another variant, and have no revision to compare. */
  readonly following: number
  /** A finding for each upstream of which it is not known whether a newer revision exists. */
  readonly unknown: readonly Result[]
}

/** A PackageVariant that no set owns, with its upstream. */
export interface LoneVariant {
  readonly variant: VariantChange
  readonly upstream: Upstream
}

/** The upstreams to compare, and the search for their newest revisions. */
export interface RevisionSearch {
  /** The sets to compare; all sets of the plan count for rings that wait. */
  readonly sets: readonly SetPlan[]
  /** The PackageVariants without a set to compare. */
  readonly alone: readonly LoneVariant[]
  /** The name of the only ring to compare; undefined for all rings, and sets without rings. */
  readonly ring?: string | undefined
  /** Returns the newest revision of an upstream, as `render` would find the upstream. */
  readonly newestOf: NewestOf
  /** The links of chains that follow the package of another variant. */
  readonly followers: Followers
  /** True if no ring may get a later revision than the newest one: a floating tag names it, and the ring before may be later. */
  readonly isCeiling?: boolean
  readonly locks: KnownLocks
}

/**
 * Compares the revision of each upstream of sets with the newest one. The first ring of a matrix is compared with the newest revision,
 * every other ring with the ring before: a revision goes from ring to ring. Example: canary 4, world 3, newest 5 gives canary 4 → 5, world
 * 3 → 4.
 */
export function newerRevisions({ sets, fleet }: FleetPlan, search: RevisionSearch): UpstreamRevisions {
  const wanted =
    search.ring === undefined ? search.sets : search.sets.filter(({ set }) => set?.rings.some(({ name }) => name === search.ring))
  const ofSets = wanted.flatMap((plan) => {
    const rings = new Map(ringedUpstreams(plan).map((ringed) => [ringed.upstream, ringed.rings]))
    return (plan.set?.upstreams ?? []).map((upstream) => {
      const found = compareUpstream({ plan, upstream, rings: rings.get(upstream) ?? [], fleet }, search)
      if (found === FOLLOWS || 'message' in found) return found
      return found.map((row) => ({ ...row, ...followersOf(row, search), held: holdersOf(row, sets, search) }))
    })
  })
  const ofLone = search.ring === undefined ? search.alone.map((lone) => compareLone(lone, fleet, search)) : []
  const compared = [...ofSets, ...ofLone]
  return {
    newer: compared.flatMap((found) => (found === FOLLOWS || 'message' in found ? [] : found)),
    current: compared.filter((found) => found !== FOLLOWS && !('message' in found) && found.length === 0).length,
    following: compared.filter((found) => found === FOLLOWS).length,
    unknown: compared.flatMap((found) => (found !== FOLLOWS && 'message' in found ? found : [])),
  }
}

/** A newer revision for a set, before it is known what holds it. */
interface RowOfSet extends Omit<NewerRevision, 'held' | 'followers'> {
  readonly set: SetPlan
}

/** In the place of rows: the upstream follows the package of another variant. */
const FOLLOWS = 'follows'

function followersOf({ variants }: Pick<NewerRevision, 'variants'>, { followers }: RevisionSearch): Pick<NewerRevision, 'followers'> {
  return { followers: followers.below(variants) }
}

interface Compared {
  readonly plan: SetPlan
  readonly upstream: Upstream
  readonly rings: readonly RingRevision[]
  readonly fleet: Fleet
}

/** Returns what of an upstream is behind, and a finding if that is not known. */
function compareUpstream(
  { plan, upstream, rings, fleet }: Compared,
  search: RevisionSearch,
): readonly RowOfSet[] | Result | typeof FOLLOWS {
  if (search.followers.makerOf(upstreamFields(upstream), plan.owner.namespace) !== undefined) return FOLLOWS
  const found = newestOfUpstream(upstream, plan.owner.namespace, search)
  if ('message' in found) return found
  const { from, newest } = found
  if (rings.length > 0) return rings.flatMap((_, index) => compareRing({ plan, upstream, rings, fleet }, index, newest, search))
  if (newest === undefined || !isNewer(newest, from)) return []
  const variants = plan.changes.filter(({ op, why }) => op !== 'remove' && why?.place.upstream.upstream === upstream)
  const field = revisionFieldOf(upstream)
  const written = newUpstream(upstream, newest, plan.owner.namespace, fleet)
  return [{ set: plan, upstream, from, to: newest, field, written, variants }]
}

/** Returns the row of a PackageVariant without a set, none if it is at the newest revision, and a finding if that is not known. */
function compareLone(
  { variant, upstream }: LoneVariant,
  fleet: Fleet,
  search: RevisionSearch,
): readonly NewerRevision[] | Result | typeof FOLLOWS {
  if (search.followers.makerOf(upstreamFields(upstream), variant.namespace) !== undefined) return FOLLOWS
  const found = newestOfUpstream(upstream, variant.namespace, search)
  if ('message' in found) return found
  const { from, newest } = found
  if (newest === undefined || !isNewer(newest, from)) return []
  const written = newUpstream(upstream, newest, variant.namespace, fleet)
  const field = revisionFieldOf(upstream)
  const row = { set: { owner: variant }, upstream, from, to: newest, field, written, variants: [variant], held: [] }
  return [{ ...row, ...followersOf(row, search) }]
}

/** Returns the revision that an upstream asks for and the newest one, or a finding if their order is not known. */
function newestOfUpstream(
  upstream: Upstream,
  namespace: string,
  { newestOf }: RevisionSearch,
): { readonly from: string; readonly newest: string | undefined } | Result {
  const { object, path, revision } = upstream
  if (revision === undefined || revisionNumber(revision) === 0)
    return unknownResult(upstream, ['workspaceName'], 'names a workspace, which has no order: revisions are compared by `revision` alone')
  const { asked, newest, fault } = newestOf(upstreamFields(upstream), namespace)
  if (fault !== undefined) return faultToResult(object, { ...fault, path: [...path, ...fault.path.slice(UPSTREAM_PATH.length)] })
  const [from = ''] = asked
  if (revisionVersion(from) === undefined) return unknownResult(upstream, ['revision'], 'has no order: a newer revision is not known')
  return { from, newest }
}

/** Returns the row of a ring that is behind the ring before, the first one behind the newest revision. */
function compareRing(
  { plan, upstream, rings, fleet }: Compared,
  index: number,
  newest: string | undefined,
  { ring: wanted, isCeiling = false }: RevisionSearch,
): readonly RowOfSet[] {
  const [present, before] = [rings[index], rings[index - 1]]
  const isCapped = isCeiling && newest !== undefined && before !== undefined && isNewer(before.revision, newest)
  const to = isCapped ? newest : (before?.revision ?? newest)
  if (present === undefined || to === undefined || !isNewer(to, present.revision)) return []
  const { ring, revision: from } = present
  if (wanted !== undefined && ring.name !== wanted) return []
  const field = fieldToPromote(plan, upstream, ring)
  const number = revisionNumber(to)
  const own = number === undefined ? undefined : { revision: number }
  const written = isSame(field, revisionFieldOf(upstream)) ? newUpstream(upstream, to, plan.owner.namespace, fleet) : own
  const variants = variantsInRing(plan, upstream, ring)
  return [{ set: plan, upstream, ring, from, to, field, ...(written && { written }), variants }]
}

function isNewer(name: string, than: string): boolean {
  return (compareRevisionNames(name, than) ?? 0) > 0
}

/** Returns the reasons why the revision of a field must not be written now, as warnings. */
function holdersOf(row: RowOfSet, sets: readonly SetPlan[], { ring, locks }: RevisionSearch): readonly Result[] {
  const number = revisionNumber(row.to)
  if (row.written === undefined || number === undefined) return row.ring === undefined ? [] : [heldFor(row, row.ring, row.set, 'no-number')]
  const { changes, results } = planPromotion(sets, { field: row.field, revision: number }, locks)
  const refused = results.filter(({ severity }) => severity === 'error').map((result) => ({ ...result, severity: 'warning' as const }))
  const other = changes.find((change) => change.ring !== undefined && change.ring.name !== ring)
  return refused.length > 0 || other?.ring === undefined ? refused : [heldFor(row, other.ring, other.set, 'not-asked')]
}

/** Returns the warning about a revision of a ring that is left alone. */
function heldFor(
  { field: { object, path }, to }: Pick<NewerRevision, 'field' | 'to'>,
  { name }: Ring,
  { owner }: SetPlan,
  why: 'no-number' | 'not-asked',
): Result {
  const ring = `of ring ${quoteText(name)} of ${inLine(`${owner.namespace}/${owner.name}`)}`
  const message =
    why === 'no-number'
      ? `${ring} must be a number, and ${quoteText(to)} is none: the matrix can have it without rings, or in all of them at once`
      : `${ring} is left at what it is: a new revision goes from ring to ring, and --ring ${printable(shellWord(name))} raises this one`
  return faultToResult(object, { severity: 'warning', rule: 'revision-of-ring', path, message })
}

function unknownResult({ object, path }: Upstream, field: readonly string[], message: string): Result {
  return faultToResult(object, { severity: 'warning', rule: 'revision-unordered', path: [...path, ...field], message })
}
