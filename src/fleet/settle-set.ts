import { groupBy } from '../group-by.ts'
import type { PackageVariantSet } from '../kinds/package-variant-set.ts'
import { isPackagePath } from '../kubernetes/names.ts'
import { formatResourceRef, hasErrors, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import type { Change } from './change.ts'
import type { NamedClaim } from './collisions.ts'
import { refuseDeletions } from './deletion-guard.ts'
import { downstreamKey } from './downstream.ts'
import type { Draft } from './draft-set.ts'
import type { FleetObject } from './fleet.ts'
import { oneFaultEach } from './one-fault-each.ts'
import type { Options } from './options.ts'
import { type OwnedVariant, readOwned } from './owned-variant.ts'
import { reconcile } from './reconcile.ts'
import type { RenderedVariant } from './render-variant.ts'
import type { FoundSet } from './sets.ts'

/** What is to become of a set's variants. */
export interface Settled {
  /** The variants that it asks for, without those that have faults of their own. */
  readonly sound: readonly RenderedVariant[]
  /** What follows from these alone. */
  readonly changes: readonly Change[]
  /** Whether these are all: the set and its variants have no faults of their own. Too many removals are none. */
  readonly isWhole: boolean
  /** With an error among them, nothing is to be done. */
  readonly results: readonly Result[]
}

/** Compares what a set asks for with the variants that it owns. */
export function settleSet(
  { set, owner, results }: FoundSet,
  draft: Draft | undefined,
  variants: readonly FleetObject[],
  options: Options,
): Settled {
  if (set === undefined || draft === undefined) return { sound: [], changes: [], isWhole: false, results: oneFaultEach(results) }
  const existing = variants.map(readOwned)
  const sound = draft.rendered.filter(isSound)
  const changes = reconcile(owner, onePerDownstream(sound), existing, draft.former)
  const faults = [...oneFaultEach([...results, ...draft.results]), ...existingTwins(existing)]
  if (hasErrors(faults)) return { sound, changes, isWhole: false, results: faults }
  return { sound, changes, isWhole: true, results: [...faults, ...lossResults(set, draft, changes, existing, options)] }
}

function isSound({ isWhole, repo, package: packageName }: RenderedVariant): boolean {
  return isWhole && repo !== '' && isPackagePath(packageName)
}

/** Of two with one downstream the first counts. */
function onePerDownstream(variants: readonly RenderedVariant[]): readonly RenderedVariant[] {
  const firsts = new Map<string, RenderedVariant>()
  for (const variant of variants) {
    const key = downstreamKey(variant)
    if (!firsts.has(key)) firsts.set(key, variant)
  }
  return [...firsts.values()]
}

function lossResults(
  set: PackageVariantSet,
  draft: Draft,
  changes: readonly Change[],
  existing: readonly OwnedVariant[],
  options: Options,
): readonly Result[] {
  const removed = changes.flatMap(({ op, existing: variant }) => (variant && (op === 'remove' || op === 'rename') ? [variant.name] : []))
  const whyNone = draft.noMatches.map(({ message }) => message)
  const refusal = refuseDeletions({ existing: existing.length, removed, matches: draft.rendered.length, whyNone }, options)
  if (refusal === undefined) return draft.noMatches
  return [
    faultToResult(set.object, {
      severity: 'error',
      rule: 'deletion-guard',
      path: ['spec', 'targets'],
      message: refusal,
      reason: 'UnexpectedError',
    }),
  ]
}

/** Variants of one set and one downstream: the controller updates one and forgets the other (docs/porch.md 26). */
function existingTwins(existing: readonly OwnedVariant[]): Result[] {
  const located = existing.filter(({ downstream }) => downstream !== '')
  return [...groupBy(located, ({ downstream }) => downstream).values()].flatMap(([first, ...others]) =>
    others.map(({ variant: { object } }) =>
      faultToResult(object, {
        severity: 'error',
        rule: 'duplicate-variant',
        path: ['spec', 'downstream'],
        message: `must differ from that of ${formatResourceRef(first.variant.object.ref)}, which belongs to the same set`,
        reason: 'UnexpectedError',
      }),
    ),
  )
}

/** What the variants of a set claim once they are settled. */
export function namedClaims(set: PackageVariantSet, changes: readonly Change[]): NamedClaim[] {
  return changes.flatMap(({ op, name, namespace, why }) =>
    why === undefined ? [] : [{ set, namespace, variant: why, name, isNew: op === 'create' || op === 'rename' }],
  )
}
