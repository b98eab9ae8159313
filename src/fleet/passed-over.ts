import { attempt } from '../attempt.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, recordsOf, scalarText } from '../json.ts'
import { misreadMetadata } from '../kinds/misread-metadata.ts'
import { FLEET_KINDS, unknownKinds } from '../kinds/unknown-kinds.ts'
import { SERVED_KINDS } from '../kubernetes/kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { declaringItems } from '../resource-list/revision-folders.ts'
import { FunctionError, findingsOf, type Result } from '../result.ts'
import { describeChoice, quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { nearestName } from '../schema/nearest-name.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { nameFirst } from '../wording.ts'
import { isSet } from './sets.ts'
import { twinsOfTargets } from './twins-in-fleet.ts'
import { type FleetChange, MOST_NAMES, unseenDeclarations } from './unseen-declarations.ts'

/**
 * Returns an error for each object of a fleet that is passed over although it may declare a target or a variant: without a kind or an
 * apiVersion, with a misspelt one, in a list, which no set looks into, of a kind by which sets select, with metadata that no selector
 * sees, or a target with the name of another one. What it declares counts as unread, not as gone, so that its variants and their packages
 * must not be removed, and no variant of its name is made beside it. An object that declares what would be removed, in a place where no
 * command looks, counts as one of them.
 *
 * @param list    the objects of the fleet, and the findings about lists of objects that are no items
 */
export function passedOverObjects(
  list: Pick<ResourceList, 'items' | 'passedOver' | 'setAside' | 'functionConfig'>,
  change: FleetChange,
): readonly Result[] {
  const { what, fate = 'removed', made = new Set() } = change
  const removed = [...change.removed.keys()]
  if (removed.length === 0 && made.size === 0) return []
  const items = declaringItems(list.items)
  const named = kindsOfSets(items)
  const misspelt = unknownKinds(items, FLEET_KINDS)
  const known = new Set(misspelt.map(placeOf))
  // A set in the functionConfig is no item, so where no item is a set, every object may be selected.
  const selectable = items.some(isSet) ? selectableObjects(items, named) : items
  const misread = (removed.length === 0 ? [] : selectable).flatMap((object) =>
    findingsOf(() => misreadMetadata(object).map((fault) => faultToResult(object, fault))),
  )
  const twins = removed.length === 0 ? [] : twinsOfTargets({ items, functionConfig: list.functionConfig })
  const others = items.flatMap((object) => {
    const why = known.has(placeOf(object)) ? undefined : reasonOf(object, named)
    return why === undefined ? [] : [passedOverFault(object, why)]
  })
  // Of a file with a misspelt ending, only what the fleet would look at counts. Without an object, it is not known what the file holds.
  const isWanted = ({ tags, resourceRef }: Result) =>
    tags.rule !== 'file-ending' || resourceRef === undefined || !items.some(isSet) || isOfFleet({ ...resourceRef }, named)
  const names = `${what} that would be ${fate} (${nameFirst(removed, MOST_NAMES)})`
  const guarded = [...list.passedOver.filter(isWanted), ...misspelt, ...others, ...misread, ...twins].flatMap((fault) => {
    const twin = removed.length > 0 ? undefined : namesIn(fault, items).find((name) => made.has(name))
    if (removed.length === 0 && twin === undefined) return []
    return [{ fault, wanted: twin === undefined ? `declare what wants the ${names}` : `be the variant that would be made (${twin})` }]
  })
  const unread = guarded.map(
    ({ fault, wanted }): Result => ({
      ...fault,
      severity: 'error',
      message: `${fault.message.replace(/\?$/, '')}; it may ${wanted}: correct it, or name the file in the .krmignore at the top of the folder, by its path from there`,
      tags: { rule: 'deletion-guard' },
    }),
  )
  return [...unread, ...unseenDeclarations(list, change)]
}

/**
 * Returns a warning for each object that a fleet passes over although it is of a kind of a fleet, or that sets name: without a kind or an
 * apiVersion, with a version that is not served, or in a list. The first plan of a fleet takes nothing away, and still misses what they
 * declare.
 */
export function passedOverWarnings({ items: all, passedOver }: Pick<ResourceList, 'items' | 'passedOver'>): readonly Result[] {
  const items = declaringItems(all)
  const named = kindsOfSets(items)
  const found = items.flatMap((object) => {
    const { apiVersion = '', kind = '' } = object
    const why = reasonOf(object, named)
    return why === undefined || (why.must === MUST_BE_SET && !mayDeclare({ apiVersion, kind }, named)) ? [] : [{ object, why }]
  })
  const objects = found.map(({ object }) => object)
  const misspelt = new Set(unknownKinds(objects, FLEET_KINDS).map(placeOf))
  const faults = found.flatMap(({ object, why }) => (misspelt.has(placeOf(object)) ? [] : [passedOverFault(object, why)]))
  // A file that is not read for its ending is a finding of the reading.
  const said = passedOver.filter(({ tags }) => tags.rule !== 'file-ending')
  return [...said, ...faults].map((fault): Result => {
    const { rule } = fault.tags
    return { ...fault, severity: 'warning', tags: { rule: rule === 'deletion-guard' ? 'unknown-kind' : rule } }
  })
}

/** Returns the file and the document of an object, or of the object that a fault is about. */
function placeOf({ file }: { readonly file?: Result['file'] | undefined }): string {
  return `${file?.path}:${file?.index}`
}

function passedOverFault(object: KrmObject, { field, must }: PassedOverReason): Result {
  return faultToResult(object, { severity: 'error', rule: 'deletion-guard', path: [field], message: `${must}, so it is passed over` })
}

/** Returns the objects that the sets among them may select: all of the kinds of a fleet, and of the kinds that sets name. */
export function selectableObjects(items: readonly KrmObject[], named = kindsOfSets(items)): readonly KrmObject[] {
  return items.filter(({ apiVersion = '', kind = '' }) => FLEET_KINDS.has(groupOf(apiVersion)) || named.has(kind))
}

/** Returns the kinds that the targets of sets name. */
function kindsOfSets(items: readonly KrmObject[]): ReadonlySet<string> {
  return new Set(items.filter(isSet).flatMap((set) => kindsIn(attempt(() => set.get(['spec', 'targets']), FunctionError))))
}

function kindsIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(kindsIn)
  if (!isRecord(value)) return []
  const kind = scalarText(lookup(value, 'kind'))
  return [...(kind === '' ? [] : [kind]), ...Object.values(value).flatMap(kindsIn)]
}

/** Returns the names of the objects that a fault is about: of the object or of its entries, else that of its file. */
function namesIn({ resourceRef, file }: Result, items: readonly KrmObject[]): readonly string[] {
  if (resourceRef === undefined) return [file?.path.replace(/^.*\/|\.[^.]*$/g, '') ?? '']
  if (resourceRef.name !== '') return [resourceRef.name]
  const list = items.find((item) => item.file?.path === file?.path && item.file?.index === file?.index)
  if (list === undefined) return []
  const declared = [...entriesOf(list), ...objectsByKey(list, kindsOfSets(items)).flatMap(({ objects }) => objects)]
  return declared.map(({ metadata }) => scalarText(memberOf(metadata, 'name')))
}

/**
 * Returns the entries of the list `items` of an object, also of lists in it. As in kubectl, an entry of a `ConfigMapList` without
 * apiVersion and kind is a ConfigMap.
 */
function entriesOf(object: KrmObject): readonly JsonRecord[] {
  return entriesIn(asRecord(attempt(() => object.toJson(), FunctionError)))
}

function entriesIn({ apiVersion, kind, items }: JsonRecord): readonly JsonRecord[] {
  const own = scalarText(kind).replace(/List$/, '')
  return recordsOf(items).flatMap((entry) => {
    const isTyped = own !== '' && lookup(entry, 'apiVersion') === undefined && lookup(entry, 'kind') === undefined
    const inside = entriesIn(entry)
    return inside.length > 0 ? inside : [isTyped ? { ...entry, apiVersion: apiVersion ?? '', kind: own } : entry]
  })
}

/**
 * Returns the objects of kinds of a fleet, or that sets name, in a document that is no object itself, such as `clusters: {a: {apiVersion:
 * …}}`, for each key of the document that holds some.
 */
function objectsByKey(object: KrmObject, named: ReadonlySet<string>) {
  if (object.name !== undefined) return []
  return Object.entries(asRecord(attempt(() => object.toJson(), FunctionError))).flatMap(([key, value]) => {
    const objects = objectsIn(value, named)
    return objects.length === 0 ? [] : [{ key, objects }]
  })
}

function objectsIn(value: JsonValue, named: ReadonlySet<string>): readonly JsonRecord[] {
  if (Array.isArray(value)) return value.flatMap((each) => objectsIn(each, named))
  if (!isRecord(value)) return []
  if (memberOf(value.metadata, 'name') !== undefined && isOfFleet(value, named)) return [value]
  return Object.values(value).flatMap((each) => objectsIn(each, named))
}

/** Returns true for an entry of a kind of a fleet, or that sets name, and for one with a name and without its kind or apiVersion. */
function mayDeclare(entry: JsonRecord, named: ReadonlySet<string>): boolean {
  const { apiVersion, kind, metadata } = entry
  if (isOfFleet(entry, named)) return true
  return (apiVersion === undefined || scalarText(kind) === '') && memberOf(metadata, 'name') !== undefined
}

function isOfFleet({ apiVersion, kind }: JsonRecord, named: ReadonlySet<string>): boolean {
  const [group, name] = [groupOf(scalarText(apiVersion)), scalarText(kind)]
  return FLEET_KINDS.has(group) || named.has(name) || (group === '' && OF_PORCH.includes(name))
}

const OF_PORCH = FLEET_KINDS.get(PORCH_CONFIG_GROUP) ?? []

const ONE_BY_ONE = `objects of a fleet, each of which must be a document of its own behind '---'`

function listReason(kind: string): PassedOverReason {
  const what = kind === '' ? 'a list' : quoteText(kind)
  return { field: kind === '' ? 'items' : 'kind', must: `must not be ${what} for ${ONE_BY_ONE}` }
}

const MUST_BE_SET = 'must be set'

interface PassedOverReason {
  readonly field: string
  readonly must: string
}

/** Returns the field of an object because of which the fleet passes over it, and what the field must be; undefined for any other object. */
function reasonOf(object: KrmObject, named: ReadonlySet<string>): PassedOverReason | undefined {
  const { apiVersion = '', kind = '', name } = object
  if (kind.endsWith('List') || name === undefined) {
    if (entriesOf(object).some((entry) => mayDeclare(entry, named))) return listReason(kind)
    const [first] = objectsByKey(object, named)
    return first && { field: first.key, must: `must not hold ${ONE_BY_ONE}` }
  }
  if (apiVersion === '' || kind === '') return { field: kind === '' ? 'kind' : 'apiVersion', must: MUST_BE_SET }
  const group = groupOf(apiVersion)
  const ofKind = SERVED_KINDS.filter((each) => each.kind === kind)
  if (ofKind.length === 0 && group !== PORCH_CONFIG_GROUP) return undefined
  const meant = meantGroup(group, kind)
  const served = ofKind.filter((each) => groupOf(each.apiVersion) === meant).map((each) => each.apiVersion)
  if (served.length === 0 && group === PORCH_CONFIG_GROUP)
    return { field: 'kind', must: `must be a kind of ${group}, got ${quoteText(kind)}` }
  if (served.length === 0 || served.includes(apiVersion)) return undefined
  return { field: 'apiVersion', must: `must be ${describeChoice(served)}, got ${quoteText(apiVersion)}` }
}

/**
 * Returns the group of Porch for its kinds in another group of a fleet, and for a group that is near. The core group has no kind of Porch.
 */
function meantGroup(group: string, kind: string): string | undefined {
  if (FLEET_KINDS.has(group)) return OF_PORCH.includes(kind) ? PORCH_CONFIG_GROUP : group
  return group === '' ? PORCH_CONFIG_GROUP : nearestName(group, [PORCH_CONFIG_GROUP])
}
