import { differing, type FieldPath, formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { asList, asRecord, equalJson, isJsonList, isRecord, type JsonRecord, type JsonValue, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { countOf, nameFirst } from '../wording.ts'
import { mergeBaseOf, withoutMarks } from './generated-objects.ts'
import { settledObject } from './left-objects.ts'

/** The most fields in a message. */
const MOST_FIELDS = 5

/** A field that people wrote, changed or took out. */
interface EditedField {
  readonly field: FieldPath
  /** The value as it is; of a list, the entries of people. */
  readonly value: JsonValue | undefined
}

/** Returns the fields of a sync object that people changed since the object was generated; none if that state is not known. */
export function editedSyncFields(object: KrmObject): readonly EditedField[] {
  return fieldsBetween(mergeBaseOf(object), withoutMarks(object.toJson()))
}

/** Returns the fields as `editedSyncFields` does, without those with which a controller deletes: no object that is left has them. */
function fieldsThatStay(object: KrmObject): readonly EditedField[] {
  const base = mergeBaseOf(object)
  return fieldsBetween(base && settledObject(base), settledObject(withoutMarks(object.toJson())))
}

function fieldsBetween(base: JsonRecord | undefined, ours: JsonRecord): readonly EditedField[] {
  if (base === undefined) return []
  return differing(base, ours, []).flatMap((field) => editedFields(valueAt(base, field), valueAt(ours, field), field))
}

/** Returns the fields of a map that the generated object does not have; else the field itself. */
function editedFields(base: JsonValue | undefined, ours: JsonValue | undefined, field: FieldPath): readonly EditedField[] {
  if (base === undefined && isRecord(ours) && Object.keys(ours).length > 0)
    return Object.entries(ours).flatMap(([key, value]) => editedFields(undefined, value, [...field, key]))
  const isOther = (entry: JsonValue): boolean => !asList(base).some((each) => equalJson(each, entry))
  return [{ field, value: isJsonList(ours) ? ours.filter(isOther) : ours }]
}

function hasField(object: JsonRecord, { field, value }: EditedField): boolean {
  const present = valueAt(object, field)
  if (!isJsonList(value) || !isJsonList(present)) return equalJson(present, value)
  return value.every((entry) => present.some((each) => equalJson(each, entry)))
}

/** Returns a text that says of the first of some fields, and of the others of a group of objects, whose they are. */
function whose([, ...fields]: readonly EditedField[], objects: readonly unknown[]): string {
  const also = fields.length === 0 ? '' : `, as ${fields.length === 1 ? 'is' : 'are'} ${nameFirst(fields, MOST_FIELDS, fieldName)}`
  return `is from people${also}${objects.length === 1 ? '' : `, here and in ${countOf(objects.length - 1, 'other object')}`}`
}

function fieldName({ field }: EditedField): string {
  return `\`${formatFieldPath(field)}\``
}

function inGroups<Edited extends { readonly fields: readonly EditedField[] }>(edited: readonly Edited[]): readonly [Edited, ...Edited[]][] {
  return [...groupBy(edited, ({ fields }) => fields.map(fieldName).join(' ')).values()]
}

/** Returns a result for each group of objects in which people wrote the same fields: that new objects have the fields now. */
export function editsTakenOver(formerObjects: ReadonlyMap<JsonRecord, KrmObject>): readonly Result[] {
  const edited = [...formerObjects].flatMap(([value, object]) => {
    const fields = editedSyncFields(object)
    return fields.length === 0 ? [] : [{ value, object, fields }]
  })
  return inGroups(edited).map((group) => {
    const [{ value, object, fields }] = group
    const successor = `${scalarText(value.kind)} ${quoteText(scalarText(asRecord(value.metadata).name))}`
    const role = /Repository$/.test(scalarText(value.kind)) ? 'is read instead' : 'deploys the same'
    const message = `${whose(fields, group)}; ${successor}, which ${role} from now on, has ${fields.length === 1 ? 'it' : 'them'} too`
    return faultToResult(object, { severity: 'info', rule: 'sync-moved', path: fields[0]?.field ?? [], message })
  })
}

/**
 * Returns a warning for each group of objects that nothing needs and in which people wrote the same fields, unless an object of the kind
 * that stays has all of them.
 *
 * @param stays  the objects that stay, as they will be
 */
export function editsThatGo(left: readonly KrmObject[], stays: readonly JsonRecord[]): readonly Result[] {
  const byKind = groupBy(stays, ({ kind }) => scalarText(kind))
  const edited = left.flatMap((object) => {
    const fields = fieldsThatStay(object)
    const hasAll = (other: JsonRecord): boolean => fields.every((field) => hasField(other, field))
    return fields.length === 0 || byKind.get(object.kind ?? '')?.some(hasAll) === true ? [] : [{ object, fields }]
  })
  return inGroups(edited).map((group) => {
    const [{ object, fields }] = group
    const [has, goes] = fields.length === 1 ? ['has it', 'it goes'] : ['has them', 'they go']
    const message = `${whose(fields, group)}; no object that stays ${has}: ${goes} with ${object.kind ?? ''} ${quoteText(object.name ?? '')}, so write what is still wanted into the object that deploys the package now`
    return faultToResult(object, { severity: 'warning', rule: 'sync-edit-left', path: fields[0]?.field ?? [], message })
  })
}

function valueAt(value: JsonValue, path: FieldPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(memberOf, value)
}
