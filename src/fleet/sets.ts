import type { FieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { decodePackageVariantMatrix } from '../kinds/package-variant-matrix.ts'
import { decodePackageVariantSet } from '../kinds/package-variant-set.ts'
import type { VariantSet } from '../kinds/variant-set.ts'
import type { Kinds } from '../kubernetes/kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { collectFaults, formatResourceRef, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { FLEET_API, PORCH_CONFIG_GROUP } from '../well-known.ts'
import type { SetOwner } from './ownership.ts'
import { type RevisionSets, readRevisionSets } from './revision-sets.ts'

/** A set of the list: its object, and the decoded set if the object has no faults. */
export interface FoundSet {
  readonly object: KrmObject
  readonly owner: SetOwner
  /** True if the set is one of the items, false if it is only the functionConfig. */
  readonly isItem: boolean
  readonly set?: VariantSet
  /** The faults and warnings of the set. The second of two sets that would own the same variants has a fault. */
  readonly results: readonly Result[]
}

/**
 * Returns the PackageVariantSets and PackageVariantMatrices of the items, and the functionConfig if it is one that is not among the items.
 *
 * @param revisionSets  the PackageRevisionSets of the items, whose upstreams matrices name
 */
export function findSets(
  { items, functionConfig }: Pick<ResourceList, 'items' | 'functionConfig'>,
  kinds: Kinds,
  revisionSets = readRevisionSets(items, kinds),
): readonly FoundSet[] {
  const objects = items.filter(isSet)
  const identities = new Set(objects.map((object) => identityOf(object, kinds)))
  const isOther = functionConfig !== undefined && isSet(functionConfig) && !identities.has(identityOf(functionConfig, kinds))
  const found = [...objects, ...(isOther ? [functionConfig] : [])].map((object) => ({
    object,
    owner: {
      name: object.name ?? '',
      namespace: kinds.namespaceOf(object),
      ...(isMatrix(object) ? { uid: undefined, isMatrix: true } : { uid: uidOf(object) }),
    },
    isItem: object !== functionConfig,
  }))
  const twins = twinFaults(found)
  return found.map((set) => ({ ...set, ...decoded(set, revisionSets, twins.get(set.object) ?? []) }))
}

/** Returns true for an object whose variants are planned: a PackageVariantSet or a PackageVariantMatrix. */
export function isSet(object: KrmObject): boolean {
  return isMatrix(object) || (object.kind === 'PackageVariantSet' && groupOf(object.apiVersion ?? '') === PORCH_CONFIG_GROUP)
}

/** Returns true for a PackageVariantMatrix. A matrix has no marks of Porch, whose controllers do not know the kind. */
export function isMatrix({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'PackageVariantMatrix' && groupOf(apiVersion) === groupOf(FLEET_API)
}

function identityOf(object: KrmObject, kinds: Kinds): string {
  return `${kinds.namespaceOf(object)}/${object.name}`
}

function uidOf(object: KrmObject): string | undefined {
  const uid = object.get(['metadata', 'uid'])
  return typeof uid === 'string' && uid !== '' ? uid : undefined
}

function decoded(
  { object, owner }: Pick<FoundSet, 'object' | 'owner'>,
  revisionSets: RevisionSets,
  twins: readonly Result[],
): Pick<FoundSet, 'set' | 'results'> {
  const faults: Result[] = []
  const found = collectFaults(faults, () =>
    isMatrix(object) ? decodeMatrix(object, owner, revisionSets) : decodePackageVariantSet(object),
  )
  const results = [...faults, ...(found?.warnings ?? []), ...twins]
  return found?.set === undefined || twins.length > 0 ? { results } : { set: found.set, results }
}

/** Decodes a matrix; `set` is undefined if upstreams of the matrix cannot be found. @throws FunctionError with the faults of its text */
function decodeMatrix(
  object: KrmObject,
  { namespace }: SetOwner,
  revisionSets: RevisionSets,
): { readonly set?: VariantSet; readonly warnings: readonly Result[] } {
  const { matrix, warnings } = decodePackageVariantMatrix(object)
  const { upstreams, results } = revisionSets.upstreamsOf(matrix, namespace)
  return { ...(upstreams && { set: { ...matrix.set, upstreams } }), warnings: [...warnings, ...results] }
}

/** Returns an error for each set with the name or uid of an earlier set: the two would own and remove each other's variants. */
function twinFaults(found: readonly Pick<FoundSet, 'object' | 'owner'>[]): ReadonlyMap<KrmObject, readonly Result[]> {
  const marks = found.flatMap(({ object, owner: { name, namespace, uid } }) => [
    { object, field: 'name', mark: `${namespace}/${name}` },
    ...(uid === undefined ? [] : [{ object, field: 'uid', mark: uid }]),
  ])
  const twins = [...groupBy(marks, ({ field, mark }) => `${field} ${mark}`).values()].flatMap(([first, ...later]) =>
    later.map(({ object, field }) => [object, [twinFault(object, field, first.object)]] as const),
  )
  return new Map(twins)
}

function twinFault(object: KrmObject, field: string, first: KrmObject): Result {
  const path = ['metadata', field]
  return faultToResult(object, {
    severity: 'error',
    rule: 'duplicate-set',
    path,
    message: `must differ from that of ${formatResourceRef(first.ref)}${inFile(first, path)}: both would own the same variants`,
  })
}

/** Returns the warning that an object has the kind, namespace and name of an earlier object, which counts. */
export function duplicateInFleet(object: KrmObject, first: KrmObject, here = 'here the first counts'): Result {
  const path = ['metadata', 'name']
  return faultToResult(object, {
    severity: 'warning',
    rule: 'duplicate-in-fleet',
    path,
    message: `must differ from that of ${formatResourceRef(first.ref)}${inFile(first, path)}: a cluster has one of them, and ${here}`,
  })
}

/** Returns the place of a field of another object as the end of a sentence: ` in FILE:LINE:COLUMN`; '' if the object has no file. */
export function inFile(object: KrmObject, path: FieldPath): string {
  if (object.file === undefined) return ''
  const { line, column } = object.positionOf(path)
  return ` in ${object.file.path}:${line}:${column}`
}
