import type { FieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { decodePackageVariantSet, type PackageVariantSet } from '../kinds/package-variant-set.ts'
import type { Kinds } from '../kubernetes/kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError, formatResourceRef, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import type { SetOwner } from './ownership.ts'

/** A set of the list: its object, and the decoded set if the object has no faults. */
export interface FoundSet {
  readonly object: KrmObject
  readonly owner: SetOwner
  /** True if the set is one of the items, false if it is only the functionConfig. */
  readonly isItem: boolean
  readonly set?: PackageVariantSet
  /** The faults and warnings of the set. The second of two sets that would own the same variants has a fault. */
  readonly results: readonly Result[]
}

/** Returns the sets of the items, and the functionConfig if it is a set that is not among the items. */
export function findSets({ items, functionConfig }: Pick<ResourceList, 'items' | 'functionConfig'>, kinds: Kinds): readonly FoundSet[] {
  const objects = items.filter(isPackageVariantSet)
  const identities = new Set(objects.map((object) => identityOf(object, kinds)))
  const isOther = functionConfig !== undefined && isPackageVariantSet(functionConfig) && !identities.has(identityOf(functionConfig, kinds))
  const found = [...objects, ...(isOther ? [functionConfig] : [])].map((object) => ({
    object,
    owner: { name: object.name ?? '', namespace: kinds.namespaceOf(object), uid: uidOf(object) },
    isItem: object !== functionConfig,
  }))
  const twins = twinFaults(found)
  return found.map((set) => ({ ...set, ...decoded(set.object, twins.get(set.object) ?? []) }))
}

function isPackageVariantSet({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'PackageVariantSet' && groupOf(apiVersion) === PORCH_CONFIG_GROUP
}

function identityOf(object: KrmObject, kinds: Kinds): string {
  return `${kinds.namespaceOf(object)}/${object.name}`
}

function uidOf(object: KrmObject): string | undefined {
  const uid = object.get(['metadata', 'uid'])
  return typeof uid === 'string' && uid !== '' ? uid : undefined
}

function decoded(object: KrmObject, twins: readonly Result[]): Pick<FoundSet, 'set' | 'results'> {
  try {
    const { set, warnings } = decodePackageVariantSet(object)
    return twins.length > 0 ? { results: [...warnings, ...twins] } : { set, results: warnings }
  } catch (error) {
    if (error instanceof FunctionError) return { results: [...error.results, ...twins] }
    throw error
  }
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

/** Returns the place of a field of another object as the end of a sentence: ` in FILE:LINE:COLUMN`; '' if the object has no file. */
export function inFile(object: KrmObject, path: FieldPath): string {
  if (object.file === undefined) return ''
  const { line, column } = object.positionOf(path)
  return ` in ${object.file.path}:${line}:${column}`
}
