import type { FieldPath } from '../../field-path.ts'
import type { JsonValue } from '../../json.ts'
import { compareRevisions, revisionNumber, revisionVersion } from '../../kinds/revision.ts'
import type { Ring, Upstream } from '../../kinds/variant-set.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { VariantChange } from '../change.ts'
import type { Fleet } from '../fleet.ts'
import type { SetPlan } from '../plan-fan-out.ts'
import { upstreamInRings } from '../rings.ts'
import type { FoundSet } from '../sets.ts'
import { workspaceOfRevision } from '../upstream.ts'
import { lockedRevision, type PackageLocks } from './behind.ts'

/** A ring of a matrix with the revision that its targets get of one upstream. */
export interface RingRevision {
  readonly ring: Ring
  /** The upstream in the revision of the ring. */
  readonly upstream: Upstream
  /** The name of the revision: `v4` for 4, a workspaceName as it is. */
  readonly revision: string
  /** The field that has the revision: of the ring itself, of a later ring, or of the upstream. */
  readonly at: RevisionField
}

/** A field of an object of the fleet. */
export interface RevisionField {
  readonly object: KrmObject
  readonly path: FieldPath
}

/** An upstream of a matrix with its rings, in the order of the matrix. */
export interface RingedUpstream {
  readonly upstream: Upstream
  readonly rings: readonly RingRevision[]
}

/** Returns the upstreams of a set with its rings; none for a set without rings. */
export function ringedUpstreams({ set }: Pick<FoundSet, 'set'>): readonly RingedUpstream[] {
  if (set === undefined || set.rings.length === 0) return []
  return set.upstreams.map((upstream) => {
    const inRings = upstreamInRings(set, upstream)
    const rings = set.rings.map((ring, index): RingRevision => {
      const own = inRings[index] ?? upstream
      return { ring, upstream: own, revision: revisionName(own), at: own.revisionAt ?? revisionFieldOf(upstream) }
    })
    return { upstream, rings }
  })
}

/** Returns the name of the revision of an upstream: `v4` for 4 and for '4'. */
export function revisionName({ revision, workspaceName = '' }: Pick<Upstream, 'revision' | 'workspaceName'>): string {
  const number = revisionNumber(revision)
  if (number !== undefined && number > 0) return `v${number}`
  return revision === undefined || number !== undefined ? workspaceName : String(revision)
}

/** Returns the field with the revision of an upstream, in the matrix or in the PackageRevisionSet that the matrix names. */
export function revisionFieldOf({ object, path, revision }: Upstream): RevisionField {
  return { object, path: [...path, revision === undefined ? 'workspaceName' : 'revision'] }
}

/** Returns a revision in the spelling of another: for `v4`, 4 beside 3, '4' beside '3', and `v4` beside `v3`. */
function writtenLike(written: JsonValue | undefined, newest: string): number | string {
  const number = revisionNumber(newest)
  if (number === undefined) return newest
  if (typeof written !== 'string') return number
  return written.startsWith('v') ? `v${number}` : String(number)
}

/** A new revision for an upstream or a ring. */
export interface WrittenRevision {
  readonly revision: number | string
  /** The workspace of the revision, for an upstream that names the workspace beside the revision, as Porch needs it. */
  readonly workspaceName?: string
}

/** Returns a revision as the entry of an upstream has it, written like the present one. */
export function newUpstream(upstream: Upstream, name: string, namespace: string, fleet: Fleet): WrittenRevision {
  const revision = writtenLike(upstream.revision, name)
  if (upstream.workspaceName === undefined || upstream.revision === undefined) return { revision }
  return { revision, workspaceName: workspaceOfRevision(upstream, namespace, name, fleet) }
}

export function writeRevision({ object, path }: RevisionField, { revision, workspaceName }: WrittenRevision): void {
  object.set(path, revision)
  if (workspaceName !== undefined) object.set([...path.slice(0, -1), 'workspaceName'], workspaceName)
}

/** Compares the names of two revisions: below 0 if `a` is older, undefined if one of them has no order. */
export function compareRevisionNames(a: string, b: string): number | undefined {
  const [one, other] = [revisionVersion(a), revisionVersion(b)]
  return one === undefined || other === undefined ? undefined : compareRevisions(one, other)
}

export function variantsInRing({ changes }: SetPlan, { path, object }: Upstream, { name }: Ring): readonly VariantChange[] {
  const key = JSON.stringify(path)
  return changes.filter(({ op, why }) => {
    if (op === 'remove' || why?.place.ring?.name !== name) return false
    const { upstream } = why.place.upstream
    return upstream.object === object && JSON.stringify(upstream.path) === key
  })
}

/** Returns true if the package of a variant of the fleet is known. */
export function isAnyLocked({ sets }: { readonly sets: readonly SetPlan[] }, { lockOf }: Pick<PackageLocks, 'lockOf'>): boolean {
  return sets.some(({ changes }) => changes.some((variant) => lockOf(variant) !== undefined))
}

/** The packages of a ring, by what their locks say. */
export interface RingPackages {
  readonly there: readonly VariantChange[]
  /** The packages that are locked to another revision, or to a revision of another package, with its name. */
  readonly elsewhere: readonly LockedVariant[]
  /** The variants without a known package. */
  readonly missing: readonly VariantChange[]
}

/** A variant, and the revision that its package is locked to. */
export interface LockedVariant {
  readonly variant: VariantChange
  readonly locked: string
}

/** Divides the packages of variants into those at a revision of an upstream, and the others. */
export function dividePackages(
  variants: readonly VariantChange[],
  { upstream, revision }: Pick<RingRevision, 'upstream' | 'revision'>,
  { lockOf }: Pick<PackageLocks, 'lockOf'>,
): RingPackages {
  const there: VariantChange[] = []
  const elsewhere: LockedVariant[] = []
  const missing: VariantChange[] = []
  for (const variant of variants) {
    const lock = lockOf(variant)
    if (lock === undefined) {
      missing.push(variant)
      continue
    }
    const { locked, isSamePackage } = lockedRevision(lock, upstream)
    if (isSamePackage && (locked === revision || compareRevisionNames(locked, revision) === 0)) there.push(variant)
    else elsewhere.push({ variant, locked: isSamePackage ? lock.ref : `${lock.directory} ${lock.ref}` })
  }
  return { there, elsewhere, missing }
}
