import { groupBy } from '../group-by.ts'
import { nearKind } from '../kinds/unknown-kinds.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteNames, quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { OWNER_LABEL, PORCH_CONFIG_GROUP } from '../well-known.ts'
import { countOf, nameFirst } from '../wording.ts'
import { downstreamKey, downstreamOf } from './downstream.ts'
import type { Fleet, FleetObject } from './fleet.ts'
import { controllingUid, type OwnerMark, ownerMark } from './ownership.ts'
import type { Settled } from './reconcile-set.ts'
import { type FoundSet, isMatrix } from './sets.ts'
import { describeRead } from './what-was-read.ts'

// What a list says about its sets beside their own faults: no set, a set without its uid, variants of a set that is gone.

const NAMED_VARIANTS = 3

const NAMED_OBJECTS = 3

/** A set that may be the missing set of variants under a new name. */
type Heir = FoundSet & Pick<Settled, 'sound'>

/**
 * Returns a warning that the list has no set: the kinds that were read, and objects that are nearly sets.
 *
 * @param kinds  an object of each kind
 */
export function noSet(items: readonly KrmObject[], kinds: readonly KrmObject[]): Result {
  const near = kinds.some(isNearlySet) ? items.filter(isNearlySet).map(describeObject) : []
  const hint = near.length === 0 ? '' : `; nearly one: ${nameFirst(near, NAMED_OBJECTS)}`
  return {
    severity: 'warning',
    message: `the input must hold a PackageVariantSet or PackageVariantMatrix; read ${describeRead(items)}${hint}`,
    tags: { rule: 'no-set' },
  }
}

function isNearlySet(object: KrmObject): boolean {
  return nearKind(object) === 'PackageVariantSet'
}

function describeObject({ apiVersion = '', kind = '', name = '' }: KrmObject): string {
  return `${kind} ${quoteText(name)} of ${apiVersion}`
}

/**
 * Returns a warning for each set without a uid whose variants have a controller, as in files that were read from a cluster: new variants
 * get no uid, and the controller stalls when it finds them. Proposes the uid if all variants have the same.
 */
export function missingUids(found: readonly FoundSet[], fleet: Fleet): readonly Result[] {
  const without = found.filter(({ object, owner }) => owner.uid === undefined && !isMatrix(object))
  if (without.length === 0) return []
  const marked = fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').filter(({ object }) => object.labels.has(OWNER_LABEL))
  const byNamespace = groupBy(marked, ({ namespace }) => namespace)
  return without.flatMap(({ object, owner }): readonly Result[] => {
    const uids = (byNamespace.get(owner.namespace) ?? []).flatMap((variant) => controllingUid(variant.object, owner.name) ?? [])
    const [uid, ...others] = new Set(uids)
    if (uid === undefined) return []
    const controlled = countOf(uids.length, 'variant')
    const path = ['metadata', 'uid']
    const message = `must be that of the set in the cluster, ${others.length === 0 ? quoteText(uid) : quoteNames([uid, ...others])} by the owner references of ${controlled}: without it, new variants lack the uid, and Porch's controller stalls where it finds them`
    const proposed = others.length === 0 ? { proposedValue: uid } : {}
    return [faultToResult(object, { severity: 'warning', rule: 'set-uid-missing', path, message, ...proposed })]
  })
}

/**
 * Returns a warning for each set that variants of the list name and the list does not have. The variants are not changed.
 *
 * @param foreign  the variants that belong to no set of the list
 * @param settled  the sets of the list, of which one may be the missing set under a new name
 */
export function orphanWarnings(foreign: readonly FleetObject[], settled: readonly Heir[]): Result[] {
  const orphans = foreign.flatMap((variant) => {
    const mark = ownerMark(variant)
    return mark === undefined ? [] : [{ variant, mark }]
  })
  const groups = groupBy(orphans, ({ variant, mark }) => `${variant.namespace} ${mark.owner}`)
  return Array.from(groups.values(), ([first, ...others]) =>
    orphanWarning(first.mark, [first.variant, ...others.map(({ variant }) => variant)], settled),
  )
}

/** Returns a hint if a set wants downstreams of the orphans: most likely the set was renamed. */
function newName(variants: readonly FleetObject[], settled: readonly Heir[]): string {
  const theirs = new Set(variants.map((variant) => downstreamKey(downstreamOf(variant))))
  const heirs = settled.map(({ object, owner, sound }) => ({
    object,
    owner,
    shared: sound.filter((variant) => theirs.has(downstreamKey(variant))).length,
  }))
  const [heir] = heirs.filter(({ owner }) => owner.namespace === variants[0]?.namespace).sort((a, b) => b.shared - a.shared)
  if (heir === undefined || heir.shared === 0) return ''
  const { name, namespace } = heir.owner
  const { kind = '' } = heir.object
  const downstreams = heir.shared === 1 ? 'the downstream of one of them' : `${heir.shared} of their downstreams`
  return `; ${kind} ${namespace}/${name} wants ${downstreams}: if that is the same set with a new name, write '${namespace}/${name}' into this annotation of each variant, or give the set its old name`
}

/**
 * Returns the warning without a position: this run may remove text above the variant in its file, and the next run would then report
 * another position.
 */
function orphanWarning({ path, owner }: OwnerMark, variants: readonly [FleetObject, ...FleetObject[]], settled: readonly Heir[]): Result {
  const names = variants.map(({ name }) => name)
  const stay = `${countOf(variants.length, 'variant')} ${variants.length === 1 ? 'stays' : 'stay'} as before: ${nameFirst(names, NAMED_VARIANTS)}`
  const { position: _, ...result } = faultToResult(variants[0].object, {
    severity: 'warning',
    rule: 'orphaned',
    path,
    message: `names a PackageVariantSet that the list does not have in this namespace, '${owner}'; ${stay}${path[1] === 'annotations' ? newName(variants, settled) : ''}`,
  })
  return result
}
