import { pathKey } from '../../field-path.ts'
import { revisionNumber } from '../../kinds/revision.ts'
import type { Upstream, VariantSet } from '../../kinds/variant-set.ts'
import type { Result } from '../../result.ts'
import type { RuleId } from '../../rules/rule-id.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { countOf, inLine, nameFirst } from '../../wording.ts'
import type { VariantChange } from '../change.ts'
import type { FoundSet } from '../sets.ts'
import { lockedRevision, type PackageLocks } from './behind.ts'
import { compareRevisionNames, type RevisionField, revisionFieldOf, revisionName } from './ring-revisions.ts'

/**
 * The locks of a fleet's packages. `none` if the folder of the packages has no package yet, `unknown` if no package is found and no
 * option names their folder; `noFolder` is the name of a folder that does not exist.
 */
export type KnownLocks = Pick<PackageLocks, 'lockOf' | 'unreadable'> | 'none' | 'unknown' | { readonly noFolder: string }

/** A ring before and after a change of revisions. */
export interface RingChange {
  readonly name: string
  /** The name of the matrix, if the field with the revision is one of another object. */
  readonly matrix?: string
  readonly before: string
  readonly after: string
  /** The field that has the revision after the change. */
  readonly at: RevisionField
  /** The upstream and the variants of the ring. */
  readonly upstream: Pick<Upstream, 'package'>
  readonly variants: readonly VariantChange[]
}

const NAMED = 3

/**
 * Judges the new revisions of the rings of one upstream. A revision goes from ring to ring: a ring gets a revision when every earlier ring
 * has it, and when the packages of these rings are at it.
 *
 * `ring-skipped`: an earlier ring asks for an older revision. `rings-at-once`: an earlier ring gets a newer revision in the same change.
 * `ring-overtaken`: packages of an earlier ring are not at the revision.
 *
 * @param locks  the locks of the packages before the change
 */
export function judgeRings(rings: readonly RingChange[], locks: KnownLocks): readonly Result[] {
  return rings.flatMap((ring, index): readonly Result[] => {
    const order = compareRevisionNames(ring.after, ring.before) ?? 0
    if (order > 0) return judgeRaised(ring, rings.slice(0, index), locks)
    return order < 0 ? judgeLowered(ring, rings.slice(index + 1)) : []
  })
}

function judgeRaised(ring: RingChange, earlier: readonly RingChange[], locks: KnownLocks): readonly Result[] {
  const skipped = earlier.findLast(({ after }) => (compareRevisionNames(after, ring.after) ?? 0) < 0)
  const raised = earlier.filter((each) => (compareRevisionNames(each.after, each.before) ?? 0) > 0)
  // Of the rings that take their revision from the line of this one, the first comes first.
  const together = raised.find(({ at }) => isSame(ring.at, at)) ?? raised.at(-1)
  const waiting = earlier
    .filter((each) => each !== skipped && (compareRevisionNames(each.after, each.before) ?? 0) <= 0)
    .flatMap((each) => waitingFor(ring, each, locks))
  return [
    ...(skipped === undefined ? [] : [skips(ring, skipped)]),
    ...(together === undefined || together === skipped ? [] : [atOnce(ring, together)]),
    ...waiting.slice(-1),
  ]
}

function skips(ring: RingChange, skipped: RingChange): Result {
  const message = `of ${describeRing(ring)} must not be ${quoteText(ring.after)} before ${describeRing(skipped)} has it, which has ${quoteText(skipped.after)}${inPlace(skipped.at)}: a revision goes from ring to ring`
  return fault(ring.at, 'ring-skipped', 'error', message)
}

function atOnce(ring: RingChange, together: RingChange): Result {
  const others = describeRing(together)
  const why = isSame(ring.at, together.at)
    ? `which has no revision of its own and takes this one: promote ${others} to ${quoteText(ring.after)} first`
    : `${quoteText(together.before)} → ${quoteText(together.after)}${inPlace(together.at)}: one ring in one change`
  const message = `of ${describeRing(ring)} must not be raised to ${quoteText(ring.after)} together with that of ${others}, ${why}`
  return fault(ring.at, 'rings-at-once', 'error', message)
}

/**
 * Returns an error if packages of an earlier ring are not at the revision, or if the folder of the packages is not known or does not exist;
 * a warning if the folder has no package yet.
 */
function waitingFor(ring: RingChange, earlier: RingChange, locks: KnownLocks): readonly Result[] {
  if (earlier.variants.length === 0) return []
  const of = `of ${describeRing(ring)}`
  if (typeof locks === 'object' && 'noFolder' in locks) {
    const why = `the folder of the packages, ${quoteText(locks.noFolder)}, does not exist, so it is not known whether they are at ${quoteText(ring.after)}`
    const how = 'correct its name; where nothing is rendered yet, make the folder, or write the revision with promote --force'
    return [fault(ring.at, 'ring-overtaken', 'error', `${of} must wait for ${describeRing(earlier)}: ${why}; ${how}`)]
  }
  if (typeof locks === 'string') {
    const why = `no package of the fleet is found, neither a Kptfile nor a PackageRevision, so it is not known whether its packages are at ${quoteText(ring.after)}`
    if (locks === 'none') return [fault(ring.at, 'ring-overtaken', 'warning', `${of} may overtake ${describeRing(earlier)}: ${why}`)]
    const how = 'name the folder of the packages with --out, or write the revision with promote --force'
    return [fault(ring.at, 'ring-overtaken', 'error', `${of} must wait for ${describeRing(earlier)}: ${why}; ${how}`)]
  }
  const waiting = earlier.variants.flatMap((variant) => {
    const where = whereNot(variant, earlier.upstream, ring.after, locks)
    return where === undefined ? [] : [`${folderOf(variant)} (${where})`]
  })
  if (waiting.length === 0) return []
  const count = `${waiting.length} of ${countOf(earlier.variants.length, 'package')}`
  const message = `${of} must wait for ${describeRing(earlier)}: ${count} ${waiting.length === 1 ? 'is' : 'are'} not at ${quoteText(ring.after)} yet, ${nameFirst(waiting, NAMED)}`
  return [fault(ring.at, 'ring-overtaken', 'error', message)]
}

/**
 * Returns an error for each ring that gets a newer revision after an earlier ring without packages: nothing has tried the revision there.
 */
export function judgeEmptyRings(rings: readonly RingChange[]): readonly Result[] {
  return rings.flatMap((ring, index) => {
    if ((compareRevisionNames(ring.after, ring.before) ?? 0) <= 0) return []
    const hasRevision = ({ after }: RingChange): boolean => (compareRevisionNames(after, ring.after) ?? -1) >= 0
    const empty = rings.slice(0, index).findLast((each) => each.variants.length === 0 && hasRevision(each))
    if (empty === undefined) return []
    const message = `of ${describeRing(ring)} must wait for ${describeRing(empty)}: the ring has no package of ${quoteText(ring.upstream.package)}, so ${quoteText(ring.after)} is tried nowhere; correct its \`where\`, or write the revision with promote --force`
    return [fault(ring.at, 'ring-overtaken', 'error', message)]
  })
}

/**
 * Returns the revision of a package that is not at a revision or a later one, `missing` without a package, and `unreadable` with a place
 * for a package that cannot be read: nothing has tried the revision there. Else returns undefined.
 */
function whereNot(
  variant: VariantChange,
  upstream: Pick<Upstream, 'package'>,
  revision: string,
  { lockOf, unreadable }: Pick<PackageLocks, 'lockOf' | 'unreadable'>,
): string | undefined {
  const lock = lockOf(variant)
  if (lock === undefined) return 'missing'
  const { locked, isSamePackage } = lockedRevision(lock, upstream)
  const isThere = isSamePackage && (compareRevisionNames(locked, revision) ?? -1) >= 0
  const fault = isThere ? unreadable?.(lock) : undefined
  if (fault !== undefined) return `unreadable: ${inLine(fault)}`
  return isThere ? undefined : inLine(isSamePackage ? lock.ref : `${lock.directory} ${lock.ref}`)
}

function judgeLowered(ring: RingChange, later: readonly RingChange[]): readonly Result[] {
  const ahead = later.find(({ after }) => (compareRevisionNames(after, ring.after) ?? 0) > 0)
  if (ahead === undefined) return []
  const message = `of ${describeRing(ring)} must not go back to ${quoteText(ring.after)} before ${describeRing(ahead)} does, which has ${quoteText(ahead.after)}${inPlace(ahead.at)}`
  return [fault(ring.at, 'ring-skipped', 'error', message)]
}

function fault({ object, path }: RevisionField, rule: RuleId, severity: Result['severity'], message: string): Result {
  return faultToResult(object, { severity, rule, path, message })
}

function describeRing({ name, matrix }: RingChange): string {
  return `ring ${quoteText(name)}${matrix === undefined ? '' : ` of matrix ${quoteText(matrix)}`}`
}

function inPlace({ object, path }: RevisionField): string {
  return object.file === undefined ? '' : ` (${object.file.path}:${object.positionOf(path).line})`
}

function folderOf({ name, why }: VariantChange): string {
  return why === undefined ? name : `${inLine(why.repo)}/${inLine(why.package)}`
}

/** Returns the name of a matrix for a ring whose revision is in another object. */
export function matrixOf({ object, owner }: Pick<FoundSet, 'object' | 'owner'>, at: RevisionField): { readonly matrix?: string } {
  return at.object === object ? {} : { matrix: owner.name }
}

/** Returns true for the same field of the same object. */
export function isSame(a: RevisionField, b: RevisionField): boolean {
  return a.object === b.object && pathKey(a.path) === pathKey(b.path)
}

/** A new revision of a field. */
export interface RevisionEdit {
  readonly field: RevisionField
  readonly revision: number
}

/** An upstream in a ring after an edit. */
export interface RevisionAfter {
  readonly revision: string
  readonly at: RevisionField
}

/** Returns the revision of an upstream in each ring of a set after an edit, which may give a ring a revision of its own. */
export function ringRevisionsAfter(
  { object, rings }: Pick<VariantSet, 'object' | 'rings'>,
  upstream: Upstream,
  { field, revision }: RevisionEdit,
): readonly RevisionAfter[] {
  const written = (at: RevisionField, before: string): RevisionAfter => ({ revision: isSame(at, field) ? `v${revision}` : before, at })
  const fromLast: RevisionAfter[] = []
  for (const ring of rings.toReversed()) {
    const at = { object, path: [...ring.path, 'revisions', upstream.package] }
    const own = ring.revisions.get(upstream.package)
    const isOwn = own !== undefined || isSame(at, field)
    const next = fromLast.at(-1) ?? written(revisionFieldOf(upstream), revisionName(upstream))
    fromLast.push(isOwn ? written(at, own === undefined ? '' : `v${own}`) : next)
  }
  return fromLast.toReversed()
}

/** Returns the number of a revision that a caller wrote, 4 for `4` and `v4`; undefined for any other text. */
export function askedNumber(text: string): number | undefined {
  const number = /^v?[0-9]+$/.test(text) ? revisionNumber(text) : undefined
  return number === undefined || number < 1 ? undefined : number
}
