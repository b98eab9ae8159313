import { attempt } from '../attempt.ts'
import { isRecord, type JsonValue, lookup, scalarText } from '../json.ts'
import { misreadMetadata } from '../kinds/misread-metadata.ts'
import { FLEET_KINDS, unknownKinds } from '../kinds/unknown-kinds.ts'
import { SERVED_KINDS } from '../kubernetes/kinds.ts'
import { appliedObjects } from '../resource-list/applied-objects.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { outsideMade } from '../resource-list/revision-folders.ts'
import { FunctionError, findingsOf, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { nearestName } from '../schema/nearest-name.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { nameFirst } from '../wording.ts'
import { isSet } from './sets.ts'

const MOST_NAMES = 3

/**
 * Returns an error for each object of a fleet that is passed over although it may declare a target or a variant: without a kind or an
 * apiVersion, with a misspelt one, in a List, which no set looks into, or of a kind by which sets select, with metadata that no selector
 * sees. What it declares counts as unread, not as gone, so that its variants and their packages must not be removed, and no variant of its
 * name is made beside it.
 *
 * @param items    the objects of the fleet
 * @param lists    the findings about lists of objects that are no items
 * @param removed  the names of the variants or the folders of the packages that nothing wants
 * @param what     what the names are of
 * @param made     the names of the variants that would be made
 */
export function passedOverObjects(
  items: readonly KrmObject[],
  lists: readonly Result[],
  removed: readonly string[],
  what: 'packages' | 'variants',
  made: ReadonlySet<string> = new Set(),
): readonly Result[] {
  if (removed.length === 0 && made.size === 0) return []
  const misspelt = unknownKinds(items, FLEET_KINDS)
  const known = new Set(misspelt.map(({ file, position }) => `${file?.path}:${position?.line}`))
  const outside = outsideMade(items)
  // A set in the functionConfig is no item, so where no item is a set, every object may be selected.
  const selectable = outside.some(isSet) ? selectableObjects(outside) : outside
  const misread = (removed.length === 0 ? [] : selectable).flatMap((object) =>
    findingsOf(() => misreadMetadata(object).map((fault) => faultToResult(object, fault))),
  )
  const others = outside.flatMap((object) => {
    const why = reasonOf(object)
    if (why === undefined) return []
    const fault = faultToResult(object, {
      severity: 'error',
      rule: 'deletion-guard',
      path: [why.field],
      message: `${why.must}, so it is passed over`,
    })
    return known.has(`${fault.file?.path}:${fault.position?.line}`) ? [] : [fault]
  })
  const names = `${what} that would be removed (${nameFirst(removed, MOST_NAMES)})`
  const guarded = [...lists, ...misspelt, ...others, ...misread].flatMap((fault) => {
    const twin = removed.length > 0 ? undefined : namesIn(fault, items).find((name) => made.has(name))
    if (removed.length === 0 && twin === undefined) return []
    return [{ fault, wanted: twin === undefined ? `declare what wants the ${names}` : `be the variant that would be made (${twin})` }]
  })
  return guarded.map(({ fault, wanted }) => ({
    ...fault,
    severity: 'error',
    message: `${fault.message.replace(/\?$/, '')}; it may ${wanted}: correct it, or name the file in .krmignore`,
    tags: { rule: 'deletion-guard' },
  }))
}

/** Returns the objects that the sets among them may select: all of the kinds of a fleet, and of the kinds that sets name. */
export function selectableObjects(items: readonly KrmObject[]): readonly KrmObject[] {
  const named = new Set(items.filter(isSet).flatMap((set) => kindsIn(attempt(() => set.get(['spec', 'targets']), FunctionError))))
  return items.filter(({ apiVersion = '', kind = '' }) => FLEET_KINDS.has(groupOf(apiVersion)) || named.has(kind))
}

function kindsIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(kindsIn)
  return isRecord(value) ? [scalarText(lookup(value, 'kind')), ...Object.values(value).flatMap(kindsIn)] : []
}

/** Returns the names of the objects that a fault is about: of the object or of its entries, else that of its file. */
function namesIn({ resourceRef, file }: Result, items: readonly KrmObject[]): readonly string[] {
  if (resourceRef === undefined) return [file?.path.replace(/^.*\/|\.[^.]*$/g, '') ?? '']
  if (resourceRef.name !== '') return [resourceRef.name]
  const list = items.find((item) => item.file?.path === file?.path && item.file?.index === file?.index)
  return list === undefined ? [] : appliedObjects(list).flatMap(({ name }) => name ?? [])
}

/** Returns the field of an object because of which the fleet passes over it, and what the field must be; undefined for any other object. */
function reasonOf(object: KrmObject): { readonly field: string; readonly must: string } | undefined {
  const { apiVersion = '', kind = '', name } = object
  if (kind.endsWith('List')) {
    const isOfFleet = appliedObjects(object).some((entry) => entry !== object && FLEET_KINDS.has(groupOf(entry.apiVersion ?? '')))
    return isOfFleet
      ? { field: 'kind', must: `must not be ${quoteText(kind)} for objects of a fleet, which are read one by one` }
      : undefined
  }
  if (name === undefined) return undefined
  if (apiVersion === '' || kind === '') return { field: kind === '' ? 'kind' : 'apiVersion', must: 'must be set' }
  const group = groupOf(apiVersion)
  const known = FLEET_KINDS.get(group) === undefined ? nearestName(group, [PORCH_CONFIG_GROUP]) : group
  const served = SERVED_KINDS.filter((each) => each.kind === kind && groupOf(each.apiVersion) === known).map((each) => each.apiVersion)
  if (served.length === 0 && group === PORCH_CONFIG_GROUP)
    return { field: 'kind', must: `must be a kind of ${group}, got ${quoteText(kind)}` }
  if (served.length === 0 || served.includes(apiVersion)) return undefined
  return { field: 'apiVersion', must: `must be one of ${served.map(quoteText).join(', ')}, got ${quoteText(apiVersion)}` }
}
