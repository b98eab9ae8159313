import { formatFieldPath, pathKey } from '../field-path.ts'
import { firstOfEach, groupBy } from '../group-by.ts'
import { equalJson, type JsonRecord, type JsonValue, memberOf } from '../json.ts'
import type { VariantSet } from '../kinds/variant-set.ts'
import { isPackagePath } from '../kubernetes/names.ts'
import { truncateName } from '../kubernetes/truncated-name.ts'
import { formatResourceRef, hasErrors, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { nameFirst } from '../wording.ts'
import type { VariantChange } from './change.ts'
import type { NamedClaim } from './collisions.ts'
import { isMostOf, refuseDeletions } from './deletion-guard.ts'
import type { DesiredSet } from './desired-set.ts'
import { downstreamFrom, downstreamKey } from './downstream.ts'
import type { FleetObject } from './fleet.ts'
import type { FormerDownstreams } from './former-downstreams.ts'
import type { FleetOptions } from './options.ts'
import { lacksMarks, type SetOwner } from './ownership.ts'
import { pairRenames } from './renames.ts'
import type { FoundSet } from './sets.ts'
import type { RenderedVariant } from './templates/rendered-variant.ts'

/** Rules about the form of a value. Such a warning is dropped if the same value has an error. */
const ABOUT_WRITING = new Set(['placeholder', 'string-revision'])

/** Rules about maps that have none of some keys; the message names the keys. */
const ABOUT_ALTERNATIVES = new Set(['injector-name', 'map-entry', 'target-criteria', 'upstream-entry', 'upstream-revision'])

/** The changes of a set's variants. */
export interface Settled {
  /** The variants that the set asks for, without those with faults of their own. */
  readonly sound: readonly RenderedVariant[]
  /** The changes for the sound variants. */
  readonly changes: readonly VariantChange[]
  /** True if `changes` is complete: the set and its variants have no faults of their own. Too many removals do not count as a fault. */
  readonly isWhole: boolean
  /** The results. If one of them is an error, no change must be made. */
  readonly results: readonly Result[]
}

/** Compares the desired set with the variants that the set owns, and returns the changes and all faults. */
export function reconcileSet(
  { set, owner, results }: FoundSet,
  draft: DesiredSet | undefined,
  variants: readonly FleetObject[],
  options: FleetOptions,
): Settled {
  if (set === undefined || draft === undefined) return { sound: [], changes: [], isWhole: false, results: oneFaultEach(results) }
  const existing = variants.map(readOwned)
  const sound = draft.rendered.filter(isSound)
  const changes = reconcile(owner, [...firstOfEach(sound, downstreamKey).values()], existing, draft.former)
  const faults = [...oneFaultEach([...results, ...draft.results]), ...existingTwins(existing)]
  if (hasErrors(faults)) return { sound, changes, isWhole: false, results: faults }
  return { sound, changes, isWhole: true, results: [...faults, ...lossResults(set, draft, changes, existing, options)] }
}

function isSound({ isWhole, repo, package: packageName }: RenderedVariant): boolean {
  return isWhole && repo !== '' && isPackagePath(packageName)
}

function lossResults(
  set: VariantSet,
  draft: DesiredSet,
  changes: readonly VariantChange[],
  existing: readonly OwnedVariant[],
  options: FleetOptions,
): readonly Result[] {
  const removed = changes.flatMap(({ op, existing: variant }) => (variant && (op === 'remove' || op === 'rename') ? [variant.name] : []))
  const whyNone = draft.noMatches.map(({ message }) => message)
  const excluded = draft.unrolled.reduce((sum, each) => sum + each.excluded.length, 0)
  const matches = draft.rendered.length + excluded
  const refusal = refuseDeletions({ existing: existing.length, removed, matches, whyNone }, options)
  if (refusal === undefined) return [...mostRemoved(set, changes, existing.length, options), ...draft.noMatches]
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

/** Returns a warning if a set loses more than half of its variants, and the options do not say that it is meant. */
function mostRemoved(set: VariantSet, changes: readonly VariantChange[], existing: number, options: FleetOptions): readonly Result[] {
  const removed = changes.flatMap(({ op, existing: variant }) => (variant && op === 'remove' ? [variant.name] : []))
  if (!isMostOf(existing, removed.length, options)) return []
  const message = `removes ${removed.length} of ${existing} variants (${nameFirst(removed, NAMED)}): the targets of the set match them no more`
  return [faultToResult(set.object, { severity: 'warning', rule: 'deletion-guard', path: ['spec', 'targets'], message })]
}

const NAMED = 5

/**
 * Returns an error for each second variant with one set and one downstream. Porch's controller would update one of the variants and
 * forget the other (docs/porch.md 26).
 */
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

/** Returns the names and downstreams that the variants of a set have after the changes. */
export function namedClaims(set: VariantSet, changes: readonly VariantChange[]): NamedClaim[] {
  return changes.flatMap(({ op, name, namespace, why }) =>
    why === undefined ? [] : [{ set, namespace, variant: why, name, isNew: op === 'create' || op === 'rename' }],
  )
}

/**
 * Returns the results with one result for each mistake. Drops warnings about the form of a refused value, and errors about a missing key
 * that is present in a misspelt form.
 */
function oneFaultEach(results: readonly Result[]): readonly Result[] {
  return withoutMisspelt(withoutWriting(results))
}

function withoutWriting(results: readonly Result[]): readonly Result[] {
  if (!results.some(isAboutWriting)) return results
  const refused = new Set(results.filter(({ severity }) => severity === 'error').map(fieldOf))
  return results.filter((result) => !isAboutWriting(result) || !refused.has(fieldOf(result)))
}

function isAboutWriting({ severity, tags }: Result): boolean {
  return severity !== 'error' && ABOUT_WRITING.has(tags.rule)
}

function fieldOf({ field }: Result): string {
  return formatFieldPath(field?.path ?? [])
}

function withoutMisspelt(results: readonly Result[]): readonly Result[] {
  const misspelt = results.flatMap(({ field, proposedKey }) =>
    field === undefined || proposedKey === undefined ? [] : [{ holder: field.path.slice(0, -1), key: proposedKey }],
  )
  if (misspelt.length === 0) return results
  const meant = new Set(misspelt.map(({ holder, key }) => pathKey([...holder, key])))
  const byHolder = groupBy(misspelt, ({ holder }) => pathKey(holder))
  return results.filter(({ field, message, tags }) => {
    const path = field?.path ?? []
    if (tags.rule === 'required') return !path.some((_, last) => meant.has(pathKey(path.slice(0, last + 1))))
    return !ABOUT_ALTERNATIVES.has(tags.rule) || !byHolder.get(pathKey(path))?.some(({ key }) => message.includes(`'${key}'`))
  })
}

/** A variant of the list that a set owns. Its fields are read once, since a fleet has many variants. */
interface OwnedVariant {
  readonly variant: FleetObject
  readonly spec: JsonValue | undefined
  /** The key of `downstreamKey`: '' if the variant names no downstream. */
  readonly downstream: string
}

/**
 * Returns a variant with its spec and downstream.
 *
 * @throws FunctionError  if `spec` contains an alias
 */
function readOwned(variant: FleetObject): OwnedVariant {
  const spec = variant.object.get(['spec'])
  const downstream = memberOf(spec, 'downstream')
  return { variant, spec, downstream: downstreamKey(downstreamFrom(memberOf(downstream, 'repo'), memberOf(downstream, 'package'))) }
}

/**
 * Compares the desired variants with the existing ones: a variant that is only desired is created, one that is both is updated, one that
 * only exists is removed (seed 001, Reconciliation Strategy). Variants are matched by downstream, not by name, so an existing variant
 * with another name keeps its name (docs/porch.md 26).
 *
 * @param wanted    the desired variants, one for each downstream
 * @param former    the downstreams of the set's places under other upstream packages
 * @param existing  the variants that the set owns, one for each downstream; a variant without a downstream is obsolete (docs/porch.md 31)
 */
function reconcile(
  owner: SetOwner,
  wanted: readonly RenderedVariant[],
  existing: readonly OwnedVariant[],
  former: FormerDownstreams,
): readonly VariantChange[] {
  const byDownstream = new Map(existing.map((owned) => [owned.downstream, owned]))
  const kept = new Set<OwnedVariant>()
  const changes = wanted.map((variant) => {
    const match = byDownstream.get(downstreamKey(variant))
    if (match === undefined) return new Creation(owner, variant)
    kept.add(match)
    return update(owner, variant, match)
  })
  return pairRenames(changes, existing.filter((owned) => !kept.has(owned)).map(removal), former)
}

/** A new variant. Its spec is made when it is asked for, since a fleet may have a million new variants. */
class Creation implements VariantChange {
  readonly op = 'create'
  readonly name: string
  readonly namespace: string
  readonly why: RenderedVariant

  constructor({ name, namespace, isMatrix = false }: SetOwner, why: RenderedVariant) {
    this.name = variantName(name, why.repo, isMatrix ? why.package.replaceAll('/', '-') : why.package)
    this.namespace = namespace
    this.why = why
  }

  get after(): JsonRecord {
    return this.why.spec
  }
}

/**
 * Returns the name of a new variant: `SET-REPO-PACKAGE`, truncated to 63 bytes (seed 001, Identifier and Name Generation). A matrix may
 * have packages in folders; Porch's controller would make a name with slashes of them, which an API server refuses.
 */
function variantName(setName: string, repo: string, packageName: string): string {
  return truncateName(`${setName}-${repo}-${packageName}`)
}

function update(owner: SetOwner, why: RenderedVariant, { variant: existing, spec }: OwnedVariant): VariantChange {
  const addsMarks = lacksMarks(existing, owner)
  const op = equalJson(spec, why.spec) && !addsMarks ? 'unchanged' : 'update'
  return { op, name: existing.name, namespace: owner.namespace, existing, ...written(spec), after: why.spec, addsMarks, why }
}

function removal({ variant: existing, spec }: OwnedVariant): VariantChange {
  return { op: 'remove', name: existing.name, namespace: existing.namespace, existing, ...written(spec) }
}

function written(before: OwnedVariant['spec']): Pick<VariantChange, 'before'> {
  return before === undefined ? {} : { before }
}
